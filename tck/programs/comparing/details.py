"""Details of a difference in what a message holds: who set the value that differs, of which type it is, how it was read."""

from __future__ import annotations

import re
from typing import Any, Final

from tck.programs.comparing.bytes_bodies import differing_item, written_with
from tck.programs.comparing.differences import Difference
from tck.programs.comparing.members import classes_of
from tck.programs.comparing.outcomes import sends_by_step, views
from tck.programs.expectation import Expectation
from tck.programs.program import Program, Step

Entry = tuple[str, str, str]
"""A pattern for ``call what``, words that it presumes, rows."""

_RAISES: Final = re.compile(r"raises'?: '(\w+?)(?:Exception)?'")
_READS_ON: Final = re.compile(r"\[\{[^\[]*'raises': '\w+'\}, '\w+': \[")
"""An item of which a first reading was refused and another was not."""
_TYPE: Final = re.compile(r"^\['(\w+)'")


def details_of(found: Difference, told: Expectation) -> set[str]:
    """Return words for the details of a difference.

    Args:
        found: The difference.
        told: The program that showed it, with the reference provider's outcomes.
    """
    words = _value(found) | _earlier(found, told) | _foreign(found, told)
    step = told.program.steps[found.step]
    words |= _call(found, told.program, step)
    if step.do in {"message", "property"}:
        names = [str(step.args.get("name")), *(str(each[0]) for each in step.args.get("properties", ()))]
        words |= {"jmsx"} if any(each.startswith("JMSX") for each in names) else set()
        earlier = told.program.steps[: found.step]
        words |= {
            each.do for each in earlier if each.do == "clear_properties" and each.args["on"] == step.args.get("on")
        }
    if step.do == "look":
        words |= _cleared(found, told, found.step, str(step.args.get("on")))
    if step.do == "reads":
        words |= _is_null(found, told)
    if step.do == "unsubscribe":
        words |= _last_owner(told, found.step, step)
    number = next((int(each.removeprefix("send_")) for each in found.life if re.match(r"send_\d+$", each)), None)
    if number is None and step.do == "send":
        name = str(step.args.get("message"))
        made = next((each for each in told.program.steps if each.do == "message" and each.name == name), None)
        return words | _sent(told, found.step, step, name) | (set() if made is None else differing_item(found, made))
    if number is None or number >= len(told.sends):
        return words
    words |= {"lost"} if found.seen == "None" else set()
    at = next(
        (at for at, each in enumerate(sends_by_step(told.program.steps, told.seen)) if number in each), found.step
    )
    sending = told.program.steps[at]
    own = {"do": "set", "on": sending.args.get("on"), "what": "property", "name": found.what.removeprefix("property ")}
    if any(
        all({"do": each.do, **each.args}.get(key) == value for key, value in own.items())
        for each in told.program.steps[:at]
        if each.do == "set"
    ):
        words.add("by_producer")
    given = str(told.sends[number].get("given"))
    words |= _cleared(found, told, at, given)
    made = next((each for each in told.program.steps if each.do == "message" and each.name == given), None)
    return words | _sent(told, at, sending, given) | (set() if made is None else differing_item(found, made))


def _cleared(found: Difference, told: Expectation, until: int, message: str) -> set[str]:
    """Return whether a property is there that `clearProperties` should have deleted before a step."""
    calls = [each for each in told.program.steps[:until] if each.do == "clear_properties"]
    return {"cleared"} if found.expected == "None" and any(each.args["on"] == message for each in calls) else set()


