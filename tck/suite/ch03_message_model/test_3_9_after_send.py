"""3.9 Changing the value of a sent message."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from itertools import product
from typing import Any

from tck import api
from tck.suite.support import Case, asserts, expect
from tck.suite.support.clients.body_calls import header_writes
from tck.suite.support.clients.link import Link
from tck.suite.support.clients.messages import fresh, rewind, rewrite, taken, write
from tck.suite.support.values.bodies import array_of, objects
from tck.suite.support.values.kinds import BODIED, KINDS
from tck.suite.support.values.properties import objects as properties_of
from tck.suite.support.values.properties import own_names, set_some
from tck.suite.support.values.seen import body, headers, tried


def _words(message: Any) -> Sequence[object]:
    """Read all texts of `write` from a reset message, at most four."""
    if isinstance(message, (api.BytesMessage, api.StreamMessage)):
        read = message.read_utf if isinstance(message, api.BytesMessage) else message.read_string
        seen = [tried(read) for _ in range(4)]
        return [word for word in seen if word != "raises MessageEOFException"]
    return [body(message) or message.get_string_property("body")]


CHANGES: Mapping[str, Callable[[Any], object]] = {
    "written on": lambda message: write(message, "after"),
    "cleared": lambda message: message.clear_body(),
    "cleared and written": lambda message: rewrite(message, "after"),
    "reset": rewind,
    "properties cleared": lambda message: message.clear_properties(),
}
"""Ways to change a message that was sent."""


@asserts("3.9-1", ack=("auto", "transacted"))
def test_a_later_body_has_no_effect(case: Case) -> None:
    """What is written into a message after it was sent, before or after the commit, does not reach the receiver."""
    link = case.link()
    seen: dict[str, object] = {}
    for kind in BODIED:
        for what, change in CHANGES.items():
            message = link.message(kind, "before")
            link.put(message)
            tried(partial(change, message))
            link.client.settle()
            received = taken(link)
            link.client.settle(received)
            seen[f"{kind} {what}"] = _words(received)
    expect.equal("the bodies at the receiver", seen, {what: ["before"] for what in seen})


@asserts("3.9-1", variant="values")
def test_a_later_change_of_the_values_has_no_effect(case: Case) -> None:
    """Arrays and objects that were handed over, and those that were read out, are changed after the send: nothing of it arrives."""
    link = case.link()
    array, thing = bytearray(b"before"), ["before", {"a": ["before"]}]
    items, entries, data, made = fresh(link, "stream"), fresh(link, "map"), fresh(link, "bytes"), fresh(link, "object")
    items.write_bytes(array)
    items.write_object(array)
    entries.set_bytes("typed", array)
    entries.set_object("object", array)
    data.write_bytes(array)
    made.object = thing
    link.send_all([items, entries, data, made])
    array[:] = b"after!"
    thing[1]["a"].append("after")  # type: ignore[index]
    tried(lambda: made.object[1]["a"].append("after"))
    expect.equal("the items of the stream", objects(taken(link), 2), [b"before"] * 2)
    seen = taken(link)
    expect.equal("the entries of the map", [seen.get_object("typed"), seen.get_bytes("object")], [b"before"] * 2)
    expect.equal("the bytes", array_of(taken(link)), b"before")
    expect.equal("the object", taken(link).object, ["before", {"a": ["before"]}])


@asserts("3.9-1", variant="between")
def test_each_send_takes_the_body_as_it_is_then(case: Case) -> None:
    """Of one object sent four times with another body each time each receiver gets the body of its own send."""
    link = case.link()
    for kind in BODIED:
        message = link.message(kind)
        for number in range(4):
            rewrite(message, f"body {number}")
            link.send(message)
        seen = [_words(taken(link)) for _ in range(4)]
        expect.equal(f"bodies of {kind} messages", seen, [[f"body {at}"] for at in range(4)])


@asserts("3.9-2", ack=("auto", "transacted"))
def test_later_headers_and_properties_have_no_effect(case: Case) -> None:
    """Headers and properties that are set or cleared after the send, before or after the commit, do not reach the receiver."""
    link, delays = case.link(), case.offers("delivery delays")
    for turn, kind in enumerate(KINDS):
        for clears in (False, True) if kind == "text" else (turn % 2 == 0,):
            message = link.message(kind)
            message.jms_type, message.jms_correlation_id, message.jms_reply_to = "type", "correlation", link.destination
            wanted = set_some(message, turn)
            link.put(message, priority=7)
            sent = headers(message, delays=delays)
            _change(case, message, clears=clears)
            link.client.settle()
            received = taken(link)
            link.client.settle(received)
            expect.equal(f"headers of a {kind} message at the receiver", headers(received, delays=delays), sent)
            expect.equal(f"properties of a {kind} message at the receiver", properties_of(received, wanted), wanted)
            expect.equal(f"names of a {kind} message at the receiver", own_names(received), sorted(wanted))


OPTIONS: Sequence[Mapping[str, int]] = ({"ttl": 3_600_000}, {"mode": 1}, {"priority": 9}, {"mode": 1, "ttl": 3_600_000})
DELAYED: Sequence[Mapping[str, int]] = ({"delay": 1}, {"delay": 1, "mode": 1}, {"delay": 2, "ttl": 3_600_000})
"""Delivery options of sends; delays in units of the profile's."""
OWN = {"what", "int_0"}
LATER = {"string_0", "boolean_0", "added"}
"""Names of properties that are set before the send, and of those that are set after it."""


