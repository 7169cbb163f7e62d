"""3.9 Changing the value of a sent message."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from tck import api
from tck.suite.support import Case, asserts, expect
from tck.suite.support.clients.messages import dressed, rewind, rewrite, taken, write
from tck.suite.support.values.kinds import BODIED, KINDS
from tck.suite.support.values.seen import body, tried


def _words(message: Any) -> Sequence[object]:
    """Read all texts of `write` from a reset message, at most four."""
    if isinstance(message, (api.BytesMessage, api.StreamMessage)):
        read = message.read_utf if isinstance(message, api.BytesMessage) else message.read_string
        seen = [tried(read) for _ in range(4)]
        return [word for word in seen if word != "raises MessageEOFException"]
    return [body(message) or message.get_string_property("body")]


@asserts("3.9-1")
def test_a_later_body_has_no_effect(case: Case) -> None:
    """What is written into a message after it was sent does not reach the receiver."""
    link = case.link()
    seen: dict[str, object] = {}
    for kind in BODIED:
        message = link.message(kind, "before")
        link.send(message)
        rewrite(message, "after")
        seen[kind] = body(taken(link))
    expect.equal("the bodies at the receiver", seen, dict.fromkeys(BODIED, "before"))


@asserts("3.9-2")
def test_later_headers_and_properties_have_no_effect(case: Case) -> None:
    """Headers and properties that are set after the send do not reach the receiver."""
    link = case.link()
    message = dressed(link)
    message.set_string_property("kept", "before")
    link.send(message)
    message.jms_type = message.jms_correlation_id = "after"
    message.set_string_property("kept", "after")
    message.set_string_property("added", "after")
    received = link.receive()
    seen = {
        "type": received.jms_type,
        "correlation id": received.jms_correlation_id,
        "property": received.get_string_property("kept"),
        "property set later": received.get_string_property("added"),
    }
    wanted = {"type": "type", "correlation id": "correlation", "property": "before", "property set later": None}
    expect.equal("what the receiver sees", seen, wanted)


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