def _call(found: Difference, program: Program, step: Step) -> set[str]:
    """Return words for the arguments of some calls: as what items are read, what is closed, how a session was made."""
    path = found.expected.partition(": ")[0].split(" ")
    match step.do:
        case "acknowledge":
            steps = program.steps[: found.step]
            consumer = next((each.args.get("on") for each in steps if each.name == step.args["on"]), None)
            ended = any(each.do == "close" and each.args["on"] == consumer for each in steps)
            return {"consumer_closed"} if ended else set()
        case "items" if path[0].isdigit() and int(path[0]) < len(step.args["types"]):
            return _as(str(step.args["types"][int(path[0])]))
        case "attempts":
            return {word for each in path[1:] for word in _as(each)}
        case "close_waiting":
            own = classes_of(program, found.step).get(str(step.args["of"]), "")
            endings = ("Connection", "Session", "Context")
            closed = next((f"of_{each.lower()}" for each in endings if own.endswith(each)), "of_consumer")
            how = {"still_waits": "still waits", "receive_raised": "'raises'"}
            return {closed, *(word for word, text in how.items() if text in found.seen)}
        case "commit" | "rollback":
            made = next((each for each in program.steps if each.do == "session" and each.name == step.args["on"]), None)
            return set() if made is None else {f"form_{made.args.get('form', 'both')}"}
        case "receive" | "receive_body" if found.expected == "returns {'got': None}":
            return {"nothing"}
        case "set" if step.args.get("value", "") is None:
            return {"to_null"}
        case "send" if found.what == "callback" and found.seen == "None":
            return {"no_callback"}
        case _:
            return set()


def _earlier(found: Difference, told: Expectation) -> set[str]:
    """Return what has happened to the consumer of a step before: a listener taken away, a body of another type asked for."""
    on = str(told.program.steps[found.step].args.get("on"))
    end = told.ends.get(on, {}).get("end")
    words: set[str] = set()
    for step, seen in zip(told.program.steps[: found.step], told.seen, strict=False):
        mine = str(step.args.get("on"))
        if step.do in {"listen", "unlisten"} and mine == on:
            words = words - {"unlistened"} | ({"unlistened"} if step.do == "unlisten" else set())
        if step.do == "receive_body" and end is not None and told.ends.get(mine, {}).get("end") == end:
            mode = _mode_of(told.program, mine)
            words |= {f"had_body_refused_{mode}"} if str(seen.get("raises")).startswith("MessageFormat") else set()
    return words


def _mode_of(program: Program, consumer: str) -> str:
    """Return the mode of a consumer's session."""
    made = {each.name: each for each in program.steps if each.name is not None}
    session = made.get(str(made[consumer].args.get("on"))) if consumer in made else None
    return "auto" if session is None else str(session.args.get("mode", "auto"))


def _foreign(found: Difference, told: Expectation) -> set[str]:
    """Return whether a refused receive would have brought a message of another implementation."""
    ok = told.seen[found.step].get("ok") if found.step < len(told.seen) else None
    if found.what != "refused" or not isinstance(ok, dict) or "got" not in ok:
        return set()
    given = {each["number"]: each.get("given") for each in told.sends}
    foreign = {each.name for each in told.program.steps if each.do == "message" and each.args.get("on") is None}
    brought = [view for view in views(ok) if isinstance(view, dict)]  # and not the bodies alone
    return {"brings_foreign"} if any(given.get(view.get("send")) in foreign for view in brought) else set()


def _as(kind: str) -> set[str]:
    return {f"as_{kind}", *(("as_unsigned",) if kind.startswith("unsigned_") else ())}


def _is_null(found: Difference, told: Expectation) -> set[str]:
    """Return whether the property or entry that is read is there and null."""
    cells = (told.seen[found.step].get("ok") or {}) if found.step < len(told.seen) else {}
    cell = cells.get(found.expected.partition(": ")[0].split(" ")[0], {})
    return {"is_null"} if cell.get("object") == ["null", None] and cell.get("exists") is True else set()


def _last_owner(told: Expectation, at: int, step: Step) -> set[str]:
    """Return whether the last consumer of a subscription was closed by itself, or with what it belonged to."""
    steps = told.program.steps[:at]
    users = [
        each.name
        for each in steps
        if each.do in {"consumer", "pool"} and each.args.get("name") == step.args.get("name")
    ]
    if not users:
        return set()
    alone = any(each.do == "close" and each.args["on"] == users[-1] for each in steps)
    return {"closed_itself" if alone else "closed_with_owner"}


