"""Operations on browsers, and browsing by many selectors."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from functools import partial
from typing import Any, Final

from tck.programs.observing.environment import Environment, quietly
from tck.programs.observing.look import properties, received, texts, tried
from tck.programs.operations.consumers import check_selector, note_selector, selector_of
from tck.programs.operations.operation import Compared, Operation
from tck.programs.operations.receiving import _MOST
from tck.programs.program import Json, Step
from tck.programs.state.objects import (
    Browser,
    OpenOutcome,
)
from tck.programs.state.state import State


def browser(env: Environment, args: Mapping[str, Json], name: str | None) -> Json:
    """Make a browser."""
    given = [selector_of(env, args.get("selector"))] if "selector" in args else []
    made = env.get(args["on"]).create_browser(env.find(args, "of"), *given)
    env.keep(name, made, args["on"])
    env.selectors[name or ""] = (given[0] or None) if given else None
    return {"selector": made.message_selector == env.selectors[name or ""]}


def _check_browser(state: State, args: Mapping[str, Json]) -> None:
    session = state.usable(args["on"])
    found = state.reachable(args.get("of"), session.connection)
    if found is not None and (found.deleted or found.kind != "queue"):
        raise OpenOutcome("there is nothing to browse")
    check_selector(state, args)


def _note_browser(state: State, step: Step, _: object) -> None:
    session = state.sessions[step.args["on"]]
    state.browsers[step.name or ""] = Browser(step.name or "", session, state.destinations[step.args["of"]])
    note_selector(state, step.args.get("selector"))


def browse(env: Environment, args: Mapping[str, Json], _: str | None) -> Json:
    """Go through a fresh enumeration."""
    found = env.get(args["on"])
    outcome = env.expected_ok
    wanted = 0 if outcome is None else len(outcome["shown"])
    end = env.clock.now() + env.patience()
    while True:
        shown = _shown(env, found.get_enumeration())
        if env.virtual or len(shown) >= wanted or env.clock.now() >= end:
            break
        env.clock.event().wait(env.brief())
    if not env.virtual and len(shown) < wanted:
        env.disappointed()
    return {"shown": shown}


def _shown(env: Environment, messages: Iterator[Any]) -> list[Json]:
    shown: list[Json] = []
    for each in messages:
        shown.append(received(env, each))
        if len(shown) >= _MOST:
            break
    return shown


def _check_browse(state: State, args: Mapping[str, Json]) -> None:
    found = state.browsers[args["on"]]
    session = state.usable(found.session.name)
    if found.state != "open" or not session.connection.started:
        raise OpenOutcome("what a browser shows then is left open")
    if found.queue.deleted:
        raise OpenOutcome("its queue is gone")
    state.settled(found.queue)


def enumerate_(env: Environment, args: Mapping[str, Json], name: str | None) -> Json:
    """Open an enumeration, to go through it later."""
    env.keep(name, env.get(args["on"]).get_enumeration())
    return None


def _note_enumerate(state: State, step: Step, _: object) -> None:
    found = state.browsers[step.args["on"]]
    state.browsers[step.name or ""] = Browser(step.name or "", found.session, found.queue, enumeration=True)


def next_(env: Environment, args: Mapping[str, Json], _: str | None) -> Json:
    """Go on in an enumeration."""
    found = next(env.get(args["on"]), None)
    return {"got": None if found is None else received(env, found)}


def select(env: Environment, args: Mapping[str, Json], _: str | None) -> Json:
    """Browse a queue with one selector after the other; tell by their sends which messages each lets through."""
    on, queue = env.get(args["on"]), env.get(args["of"])
    return {text: tried(partial(_selected, env, on, queue, text)) for text in args["selectors"]}


def _selected(env: Environment, on: Any, queue: Any, text: str) -> Json:
    browser = on.create_browser(queue, selector_of(env, text))
    try:
        found = [env.bare(each) for each in browser.get_enumeration()]
    finally:
        quietly(browser.close)
    sends = [env.sent_of(each.jms_message_id, _tag(each), _carried(env, each)) for each in found]
    return sorted(-1 if each is None else each.number for each in sends)


def _carried(env: Environment, message: Any) -> Collection[str]:
    return texts(properties(env, message)) if env.senders else ()


def _tag(message: Any) -> object:
    value = quietly(lambda: message.get_object_property("n"))
    return getattr(value, "value", value)


def _check_select(state: State, args: Mapping[str, Json]) -> None:
    session = state.usable(args["on"])
    queue = state.reachable(args["of"], session.connection)
    if session.state != "open" or not session.connection.started or session.connection.api == "topic":
        raise OpenOutcome("what a browser shows then is left open")
    if queue is None or queue.deleted or queue.kind != "queue":
        raise OpenOutcome("there is nothing to browse")
    for selector in args["selectors"] if state.native else ():
        check_selector(state, {"selector": selector})
    state.settled(queue)


_BROWSED: Final = "QueueBrowser.get_enumeration"


OPERATIONS: Final[tuple[Operation, ...]] = (
    Operation(
        "browser", browser, check=_check_browser, note=_note_browser, member="{on}.create_browser", makes="QueueBrowser",
    ),
    Operation("browse", browse, check=_check_browse, compared=Compared.MESSAGES, member=_BROWSED, browses=True),
    Operation(
        "enumerate", enumerate_, check=_check_browse, note=_note_enumerate,
        member=_BROWSED, makes="QueueBrowser", keeps_browsers=True,
    ),
    Operation(
        "next", next_, check=_check_browse, compared=Compared.MESSAGES, member=_BROWSED, keeps_browsers=True, browses=True,
    ),
    Operation("select", select, check=_check_select, compared=Compared.SELECTION, member="{on}.create_browser"),
)  # fmt: skip