@asserts("3.9-2", ack=("auto", "transacted"), variant="options")
def test_later_changes_have_no_effect_whatever_the_options(case: Case) -> None:
    """Headers and properties changed after a send with a time to live, a priority or a mode do not reach the receiver."""
    _judge_later(case, OPTIONS)


@asserts("3.9-2", ack=("auto", "transacted"), variant="delayed")
def test_later_changes_have_no_effect_on_a_delayed_message(case: Case) -> None:
    """Headers and properties changed after a send with a delivery delay, before it is over, do not reach the receiver."""
    _judge_later(case, DELAYED)


def _judge_later(case: Case, several: Sequence[Mapping[str, int]]) -> None:
    """Send messages with options, change them with and without clearing their properties first, and look at what comes."""
    link = case.link()
    sent = []
    for options, kind, clears in product(several, ("text", "map"), (False, True)):
        _set_all(link, options)
        message = link.message(kind)  # type: ignore[arg-type]  # two of the kinds
        what = f"{kind}, {options}, properties {'cleared' if clears else 'set'}"
        message.set_string_property("what", what)
        message.set_int_property("int_0", 5)
        message.jms_type = "type"
        link.put(message)
        _change(case, message, clears=clears)
        message.set_string_property("what", "after")
        sent.append(what)
    link.client.settle()
    came = [taken(link) for _ in sent]
    link.client.settle(came[-1])
    seen = {str(tried(partial(one.get_string_property, "what"))): _facts(one) for one in came}
    expect.equal("type, property and names", seen, {what: ["type", 5, sorted(OWN)] for what in sent})


def _facts(message: Any) -> list[object]:
    value = tried(partial(message.get_int_property, "int_0"))
    return [message.jms_type, value, sorted((OWN | LATER) & {*own_names(message)})]


def _set_all(link: Link, options: Mapping[str, int]) -> None:
    """Set the delivery options; those not named to their defaults. A delay only where one is named, and the version has it."""
    delay = (
        options["delay"] * link.case.timing.delay
        if "delay" in options and link.case.offers("delivery delays")
        else None
    )
    link.sender.set(
        mode=options.get("mode", 2), priority=options.get("priority", 4), ttl=options.get("ttl", 0), delay=delay
    )


def _change(case: Case, message: Any, *, clears: bool) -> None:
    """Set every header, and change each property; first clear them if `clears`."""
    for call in header_writes(case, message).values():
        tried(call)
    message.jms_type = message.jms_correlation_id = "after"
    message.jms_reply_to = None
    if clears:
        message.clear_properties()
    for name in ("string_0", "int_0", "boolean_0", "added"):
        message.set_object_property(name, "after")


