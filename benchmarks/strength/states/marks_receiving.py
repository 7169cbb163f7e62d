"""States of receiving: by call, by listener, by browser, and of what causes redelivery."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from benchmarks.strength.states import marks_server
from benchmarks.strength.states.classes import classes_of
from benchmarks.strength.states.marks import Marks
from tck.programs.program import Json, Step
from tck.programs.state.objects import Consumer, Session

_Mark = Callable[[Marks, Step, Json], None]


# -- receiving ---------------------------------------------------------------------------------------------------------


def _received(marks: Marks, step: Step, got: Json) -> None:
    consumer = marks.history.rules.consumers[step.args["on"]]
    how, view = step.args.get("how", "timeout"), got["got"]
    if view is None:
        marks.add("receive nothing")
        marks.when(how == "no_wait", "receive no_wait nothing")
        marks.when(
            consumer.session.connection.stopped and not consumer.session.connection.started, "receive while stopped"
        )
        return
    marks.add(f"receive {how}")
    marks.when(step.args.get("look") == "headers", "receive without body")
    _took(marks, consumer, view, "receive")


def _drained(marks: Marks, step: Step, got: Json) -> None:
    consumer = marks.history.rules.consumers[step.args["on"]]
    for view in got["got"]:
        marks.when(step.args.get("look") == "headers", f"drain unread {view['kind']}")
        _took(marks, consumer, view, "drain")


def _took(marks: Marks, consumer: Consumer, view: Json, way: str) -> None:
    session, end, history = consumer.session, consumer.end, marks.history
    marks.add(f"receive {end.kind} {session.mode}", f"receive through {session.connection.api} {session.mode}")
    marks.add(f"receive kind {view['kind']} from {end.destination.kind}")
    history.count("gave", consumer.name)
    gave = [each for each in session.consumers_of(history.rules.consumers) if history.counted("gave", each.name)]
    marks.when(len(gave) > 1, "receive through two consumers")
    marks.when(end.destination.temporary, f"temporary {end.destination.kind} received from")
    if history.ends.get(end.key) is not None and history.ends[end.key].failure:
        marks.add(f"after {history.ends[end.key].failure} from {end.kind}")
    _timed(marks, consumer, view, way)
    marks_server.took(marks, consumer, again=view["headers"].get("JMSRedelivered") is True)
    marks.delivered(consumer, view, way)


def _timed(marks: Marks, consumer: Consumer, view: Json, way: str) -> None:
    send = view["send"]
    if not isinstance(send, int) or send >= len(marks.history.sendings):
        return
    sent = marks.history.sendings[send]
    if sent.delayed:
        mode = "transacted" if marks.history.rules.sessions[sent.session].mode == "transacted" else "at once"
        marks.add(f"delayed {consumer.end.destination.kind} {mode}")
        marks.when(consumer.end.kind in {"durable", "shared_durable"}, "delayed in durable")
        marks.when(way == "listener", "delayed to listener")
        marks.when(sent.priority != 4, "delayed and priority")


def _collected(marks: Marks, step: Step, got: Json) -> None:
    history = marks.history
    consumer, view = history.rules.consumers[step.args["on"]], got["got"]
    kind, session = consumer.end.kind, consumer.session
    if view is None:
        marks.add(f"wait for {kind} nothing")
        return
    marks.add(f"wait for {kind} message", f"wait in {session.connection.api} {session.mode}")
    marks.when(history.count("waited") > 1, "wait in the same program twice")
    marks.when(consumer.end.selector, "wait selected")
    marks.when(view["headers"].get("JMSRedelivered") is True, "wait again")
    if isinstance(view["send"], int) and view["send"] < len(history.sendings):
        sent = history.sendings[view["send"]]
        transacted = history.rules.sessions[sent.session].mode == "transacted"
        stopped = history.counted("stopped", consumer.name)
        marks.when(sent.expires, "wait expiring")
        marks.when(transacted, "wait transacted send")
        marks.when(stopped, "wait through a stop")
        marks.when(stopped and transacted, "wait until a commit through a stop")
        earlier = [each for each in history.sendings[: sent.number] if each.to == sent.to]
        marks.when(consumer.blocked and consumer.end.selector and earlier, "wait for the second")
    marks.delivered(consumer, view, "receive")


def _waits(marks: Marks, step: Step, _: Json) -> None:
    consumer = marks.history.rules.consumers[step.args["on"]]
    marks.when(consumer.end.destination.used, f"wait while stopped {consumer.end.kind}")
    marks.history.count("stopped", consumer.name)


def _body(marks: Marks, step: Step, got: Json) -> None:
    consumer = marks.history.rules.consumers[step.args["on"]]
    if got["got"] is None:
        marks.add("receive_body nothing")
        return
    marks.add(f"receive_body {step.args['type']}")
    for sent in marks.history.waiting():
        if sent.to == consumer.end.destination.name:
            sent.waits = False
            break
    marks.history.count("taken", consumer.session.name)


def heard(marks: Marks, name: str, views: Sequence[Json]) -> None:
    """Note what a listener was given."""
    consumer = marks.history.rules.consumers[name]
    does = marks.history.arguments(f"listener of {name}").get("does", "take")
    session, end = consumer.session, consumer.end
    for view in views:
        if consumer.pooled:
            marks_server.fed(marks, consumer)
        else:
            marks.add(f"listener {does} {end.kind}", f"listener in {session.connection.api} {session.mode}")
        marks.add(f"listener kind {view['kind']}")
        marks.when(marks.history.count("heard", name) >= 3, "listener gets three")
        marks.when(
            does.endswith("throw") and view["headers"].get("JMSRedelivered") is True, "listener again after throw"
        )
        marks.when(end.destination.temporary, f"temporary {end.destination.kind} listener")
        _timed(marks, consumer, view, "listener")
        marks.delivered(consumer, view, "listener")


def _listens(marks: Marks, step: Step, _: Json) -> None:
    consumer = marks.history.rules.consumers[step.args["on"]]
    marks.history.made[f"listener of {consumer.name}"] = step
    started = consumer.session.connection.started
    marks.add(f"listener on a {'started' if started else 'stopped'} connection")


def _unlistens(marks: Marks, step: Step, _: Json) -> None:
    marks.when(marks.history.counted("heard", step.args["on"]), "listener taken away")


# -- browsing ----------------------------------------------------------------------------------------------------------


def _browses(marks: Marks, step: Step, got: Json) -> None:
    history = marks.history
    browser = history.rules.browsers[step.args["on"]]
    views = got.get("shown", [got["got"]] if got.get("got") else [])
    end = history.ends.get(browser.queue.name)
    if step.do == "next":
        marks.add("browse next stale" if browser.stale else "browse next")
    else:
        marks.add("browse some" if views else "browse nothing")
        marks.when(history.count("browse", step.args["on"]) > 1, "browse second enumeration")
    marks.when(browser.session.mode == "transacted", "browse transacted")
    marks.when(history.arguments(browser.name).get("selector") and views, "browse by selector")
    marks.when(not history.rules.quiet(browser.queue.name), "browse while consumed")
    marks.when(end is not None and end.times, "browse after receive")
    _browsed(marks, browser.queue.name, views)


def _browsed(marks: Marks, queue: str, views: Sequence[Json]) -> None:
    history, end = marks.history, marks.history.ends.get(queue)
    marks.when(len({view["headers"].get("JMSPriority") for view in views}) > 1, "browse priorities")
    gone = [
        each for each in history.waiting() if each.to == queue and each.expires and history.counted("units") >= each.ttl
    ]
    marks.when(gone, "browse after expiry")
    for view in views:
        marks.add(f"browse kind {view['kind']}")
        if end is not None and view["send"] in end.times:
            marks.add(*(f"again after {cause} by browse" for cause in end.causes.get(view["send"], ())))


def _selects(marks: Marks, step: Step, _: Json) -> None:
    for selector in step.args["selectors"]:
        marks.add(*(f"select {each} by select" for each in classes_of(selector)))


def _browser(marks: Marks, step: Step, _: Json) -> None:
    marks.add(*(f"select {each} by browser" for each in classes_of(step.args.get("selector") or "")))


# -- settling ----------------------------------------------------------------------------------------------------------


def _rolls_back(marks: Marks, step: Step, _: Json) -> None:
    _ends(marks, step.args["on"], "rollback")
    marks.history.given_back("rollback", step.args["on"])


def _commits(marks: Marks, step: Step, _: Json) -> None:
    _ends(marks, step.args["on"], "commit")
    marks.history.settle(step.args["on"])


def _ends(marks: Marks, name: str, how: str) -> None:
    history = marks.history
    session = history.rules.sessions[name]
    unsent = set(session.unsent)
    held = history.held_by(name)
    marks.when(not unsent and not session.held, f"{how} nothing")
    marks.when(unsent, f"{how} sends")
    marks.when(session.held, f"{how} receives")
    marks.when(unsent and session.held, f"{how} sends and receives")
    marks.when(len(unsent) > 1, f"{how} to two destinations")
    marks.when(len({marks.kind_of(each) for each in unsent}) > 1, f"{how} to queue and topic")
    marks.when(len(session.held) > 1, f"{how} from two")
    marks.when(len(held) > 3 or history.counted("unsent", name) > 5, f"{how} many")
    marks.add(
        *(
            f"temporary {marks.kind_of(each)} transacted"
            for each in unsent
            if history.rules.destinations[each].temporary
        )
    )
    history.clear("unsent", name)


def _recovers(marks: Marks, step: Step, _: Json) -> None:
    name, history = step.args["on"], marks.history
    held = history.held_by(name)
    marks.add("recover one" if held else "recover nothing")
    marks.when(len(set(held)) > 1, "recover two ends")
    marks.when(held and history.counted("acknowledged", name), "recover after acknowledge")
    history.given_back("recover", name)


def _acknowledges(marks: Marks, step: Step, _: Json) -> None:
    name, history = step.args["on"], marks.history
    rules = history.rules
    if name in rules.sessions:
        session: Session | None = rules.sessions[name]
        marks.add("acknowledge context")
    else:
        session = rules.messages[name].receiver
        marks.add("acknowledge message")
        marks.when(rules.messages[name].sent, "acknowledge after send on")
        last = [each.name for each in rules.messages.values() if each.receiver is session]
        marks.when(last and last[-1] != name, "acknowledge older")
    if session is not None:
        marks.when(len(set(history.held_by(session.name))) > 1, "acknowledge two ends")
        history.count("acknowledged", session.name)
        if session.mode == "client":
            history.settle(session.name)


BEFORE: Final[Mapping[str, _Mark]] = {
    "commit": _commits, "rollback": _rolls_back, "recover": _recovers, "acknowledge": _acknowledges, "browse": _browses, "next": _browses,
}  # fmt: skip
AFTER: Final[Mapping[str, _Mark]] = {
    "receive": _received, "collect": _collected, "waits": _waits, "receive_body": _body, "drain": _drained, "listen": _listens, "unlisten": _unlistens, "select": _selects,
    "browser": _browser,
}  # fmt: skip
