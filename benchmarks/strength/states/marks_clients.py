"""States of clients, consumers, subscriptions, destinations, and of closing and failing."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from benchmarks.strength.states.classes import classes_of
from benchmarks.strength.states.marks import Marks
from tck.programs.program import Json, Step
from tck.programs.state.objects import Session
from tck.programs.state.state import same_terms
from tck.programs.values import DESTINATION_NAMES

_Mark = Callable[[Marks, Step, Json], None]


def _makes_consumer(marks: Marks, step: Step, _: Json) -> None:
    """Compare a subscription with what was there before the consumer."""
    args, rules = step.args, marks.history.rules
    session, of = rules.sessions[args["on"]], rules.destinations[args["of"]]
    kind = "queue" if of.kind == "queue" else args.get("kind", "plain")
    where = "queue consumer" if kind == "queue" else "topic consumer" if kind == "plain" else "named subscription"
    marks.add(*(f"select {each} by {where}" for each in classes_of(args.get("selector") or "")))
    if kind not in {"durable", "shared_durable"}:
        return
    end = rules.endpoints.get(rules.key_of(args, session, of))
    if end is None:
        _subscribes(marks, step, of.name)
        return
    if end.consumers:
        return
    same = end.destination is of and same_terms(end, args)
    marks.when(same, f"resume {kind} same")
    marks.when(end.destination is not of, f"resume {kind} other topic")
    marks.when(end.destination is of and not same, f"resume {kind} other selector")
    marks.when(any(end.key in each.held for each in marks.sessions()), f"resume {kind} in hand")
    marks.when(marks.history.counted("failures"), f"resume {kind} after failure")
    marks.when(marks.history.count("resumed", end.key) > 1, f"resume {kind} twice")


def _subscribes(marks: Marks, step: Step, topic: str) -> None:
    name, rules = step.args["name"], marks.history.rules
    others = [
        (key.partition(" ")[2].partition("/"), end)
        for key, end in rules.endpoints.items()
        if key.startswith("durable ")
    ]
    marks.when(any(other[2] == name for other, _ in others), "subscription two clients")
    marks.when(any(other[2] != name for other, _ in others), "subscription two names")
    marks.when(any(end.destination.name == topic for _, end in others), "subscription two of a topic")
    marks.when(any(each.to == topic for each in marks.history.sendings), "subscription missed before")


def _unsubscribes(marks: Marks, step: Step, _: Json) -> None:
    history = marks.history
    key = f"durable {history.rules.sessions[step.args['on']].connection.client_id or ''}/{step.args['name']}"
    end = history.rules.endpoints.get(key)
    waits = end is not None and any(each.to == end.destination.name for each in history.waiting())
    marks.add("unsubscribe with messages" if waits else "unsubscribe without")
    history.count("unsubscribed", step.args["name"])


def _resubscribes(marks: Marks, step: Step, _: Json) -> None:
    marks.when(marks.history.counted("unsubscribed", str(step.args.get("name"))), "unsubscribe and again")


# -- closing and failing -----------------------------------------------------------------------------------------------


def _closes(marks: Marks, step: Step, _: Json) -> None:
    name, history = step.args["on"], marks.history
    rules = history.rules
    marks.when(name in rules.producers, "close producer")
    marks.when(name in rules.browsers, "close browser")
    if name in rules.consumers:
        consumer = rules.consumers[name]
        held = {key for key, end in history.ends.items() if consumer.session.name in end.held.values()}
        _closing(marks, "consumer", name, (consumer.end.key in held, False, consumer.listening))
    elif name in rules.sessions or name in rules.connections:
        _closes_session(marks, name)


def _closes_session(marks: Marks, name: str) -> None:
    history, rules = marks.history, marks.history.rules
    what = "session" if name in rules.sessions else "connection"
    mine = [
        each for each in rules.sessions.values() if name in {each.name, each.connection.name} and each.state == "open"
    ]
    held = any(history.held_by(each.name) for each in mine)
    _closing(marks, what, name, (held, any(each.unsent for each in mine), any(each.listening for each in mine)))
    for each in mine:
        history.given_back("close", each.name)
    for found in rules.destinations.values():
        if found.temporary and not found.deleted and any(found.owner is each.connection for each in mine):
            marks.when(found.owner is not None and what == "connection", f"temporary {found.kind} closed")


def _closing(marks: Marks, what: str, name: str, states: tuple[bool, bool, bool]) -> None:
    for holds, word in zip(states, ("in hand", "unsent", "listening"), strict=True):
        marks.when(holds, f"close {what} {word}")
    marks.when(marks.history.count("closed", name) > 1, f"close {what} twice")


def _closes_waiting(marks: Marks, step: Step, _: Json) -> None:
    rules, of = marks.history.rules, step.args["of"]
    what = "consumer" if of in rules.consumers else "session" if of in rules.sessions else "connection"
    marks.add(f"close {what} waiting")


def _fails(marks: Marks, step: Step, _: Json) -> None:
    history, how = marks.history, step.do
    rules = history.rules
    mine = marks.sessions()
    if how == "sever":
        lost = rules.connection_of(step.args["on"])
        mine = [each for each in mine if each.connection is lost]
    _fails_with(marks, how, mine)
    waiting = history.waiting()
    if how != "sever":
        marks.add(*(f"{how} with {each.kind} waiting" for each in waiting))
    marks.when(any(each.mode == 2 for each in waiting), f"{how} with persistent waiting")
    marks.when(any(each.mode == 1 for each in waiting), f"{how} with non-persistent waiting")
    marks.when(len({each.priority for each in waiting}) > 1, f"{how} with priorities")
    passed = history.counted("units")
    marks.when(any(each.expires and each.ttl > passed for each in waiting), f"{how} with expiring")
    marks.when(any(each.delayed and each.delay > passed for each in waiting), f"{how} with delayed")
    for each in mine:
        history.given_back(how, each.name)
    for end in history.ends.values():
        end.failure = how
    history.count("failures")


def _fails_with(marks: Marks, how: str, mine: list[Session]) -> None:
    history, rules = marks.history, marks.history.rules
    names = {each.name for each in mine}
    marks.when(any(history.held_by(each.name) for each in mine), f"{how} with in hand")
    marks.when(
        any(history.counted("taken", each.name) and not history.held_by(each.name) for each in mine),
        f"{how} with settled",
    )
    marks.when(any(each.unsent for each in mine), f"{how} with unsent")
    marks.when(any(each.listening for each in mine), f"{how} with listener")
    marks.when(
        any(each.session.name in names and each.state == "open" for each in rules.browsers.values()),
        f"{how} with browser",
    )
    connections = {each.connection.name for each in mine}
    temporary = [each for each in rules.destinations.values() if each.owner and each.owner.name in connections]
    marks.when(any(not each.deleted for each in temporary), f"{how} with temporary")
    marks.add(
        *(f"{how} with {each.kind}" for each in rules.endpoints.values() if each.kind in {"durable", "shared_durable"})
    )
    marks.when(any(each.contended for each in rules.endpoints.values()), f"{how} with contended")


def _advances(marks: Marks, step: Step, _: Json) -> None:
    history = marks.history
    for _unit in range(step.args["units"]):
        history.count("units")
    for each in history.waiting():
        if not each.expires or history.counted("units") < each.ttl:
            continue
        mode = "transacted" if history.rules.sessions[each.session].mode == "transacted" else "at once"
        marks.add(f"expired {marks.kind_of(each.to)} {mode}")
        marks.when(each.delayed, "expired and delayed")
        ends = [end for end in history.rules.endpoints.values() if end.destination.name == each.to]
        marks.when(any(end.kind in {"durable", "shared_durable"} for end in ends), "expired in durable")


# -- the rest ----------------------------------------------------------------------------------------------------------


def _starts(marks: Marks, step: Step, _: Json) -> None:
    history = marks.history
    connection = history.rules.connection_of(step.args["on"])
    if connection.started or not connection.stopped:
        return
    mine = [each.name for each in history.rules.sessions.values() if each.connection is connection]
    marks.when(any(history.counted("taken", each) for each in mine), "start after receive")
    marks.when(history.waiting(), "start after send")
    marks.when(any(history.rules.sessions[each].listening for each in mine), "start after listen")


def _temporary(marks: Marks, step: Step, _: Json) -> None:
    marks.add(f"temporary {step.args['kind']} made")


def _deletes(marks: Marks, step: Step, _: Json) -> None:
    marks.add(f"temporary {marks.kind_of(step.args['on'])} deleted")


def refused(marks: Marks, step: Step, exception: str) -> None:
    """Note a call that raised an exception."""
    marks.add(f"refused {step.do}")
    if exception.startswith("InvalidDestination"):
        marks.when(step.do == "unsubscribe", "unsubscribe unknown")
        found = marks.history.rules.destinations.get(str(step.args.get("of")))
        marks.when(
            found is not None and found.temporary and step.do == "consumer",
            f"temporary {marks.kind_of(str(step.args.get('of')))} refused",
        )
    marks.when(step.do == "receive_body" and exception.startswith("MessageFormat"), "receive_body wrong type")


def _named(marks: Marks, step: Step, _: Json) -> None:
    name = step.args.get("name")
    if name is None:
        return
    marks.add(*(f"name {reason}" for known, reason in DESTINATION_NAMES if known == name), f"names of {step.do}s")
    marks.when(marks.history.count("named", name.casefold()) > 1, "names twins")


def _tells(marks: Marks, step: Step, _: Json) -> None:
    what = "metadata" if step.do == "metadata" else "exception listener"
    marks.add(f"{what} {marks.history.rules.connection_of(step.args['on']).api}")


def _problems(marks: Marks, step: Step, _: Json) -> None:
    rules = marks.history.rules
    found = rules.connection_of(step.args["on"])
    marks.add(f"problems broken {found.api}" if found.severed else "problems whole")
    marks.when(found.replaced and found.reports, "problems of the second listener")
    marks.when(not found.reports, "problems without a listener")
    marks.when(found.state == "closed", "problems closed")
    marks.when(rules.refusals and not found.severed, "problems after a refusal")


def _requests(marks: Marks, step: Step, _: Json) -> None:
    marks.add(f"request {marks.history.rules.sessions[step.args['on']].connection.api}")
    marks.when(step.args.get("preset"), "request preset reply-to")


BEFORE: Final[Mapping[str, _Mark]] = {
    "consumer": _makes_consumer, "unsubscribe": _unsubscribes, "close": _closes, "close_waiting": _closes_waiting, "restart": _fails,
    "kill": _fails, "sever": _fails, "start": _starts, "delete": _deletes, "request": _requests, "queue": _named, "topic": _named, "metadata": _tells, "on_exception": _tells,
    "problems": _problems,
}  # fmt: skip
AFTER: Final[Mapping[str, _Mark]] = {"advance": _advances, "temporary": _temporary, "consumer": _resubscribes}
