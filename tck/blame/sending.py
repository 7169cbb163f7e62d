"""Facts of the message that a difference is about: its kind, how it was sent, and who had set the value that differs."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any, Final

from tck.blame.bytes_bodies import differing_item
from tck.blame.values import Facts
from tck.programs.comparing.differences import Difference
from tck.programs.comparing.outcomes import sends_by_step
from tck.programs.expectation import Expectation
from tck.programs.program import Json, Program, Step

_BODIES: Final = frozenset({"text", "bytes", "map", "stream", "object", "message"})
_SAID: Final = {
    "header JMSDeliveryMode": "mode", "header JMSPriority": "priority", "header JMSExpiration": "ttl", "header JMSDeliveryTime": "delay",
    "header JMSCorrelationID": "correlation", "header JMSType": "type", "header JMSReplyTo": "reply_to",
    "header JMSCorrelationIDAsBytes": "correlation_native",
}  # fmt: skip
"""What a producer, a send or an administrator calls a header."""
_PRESET: Final = {
    "header JMSDeliveryMode": "mode", "header JMSPriority": "priority", "header JMSExpiration": "expiration",
    "header JMSDeliveryTime": "delivery_time", "header JMSMessageID": "id", "header JMSTimestamp": "timestamp",
    "header JMSDestination": "destination", "header JMSRedelivered": "redelivered", "property JMSXDeliveryCount": "redelivered",
}  # fmt: skip
"""The headers of a message that a send replaces."""
_CLIENTS: Final = frozenset({"correlation", "type", "reply_to"})


def add_message(facts: Facts, found: Difference, expectation: Expectation) -> None:
    """Add the kind of the message that differs or that a call is on, whether its body is empty, and whether it has been sent."""
    kinds = [each for each in found.flags if each in _BODIES]
    facts.add("body", *kinds)
    step, empty = expectation.program.steps[found.step], False
    name, kind, sent = step.args.get("on"), "", False
    for other, seen in zip(expectation.program.steps[: found.step], expectation.seen, strict=False):
        if other.name == name and other.do == "message":
            kind, empty = str(other.args["kind"]), not other.args.get("body")
        elif other.name == name and other.do == "receive" and (seen.get("ok") or {}).get("got"):
            kind, empty = str(seen["ok"]["got"]["kind"]), False
        elif other.do == "send" and other.args.get("message") == name and kind:
            sent = True
        elif other.do == "clear_body" and other.args["on"] == name:
            empty = True
    if kind and not kinds:
        facts.add("body", kind)
    facts.first("message", ("sent", sent))
    facts.first("is", ("empty", empty and kind))


def is_null(found: Difference, expectation: Expectation) -> bool:
    """Return whether the property or entry that is read is there and null."""
    cells = (expectation.seen[found.step].get("ok") or {}) if found.step < len(expectation.seen) else {}
    cell = cells.get(found.expected.partition(": ")[0].split(" ")[0], {})
    return cell.get("object") == ["null", None] and cell.get("exists") is True


def add_sending(facts: Facts, found: Difference, expectation: Expectation) -> None:
    """Add how the message that differs was sent, or is sent by the step."""
    steps, at = expectation.program.steps, found.step
    number = None if found.message is None else found.message.get("send")
    named = re.match(r"the message of send (\d+)$", found.expected)
    if number is None and named is not None:
        number = int(named[1]) - 1
    if number is not None and number < len(expectation.sends):
        by_step = sends_by_step(steps, expectation.seen)
        at = next((at for at, each in enumerate(by_step) if number in each), at)
        name = str(expectation.sends[number].get("given"))
    elif number is None and steps[at].do == "send":
        name = str(steps[at].args.get("message"))
    else:
        _own(facts, found, steps)
        return
    sending = steps[at]
    made = next((each for each in steps if each.do == "message" and each.name == name), None)
    foreign = made is not None and made.args.get("on") is None
    before = any(each.do == "send" and each.args.get("message") == name for each in steps[:at])
    facts["message"] = []
    facts.first(
        "message",
        ("fails to write", made is not None and made.args.get("spoil")),
        ("foreign", foreign),
        ("sent before", before),
    )
    if at != found.step:
        facts.first("sent_by", ("body", sending.do == "send_body"))
    facts.add("holds", *(word for word, holds in _hard(steps[:at], sending, name) if holds))
    _set_by(facts, found, expectation.program, at, name, foreign=foreign)
    if made is not None:
        facts.add("item", *(each.removeprefix("item_") for each in differing_item(found, made)))


def _own(facts: Facts, found: Difference, steps: Sequence[Step]) -> None:
    """Add what of the body differs where the sender looks at its own message."""
    name = steps[found.step].args.get("on")
    made = next((each for each in steps if each.do == "message" and each.name == name), None)
    if made is not None:
        facts.add("item", *(each.removeprefix("item_") for each in differing_item(found, made)))


def _set_by(facts: Facts, found: Difference, program: Program, at: int, name: str, *, foreign: bool) -> None:
    """Add who has set what differs: of all that set it the one whose value is there, or else the one that decides."""
    steps, sending = program.steps[:at], program.steps[at]
    producer = sending.args.get("on")
    said = _SAID.get(found.what, "")
    own = {
        str(each.args["what"]): each.args.get("value")
        for each in steps
        if each.do == "set" and each.args["on"] == producer
    }
    others = {
        str(each.args["what"]): each.args.get("value")
        for each in steps
        if each.do == "set" and each.args["on"] in _siblings(program, at, str(producer))
    }
    made = next((each for each in steps if each.do == "message" and each.name == name), None)
    preset: dict[str, Json] = {} if made is None else dict(made.args.get("headers", {}))
    preset |= {
        str(each.args["what"]): each.args.get("value")
        for each in steps
        if each.do == "header" and each.args["on"] == name
    }
    key = _PRESET.get(found.what, "")
    to = sending.args.get("to") or _bound(program, sending)
    prescribed = [each.args for each in steps if each.do == "override" and each.args["of"] == to]
    if found.what in {"missing", "extra"}:
        late = next((each for each in ("delivery_time", "expiration") if each in preset), None)
        if late is not None:
            facts.add("name", {"delivery_time": "JMSDeliveryTime", "expiration": "JMSExpiration"}[late])
        return
    if found.what.startswith("property ") and key == "":
        property_ = found.what.removeprefix("property ")
        mine = any(
            each.do == "set"
            and each.args["on"] == producer
            and each.args["what"] == "property"
            and each.args.get("name") == property_
            for each in steps
        )
        facts.first(
            "set_by",
            ("producer of a body", mine and sending.do == "send_body"),
            ("producer", mine),
            ("producer, another property", "property" in own and found.seen == "None"),
            ("foreign", foreign),
        )
        return
    timed = found.what in {"header JMSExpiration", "header JMSDeliveryTime"}
    facts.first(
        "set_by",
        ("administrator", said and any(said in each for each in prescribed)),
        ("producer of a foreign message", said in _CLIENTS and said in own and foreign),
        ("producer", said in _CLIENTS and said in own),
        ("producer, another header", said in _CLIENTS and _CLIENTS & {*own}),
        ("other producer", said in others and (timed or _same(others[said], found.seen))),
        ("message", key in preset and (timed or said == "" or _same(preset[key], found.seen))),
        ("send", said and said in sending.args),
        ("timestamps disabled", timed and own.get("disable_time")),
        ("producer", said in own),
        ("foreign", foreign),
        ("message, as bytes", found.what == "header JMSCorrelationID" and "correlation_bytes" in preset),
    )


def _same(value: Json, seen: str) -> bool:
    """Return whether a header has the value that somebody set."""
    return seen in {repr(value), repr(["int", value])}


def _hard(steps: Sequence[Step], sending: Step, name: str) -> Iterator[tuple[str, object]]:
    """Yield what a message was given that some clients cannot send: nulls, half a surrogate pair, a correlation identifier or type beyond 16 bits."""
    on = sending.args.get("on")
    mine = [each for each in (*steps, sending) if each.args.get("on") == on or name in {each.name, each.args.get("on")}]
    made = [each.args for each in mine if each.do == "message" and each.name == name]
    for header, fact in (("correlation", "beyond 16 bits"), ("type", "type beyond 16 bits")):
        wide = [each.args.get("headers", {}).get(header) for each in mine]
        wide += [each.args.get("value") for each in mine if each.args.get("what") == header]
        yield fact, any(isinstance(each, str) and max(each, default="") > "\uffff" for each in wide)
    properties = [value for args in made for _, _, value, *_ in args.get("properties", ())]
    yield "half a pair in a property", any(map(_is_half, properties))
    yield (
        "half a pair in a text",
        any(_is_half(each) for args in made if args["kind"] == "text" for each in args.get("body") or ()),
    )
    nulls = [each.args["value"] for each in mine if each.do == "property"]
    given = [value for each in mine for _, _, value, *_ in each.args.get("properties", ())]
    yield "null property", None in [*nulls, *given]
    bodies = [each.args.get("body") or () for each in mine if each.do == "write" or each.args.get("kind") == "map"]
    yield (
        "null entry",
        any(isinstance(each, list) and len(each) > 2 and each[2] is None for body in bodies for each in body),
    )


def _is_half(value: Any) -> bool:
    return isinstance(value, str) and bool(re.search(r"[\ud800-\udfff]", value))


def _siblings(program: Program, at: int, producer: str) -> set[str]:
    """Return the other producers of a context, whose settings must not touch those of this one."""
    made = {each.name: str(each.args.get("on")) for each in program.steps[:at] if each.do == "producer" and each.name}
    contexts = {each.name for each in program.steps[:at] if each.do == "connect" and each.args["api"] == "simplified"}
    roots = {each.name: each.args.get("on") for each in program.steps[:at] if each.do == "session"}
    own = made.get(producer)
    simplified = own in contexts or roots.get(own) in contexts
    return {each for each, on in made.items() if on == own and each != producer} if simplified else set()


def _bound(program: Program, step: Step) -> str | None:
    """Return the destination that the producer of a send was made for."""
    name = step.args.get("on")
    return next((each.args.get("to") for each in program.steps if each.do == "producer" and each.name == name), None)