def _value(found: Difference) -> set[str]:
    words: set[str] = set()
    if found.expected in {"None", "['null', None]", "'null'"} or found.expected.endswith("body: ['null', None]"):
        words.add("value_null")
    if found.expected == "[]" and found.seen.startswith("[{'raises'"):
        words.add("past_end")
    if _READS_ON.match(found.expected):
        words.add("reads_on")
    if found.expected.startswith("'the id of"):
        words.add("value_id")
    kind = _TYPE.match(found.expected)
    if kind is not None:
        words.add(f"type_{kind[1]}")
    raised = _RAISES.search(found.expected)
    if raised is not None:
        words.add(f"raises_{raised[1]}")
    path = found.expected.partition(": ")[0].split(" ")
    words |= {f"as_{each}" for each in path[1:]}
    if path[0] == "never":
        words.add("never_set")
    return words


def _sent(told: Expectation, at: int, step: Step, name: str) -> set[str]:
    """Return who has set what on a message that was sent: message, producer or send."""
    words = {f"given_{each}" for each in ("mode", "priority", "ttl") if each in step.args}
    if step.do == "send_body":
        words.add("body_given")
    siblings = _siblings(told.program, at, str(step.args.get("on")))
    to = step.args.get("to") or _bound(told.program, step)
    for each in told.program.steps[:at]:
        if each.do == "set" and each.args["on"] in siblings:
            words.add(f"other_set_{each.args['what']}")
        if each.do == "override" and each.args["of"] == to:
            words |= {f"prescribed_{what}" for what in ("mode", "priority", "ttl", "delay") if what in each.args}
        if each.do == "set" and each.args["on"] == step.args.get("on"):
            words.add(f"set_{each.args['what']}")
        if each.args.get("on") == step.args.get("on") or name in {each.name, each.args.get("on")}:
            words |= _hard(each)
        if each.do == "header" and each.args["on"] == name:
            words.add(f"preset_{each.args['what']}")
        if each.do == "send" and each.args.get("message") == name:
            words.add("sent_before")
        if each.do == "message" and each.name == name:
            words |= {f"preset_{header}" for header in each.args.get("headers", ())}
            words |= {"foreign"} if each.args.get("on") is None else set()
            words |= {"spoilt"} if each.args.get("spoil") else set()
            words |= _halves(each)
            words |= written_with(each)
    return words


def _hard(step: Step) -> set[str]:
    """Return what a step gives a message that some clients cannot send: nulls, and a correlation identifier beyond 16 bits."""
    args = step.args
    wide = [
        args.get("headers", {}).get("correlation"),
        args.get("value") if args.get("what") == "correlation" else None,
    ]
    words = (
        {"beyond_16_bits"}
        if any(isinstance(each, str) and max(each, default="") > "\uffff" for each in wide)
        else set()
    )
    if any(each[2] is None for each in args.get("properties", ())) or (step.do == "property" and args["value"] is None):
        words.add("null_property")
    body = args.get("body") or () if step.do == "write" or args.get("kind") == "map" else ()
    entries = [each for each in body if isinstance(each, list)]  # a text or an object is written as its type and value
    return words | ({"null_entry"} if any(len(each) > 2 and each[2] is None for each in entries) else set())


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


def _halves(step: Step) -> set[str]:
    """Return where a message was given half a surrogate pair: as a property, or in its text."""
    words = {"half_property"} if any(_is_half(each[2]) for each in step.args.get("properties", ())) else set()
    body = step.args.get("body") or ()
    return words | ({"half_text"} if step.args.get("kind") == "text" and any(map(_is_half, body)) else set())


def _is_half(value: Any) -> bool:
    return isinstance(value, str) and bool(re.search(r"[\ud800-\udfff]", value))