@asserts("3.9-2", variant="between")
def test_each_send_takes_the_message_as_it_is_then(case: Case) -> None:
    """Of one object sent four times with changes in between each receiver sees the state of its own send."""
    link = case.link()
    for kind in KINDS:
        message = link.message(kind)
        for number in range(4):
            message.clear_properties()
            message.set_int_property(f"own_{number}", number)
            message.set_int_property("number", number)
            message.jms_type = f"type {number}" if number else None
            link.send(message)
        seen = [taken(link) for _ in range(4)]
        numbers = [(one.get_int_property("number"), one.jms_type, own_names(one)) for one in seen]
        wanted = [(at, f"type {at}" if at else None, sorted(["number", f"own_{at}"])) for at in range(4)]
        expect.equal(f"number, type and names of {kind} messages", numbers, wanted)


@asserts("3.9-3")
def test_a_sent_message_can_be_written_on(case: Case) -> None:
    """The sender's message stays as writable as it was: streams go on, other bodies are replaced."""
    link = case.link()
    seen: dict[str, object] = {}
    for kind in KINDS:
        message = link.message(kind, "x")
        link.send(message)
        expect.works(f"writing on a {kind} message that was sent", partial(write, message, "y"))
        expect.works("setting a header", partial(setattr, message, "jms_type", "t"))
        expect.works("setting a property", partial(message.set_string_property, "name", "value"))
        rewind(message)
        seen[kind] = _words(message)
        link.receive()
    wanted = {kind: ["y"] for kind in KINDS} | {"bytes": ["x", "y"], "stream": ["x", "y"]}
    expect.equal("the sender's bodies", seen, wanted)


@asserts("3.9-4")
def test_one_object_can_be_sent_again_and_again(case: Case) -> None:
    """One object sent three times, to two destinations and with other texts, makes three messages."""
    first = case.link()
    second = case.link(client=first.client)
    message = first.text("1")
    first.send(message)
    message.text = "2"
    expect.works("sending it to another destination", partial(second.sender.send, message))
    message.text = "3"
    expect.works("sending it for a third time", partial(first.sender.send, message))
    received = expect.arrives(first, ["1", "3"]) + expect.arrives(second, ["2"])
    expect.distinct("JMSMessageID", [one.jms_message_id for one in received])


@asserts("3.9-4", ack=("auto", "client", "transacted"), variant="unsettled")
def test_one_object_sent_again_in_a_transaction_makes_messages_of_their_own(case: Case) -> None:
    """Of one object sent six times, in one transaction, by two producers each receiver gets what it held at its own send."""
    first = case.link()
    second = case.link(client=first.client)
    with expect.all_of():
        for kind in BODIED:
            message, sent = first.message(kind), []
            for number in range(6):
                sent.append(_filled_anew(message, number))
                (first, second)[number % 2].put(message)
            first.client.settle()
            for which, link in enumerate((first, second)):
                received = [taken(link) for _ in range(3)]
                link.client.settle(received[-1])
                seen = [_contents(one) for one in received]
                expect.equal(f"{kind} messages at the receiver", seen, sent[which::2])


def _filled_anew(message: Any, number: int) -> list[object]:
    """Give a message another body, header and property; return them."""
    message.clear_properties()
    message.set_int_property("number", number)
    message.jms_type, message.jms_correlation_id = f"type {number}", f"correlation {number}"
    rewrite(message, f"body {number}")
    return [number, f"type {number}", f"correlation {number}", [f"body {number}"]]


def _contents(message: Any) -> list[object]:
    return [message.get_int_property("number"), message.jms_type, message.jms_correlation_id, _words(message)]


@asserts("3.9-4", variant="after-a-failed-send")
def test_a_message_whose_send_failed_can_be_changed_and_sent(case: Case) -> None:
    """Messages whose send over a lost link failed take a property and another body, and are sent over another connection."""
    case.needs(api.Hook.SEVER)
    link, other = case.link(), case.link()
    link.carry(link.text("while the link lived"))
    kinds: Mapping[str, Any] = {kind: fresh(link, kind) for kind in BODIED}
    case.provider.sever(link.client.connection)
    with expect.all_of():
        for kind, message in kinds.items():
            tried(partial(link.sender.send, message))
            expect.works(f"a property of the {kind} message", partial(message.set_string_property, "after", "yes"))
            expect.works(f"clearBody() of the {kind} message", message.clear_body)
            other.put(message)
            arrived = expect.arrival(other)
            other.client.settle(arrived)
            expect.equal(f"the property of the {kind} message", arrived.get_string_property("after"), "yes")
