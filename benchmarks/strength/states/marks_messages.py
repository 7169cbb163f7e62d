"""States of messages: made, sent in every way, changed, looked at."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from benchmarks.strength.states.history import Sending
from benchmarks.strength.states.marks import Marks
from benchmarks.strength.states.marks_failing import prescribed
from tck.programs.program import Json, Step
from tck.programs.state.objects import FOREVER, Message, Producer

_Mark = Callable[[Marks, Step, Json], None]


def _sends(marks: Marks, step: Step, _: Json) -> None:
    history, args = marks.history, step.args
    producer = history.rules.producers[args["on"]]
    message = history.rules.messages[args["message"]]
    marks.when(args.get("async"), f"async {producer.session.connection.api} {producer.session.mode}")
    marks.when(message.foreign, f"foreign {message.kind}")
    marks.when(message.receiver is not None, f"send on {message.kind}")
    marks.when(message.sent, f"send twice {message.kind}")
    _equal(marks, message.name)
    for sent in history.sent(step, message.kind):
        _sent(marks, producer, sent)
        prescribed(marks, producer, sent, args)
    reply = history.arguments(message.name).get("headers", {}).get("reply_to")
    marks.when(
        reply in history.rules.destinations and history.rules.destinations[reply].temporary,
        f"temporary {marks.kind_of(reply or '')} reply to",
    )


def _equal(marks: Marks, name: str) -> None:
    """Note keys that an earlier message of the program has as well, and the size of the body."""
    history, args = marks.history, marks.history.arguments(name)
    headers, body = args.get("headers", {}), args.get("body")
    keys = {"correlation": headers.get("correlation"), "type": headers.get("type")}
    keys["text"] = repr(body[1]) if args.get("kind") == "text" and body else None
    keys["group"] = next((each[2] for each in args.get("properties", ()) if each[0] == "JMSXGroupID"), None)
    for what, value in keys.items():
        marks.when(value is not None and history.count(f"key {what}", str(value), "") > 1, f"equal {what}")
    marks.when("correlation_of" in headers, "equal correlation and identifier")
    size = (
        body[1].get("times", 0)
        if body and isinstance(body, list) and len(body) > 1 and isinstance(body[1], dict)
        else 0
    )
    marks.when(size >= 100 * 1024, "sent with large body")
    marks.when(size >= 1024 * 1024, "sent with huge body")


def _sent(marks: Marks, producer: Producer, sent: Sending) -> None:
    history = marks.history
    style = "simplified" if producer.session.connection.simplified else "classic"
    settings = history.settings.get(producer.name, {})
    marks.add(*(f"sent with {what} {style}" for what in settings))
    before = {each.priority for each in history.waiting() if each.to == sent.to}
    marks.when(len(before) > 1, f"priorities {marks.kind_of(sent.to)}")
    if producer.session.mode == "transacted":
        history.count("unsent", producer.session.name)
    marks.when(sent.ttl > FOREVER, "sent with vast ttl")
    _no_local(marks, producer, sent)


def _no_local(marks: Marks, producer: Producer, sent: Sending) -> None:
    for consumer in marks.history.rules.consumers.values():
        end = consumer.end
        if end.no_local and consumer.state == "open" and end.destination.name == sent.to:
            own = consumer.session.connection is producer.session.connection
            marks.add(f"noLocal {end.kind} {'own' if own else 'other'}")


def _sends_body(marks: Marks, step: Step, _: Json) -> None:
    producer = marks.history.rules.producers[step.args["on"]]
    kind = step.args["body"][0]
    marks.add(f"send_body {'null' if kind == 'null' else step.args.get('type')}")
    kinds = {"string": "text", "bytes": "bytes", "dict": "map", "serializable": "object"}
    for sent in marks.history.sent(step, kinds.get(step.args.get("type", ""), "object")):
        _sent(marks, producer, sent)


def _sends_many(marks: Marks, step: Step, _: Json) -> None:
    producer = marks.history.rules.producers[step.args["on"]]
    for sent in marks.history.sent(step, "text", step.args["count"]):
        _sent(marks, producer, sent)
        marks.add(f"flood {marks.kind_of(sent.to)}")
    marks.when(step.args["count"] > 64, "flood deep")
    marks.when(step.args["count"] > 200, "flood deeper")
    marks.when(producer.session.mode == "transacted", "flood transacted")


def _sets(marks: Marks, step: Step, _: Json) -> None:
    what, value = step.args["what"], step.args.get("value")
    if what in {"mode", "priority", "ttl", "delay", "disable_id", "disable_time"}:
        marks.history.settings.setdefault(step.args["on"], {})[what] = value


def _changes(marks: Marks, step: Step, _: Json) -> None:
    message: Message | None = marks.history.rules.messages.get(step.args["on"])
    if message is None:
        return
    marks.history.count("changed", message.name)
    marks.when(message.sent, f"change after send {message.kind}")
    marks.when(message.receiver is not None, f"change after receive {message.kind}")


def _looks(marks: Marks, step: Step, _: Json) -> None:
    message = marks.history.rules.messages[step.args["on"]]
    marks.when(message.sent, "look sent")
    marks.when(message.receiver is not None, "look received")
    marks.when(marks.history.counted("spoilt", message.name), "look after spoil")
    if step.args.get("spoil"):
        marks.add("look spoil")
        marks.history.count("spoilt", message.name)
    marks.when(marks.history.counted("changed", message.name), "look changed")


BEFORE: Final[Mapping[str, _Mark]] = {"send": _sends, "send_body": _sends_body, "send_many": _sends_many}
AFTER: Final[Mapping[str, _Mark]] = {
    "set": _sets, "look": _looks, "header": _changes, "property": _changes, "write": _changes, "clear_body": _changes,
    "clear_properties": _changes, "reset": _changes,
}  # fmt: skip