DETAILS: Final[tuple[Entry, ...]] = (
    # the part of a message that is refused
    ("message refused", "part_property part_null", "3.12-12"), ("message refused", "part_property part_boolean", "3.5.2-1"),
    ("message refused", "part_property part_byte", "3.5.2-2"), ("message refused", "part_property part_short", "3.5.2-3"),
    ("message refused", "part_property part_int", "3.5.2-4"), ("message refused", "part_property part_long", "3.5.2-5"),
    ("message refused", "part_property part_float", "3.5.2-6"), ("message refused", "part_property part_double", "3.5.2-7"),
    ("message refused", "part_property part_string", "3.5.2-8"), ("message refused", "part_body part_map part_null", "3.12-9 3.11-2"),
    ("message refused", "part_body part_map", "3.11-2"), ("message refused", "part_body part_stream", "3.11-1"),
    ("message refused", "part_body part_bytes", "3.11-7"), ("message refused", "part_body part_text", "3.11-5"),
    ("message refused", "part_body part_object", "3.11-6"), ("message refused", "part_header part_type", "3.4.8-1"),
    ("message refused", "part_header part_reply_to", "3.4.6-1"), ("message refused", "part_header part_correlation", "3.4.5-2"),
    # the body as each type, before what differs in a body
    ("bodies * assignable", "stream", "3.11-41"), ("bodies * assignable", "empty", "3.11-42"), ("bodies * assignable", "", "3.11-39"),
    ("bodies *", "message", "3.11-37"), ("bodies *", "stream", "3.11-34"), ("bodies *", "empty", "3.11-36"), ("bodies *", "value_null", "3.11-36"),
    ("bodies *", "raises_MessageFormat", "3.11-35"), ("bodies *", "text", "3.11-29"), ("bodies *", "object", "3.11-30"),
    ("bodies *", "map", "3.11-31"), ("bodies *", "bytes", "3.11-32"),
    # headers that an administrator prescribes
    ("* header JMSPriority", "prescribed_priority", "3.4.12-2"), ("* header JMSDeliveryMode", "prescribed_mode", "3.4.12-2"),
    ("* header JMSExpiration", "prescribed_ttl", "3.4.12-2"), ("* header JMSDeliveryTime", "prescribed_delay", "3.4.12-3"),
    # headers of the sender's message: what the message said, what the send said, what the producer said
    ("* header JMSDeliveryTime", "sender other_set_delay never", "3.4.13-2"),
    ("* header JMSPriority", "sender other_set_priority", "7.1-16 7.4-10"), ("* header JMSDeliveryMode", "sender other_set_mode", "7.1-16 7.4-10"),
    ("* header JMSPriority", "body_given other_set_priority", "7.1-16 7.4-10"), ("* header JMSDeliveryMode", "body_given other_set_mode", "7.1-16 7.4-10"),
    ("* header JMSExpiration", "sender other_set_ttl", "7.1-16 7.4-10"), ("* header JMSDeliveryTime", "sender other_set_delay", "7.1-16 7.4-10"),
    ("* header JMSPriority", "sender foreign", "3.4.11-9"), ("* header JMSDestination", "sender foreign", "3.4.11-9"),
    ("* header JMSPriority", "sender preset_priority", "3.4.10-1"), ("* header JMSPriority", "sender given_priority", "7.4-6"),
    ("* header JMSPriority", "sender set_priority", "7.4-2"), ("* header JMSPriority", "sender", "7.4-10 3.4.10-2"),
    ("* header JMSDeliveryMode", "sender preset_mode", "3.4.2-1"), ("* header JMSDeliveryMode", "sender given_mode", "7.4-5"),
    ("* header JMSDeliveryMode", "sender set_mode", "7.4-1"), ("* header JMSDeliveryMode", "sender", "7.4-10 3.4.2-2"),
    ("* header JMSExpiration", "sender set_disable_time", "7.4-16"),
    ("* header JMSExpiration", "sender preset_expiration", "3.4.11-3"), ("* header JMSExpiration", "sender given_ttl", "7.4-7"), ("* header JMSExpiration", "sender set_ttl", "7.4-3"),
    ("* header JMSExpiration", "sender", "3.4.9-5"),
    ("* header JMSDestination", "sender preset_destination", "3.4.1-1"), ("* header JMSTimestamp", "sender preset_timestamp", "3.4.4-1"),
    ("* header JMSMessageID", "sender used_before sent_before", "3.4.3-4"), ("* header JMSMessageID", "sender used_before", "3.4.3-5"),
    ("* header JMSMessageID", "sender preset_id", "3.4.3-1"), ("* header JMSMessageID", "sender sent_before", "3.4.3-4"),
    ("* header JMSDeliveryTime", "sender preset_delivery_time", "3.4.11-4"), ("* header JMSDeliveryTime", "sender never", "3.4.13-2"),
    ("* header JMSDeliveryTime", "sender set_disable_time", "7.4-16"), ("* header JMSDeliveryTime", "sender set_delay", "7.4-4"),
    ("* header JMSCorrelationIDAsBytes", "", "3.4.5-4"),
    ("* header JMSCorrelationID", "set_correlation foreign", "7.6-2 3.12-3"), ("* header JMSType", "set_type foreign", "7.6-3 3.12-3"),
    ("* header JMSReplyTo", "set_reply_to foreign", "7.6-4 3.12-3"),
    ("* header JMSCorrelationID", "set_correlation", "7.6-2"), ("* header JMSType", "set_type", "7.6-3"), ("* header JMSReplyTo", "set_reply_to", "7.6-4"),
    ("* header JMSCorrelationID", "preset_correlation_bytes", "3.4.5-4"),
    ("* header JMSCorrelationID", "sender set_type", "7.6-9"), ("* header JMSCorrelationID", "sender set_reply_to", "7.6-9"),
    ("* header JMSType", "sender set_correlation", "7.6-9"), ("* header JMSType", "sender set_reply_to", "7.6-9"),
    ("* header JMSReplyTo", "sender set_correlation", "7.6-9"), ("* header JMSReplyTo", "sender set_type", "7.6-9"),
    ("* header JMSCorrelationID", "value_id", "3.4.5-1"), ("* header JMSCorrelationID", "value_null", "3.4.5-3"),
    ("* header JMSType", "value_null", "3.4.8-2"), ("* header JMSReplyTo", "value_null", "3.4.6-3"),
    ("* header JMSCorrelationID", "foreign", "3.12-3"), ("* header JMSType", "foreign", "3.12-3"), ("* header JMSReplyTo", "foreign", "3.12-3"),
    # properties and bodies
    ("* property *", "by_producer body_given", "7.5-3"), ("* property *", "by_producer", "7.5-2"), ("* property *", "set_property lost", "7.5-5"),
    ("* property *", "cleared", "3.5.7-1"),
    ("* property JMSXGroupID", "", "3.5.9-4"), ("* property JMSXGroupSeq", "", "3.5.9-5"), ("* property JMSX*", "value_null", "3.5.9-1"), ("* property *", "value_null", "3.5.10-1"),
    ("* property *", "foreign", "3.12-3"),
    ("* property *", "had_recover_held", "3.10-5"), ("* property *", "had_rollback_held", "3.10-5"),
    ("* property *", "sender", "3.9-3"), ("* property *", "type_boolean", "3.5.2-1"), ("* property *", "type_byte", "3.5.2-2"),
    ("* property *", "type_short", "3.5.2-3"), ("* property *", "type_int", "3.5.2-4"), ("* property *", "type_long", "3.5.2-5"),
    ("* property *", "type_float", "3.5.2-6"), ("* property *", "type_double", "3.5.2-7"), ("* property *", "type_string", "3.5.2-8"),
    ("* kind", "map", "3.11.4-2"), ("* kind", "stream", "3.11.4-1"),
    ("receive_body body", "had_body_refused_auto", "8.6-21"), ("receive_body body", "had_body_refused_dups_ok", "8.6-24"),
    ("* body", "stream past_end", "3.11-12"),
    ("* body", "bytes item_empty", "3.11-18"), ("* body", "bytes item_number", "3.11-13"), ("* body", "bytes item_utf", "3.11-15"),
    ("* body", "bytes item_part", "3.11-19"), ("* body", "spoilt map", "3.12-5"), ("* body", "spoilt stream", "3.12-6"), ("* body", "spoilt bytes", "3.12-7"), ("* body", "spoilt object", "3.12-8"),
    ("* again", "bytes item_number", "3.11-13"), ("* again", "bytes item_utf", "3.11-15"), ("* again", "bytes empty", "3.11-36"), ("* again", "bytes", "3.12-17 3.12-7"), ("* again", "map", "3.12-14 3.12-5"), ("* again", "object", "3.12-16 3.12-8"),
    ("items *", "raises_IndexOutOfBounds", "3.11-17"), ("items *", "raises_MessageEOF", "3.11-12"),
    ("items *", "bytes empty", "3.11-18"), ("items *", "bytes as_bytes", "3.11-16"), ("items *", "bytes as_unsigned", "3.11-14"),
    ("items *", "bytes", "3.11-13 3.11-16"), ("items *", "stream as_bytes", "3.11-22"), ("items *", "stream", "3.11.3-5 3.11-22"),
    ("* body", "foreign", "3.12-2"), ("* body", "bytes parts", "3.11-19"), ("* body", "bytes numbers", "3.11-13"), ("* body", "bytes utf", "3.11-15"),
    ("* body", "map sender", "3.11-2 3.11-3"), ("* body", "map", "3.11.4-2 3.11-2 3.11-3"), ("* body", "stream", "3.11.4-1 3.11-1"),
    # reads
    ("reads value exists", "property", "3.5.8-3"), ("reads value object", "property never_set", "3.5.5-5"), ("reads value object", "property", "3.5.5-3"),
    ("reads *", "property never_set raises_NullPointer", "3.5.8-2"), ("reads *", "property never_set raises_NumberFormat", "3.5.8-2"),
    ("reads *", "property never_set", "3.5.8-1"), ("reads *", "property raises_MessageFormat", "3.5.4-2"),
    ("reads *", "property raises_NullPointer", "3.5.4-7"), ("reads *", "property raises_NumberFormat is_null", "3.5.4-6"), ("reads *", "property raises_NumberFormat", "3.5.4-3"),
    ("reads value boolean", "property is_null", "3.5.4-8"), ("reads value boolean", "property", "3.5.4-5"),
    ("reads value exists", "entry", "3.11-26"), ("reads *", "entry never_set", "3.11.3-14"), ("reads value object", "entry", "3.11-21"),
    ("reads *", "entry raises_MessageFormat", "3.11.3-4"), ("reads *", "entry raises_NullPointer as_char", "3.11.3-13"),
    ("reads *", "entry raises_NullPointer", "3.11.3-11"), ("reads *", "entry raises_NumberFormat is_null", "3.11.3-10"),
    ("reads *", "entry raises_NumberFormat", "3.11.3-7"), ("reads value boolean", "entry is_null", "3.11.3-12"), ("reads value boolean", "entry", "3.11.3-9"),
    ("attempts *", "stream raises_MessageFormat reads_on", "3.11.3-6 3.11.3-15 3.11.3-5"), ("attempts *", "stream raises_MessageFormat", "3.11.3-6 3.11.3-5"), ("attempts *", "stream raises_NumberFormat", "3.11.3-8"),
    ("attempts *", "raises_MessageEOF", "3.11-12"), ("attempts *", "stream", "3.11.3-5 3.11.3-15"), ("attempts *", "bytes as_unsigned", "3.11-14"), ("attempts *", "bytes", "3.11-13"),
    # calls that are refused or accepted for what was done before
    ("* exception", "checked_twin", "2.8.2-8"),
    ("message refused", "saw IllegalArgument jmsx", "3.5.9-4"), ("property refused", "saw IllegalArgument jmsx", "3.5.9-4"),
    ("message refused", "saw IllegalArgument", "3.5.1-1"), ("property refused", "saw IllegalArgument", "3.5.1-1"),
    ("property refused", "saw MessageNotWriteable clear_properties", "3.5.7-2"), ("write refused", "saw MessageNotWriteable", "3.11.2-6"),
    ("acknowledge refused", "consumer_closed", "8.8-13"),
    ("commit refused", "saw IllegalState QueueSession", "6.2-4"), ("commit refused", "saw IllegalState TopicSession", "6.2-4"),
    ("commit refused", "saw IllegalState form_mode", "6.2-2"), ("rollback refused", "saw IllegalState form_mode", "6.2-2"),
    ("commit refused", "saw IllegalState", "6.2-3 6.2-2"), ("rollback refused", "saw IllegalState", "6.2-3 6.2-2"),
    ("unsubscribe refused", "closed_with_owner", "8.3.3-26 6.2.15-12"), ("unsubscribe refused", "closed_itself", "8.3.3-25 6.2.15-12"),
    # receives, by how they wait and whether something comes
    ("receive refused", "nothing no_wait", "8.5-7"), ("receive refused", "nothing", "8.5-5"), ("receive refused", "forever", "8.5-1"),
    ("receive_body refused", "nothing no_wait", "8.6-7"), ("receive_body refused", "nothing", "8.6-5"),
    # sends and consumers, by the class that they are called on
    ("send callback", "under_stopped", "6.1.5-8"), ("send callback", "no_callback", "7.3-6"), ("send callback", "", "7.3-1 7.3-6"),
    ("set refused", "property to_null", "7.5-2 3.12-12"),
    ("send refused", "beyond_16_bits", "3.4.5-2"),
    ("send refused", "foreign saw MessageFormat null_property", "3.12-1 3.12-12"), ("send refused", "foreign saw MessageFormat null_entry", "3.12-1 3.12-9"),
    ("send refused", "half_property", "3.5.2-8"), ("send refused", "half_text", "3.11-5"),
    ("send refused", "async", "7.3-1"), ("send refused", "foreign", "3.12-1"), ("send refused", "sent_before", "3.9-4"),
    ("send refused", "QueueSender", "7.2-2"), ("send refused", "TopicPublisher", "7.2-3"), ("send refused", "JMSProducer", "7.2-6"),
    ("* accepted", "wants JMS other_kind shared_durable", "8.3.4-24"), ("* accepted", "wants JMS other_kind durable", "8.3.3-32"),
    ("* accepted", "wants JMS other_topic shared_durable", "8.3.4-22"), ("* accepted", "wants JMS other_selector shared_durable", "8.3.4-23"),
    ("consumer refused", "resumed other_topic shared_durable", "8.3.4-20"), ("consumer refused", "resumed other_selector shared_durable", "8.3.4-21"),
    ("consumer refused", "resumed other_topic durable", "8.3.3-27"), ("consumer refused", "resumed other_selector durable", "8.3.3-28"),
    ("consumer refused", "resumed other_no_local durable", "8.3.3-29"), ("consumer refused", "resumed durable", "8.3.3-30 8.3.3-28"),
    ("* refused", "unlistened", "8.7-16"), ("* refused", "brings_foreign", "3.12-1"), ("receive_body *", "had_body_refused_auto", "8.6-21"),
    ("receive_body *", "had_body_refused_dups_ok", "8.6-24"),
    ("consumer refused", "JMSContext queue", "8.2-2"), ("consumer refused", "QueueSession", "8.2-3"),
    ("consumer refused", "JMSContext shared_durable", "8.3.4-2"), ("consumer refused", "TopicSession shared_durable", "8.3.4-3"),
    ("consumer refused", "JMSContext shared", "8.3.2-2"), ("consumer refused", "TopicSession shared", "8.3.2-3"),
    ("consumer refused", "JMSContext plain", "8.3.1-2"), ("consumer refused", "TopicSession plain", "8.3.1-3"),
    ("close_waiting *", "of_session still_waits", "6.2.15-3 6.2.15-4"), ("close_waiting *", "of_session", "6.2.15-4 6.2.15-3"),
    ("close_waiting *", "of_connection receive_raised", "6.1.8-4"), ("close_waiting *", "of_connection", "6.1.8-1"), ("close_waiting *", "of_context", "6.1.8-1 6.2.15-3 6.2.15-4"), ("close_waiting *", "", "8.8-6"),
)  # fmt: skip
"""The first entry that fits counts."""


PLACES: Final[tuple[tuple[str, str], ...]] = (
    ("browser", "3.8.1.1-101"), ("QueueSession", "8.2-8 3.8.1.1-103"), ("shared_durable", "8.3.4-30 3.8.1.1-102"),
    ("durable", "8.3.3-41 3.8.1.1-102"), ("shared", "8.3.2-24 3.8.1.1-102"), ("TopicSession", "8.3.1-20 3.8.1.1-102"),
    ("JMSContext", "10.3-26 3.8.1.1-100"), ("", "8.1-10"),
)  # fmt: skip
"""Where a text that is no selector was taken: these rows may own it, besides that of the grammar."""
