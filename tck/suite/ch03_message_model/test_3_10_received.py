"""3.10 Changing the value of a received message."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from tck import api
from tck.suite.support import Case, asserts, expect
from tck.suite.support.clients.messages import (
    READ_ONLY,
    carried,
    client_headers,
    dressed,
    rewind,
    rewrite,
    taken,
    write,
)
from tck.suite.support.values.kinds import BODIED
from tck.suite.support.values.properties import objects
from tck.suite.support.values.seen import body, shown, tried

TWICE = ("client", "transacted")


def _rewritten(message: api.Message, text: str) -> object:
    """Clear the body, write another text and read it back."""
    rewrite(message, text)
    rewind(message)
    return body(message)


def _new_headers(case: Case) -> Mapping[str, object]:
    """Return a distinctive value for each header of the version."""
    values: dict[str, object] = {
        "jms_message_id": "ID:changed",
        "jms_timestamp": 1_000,
        "jms_correlation_id": "changed",
        "jms_reply_to": case.queue(),
        "jms_destination": case.topic(),
        "jms_delivery_mode": api.DeliveryMode.NON_PERSISTENT,
        "jms_redelivered": True,
        "jms_type": "changed",
        "jms_expiration": 2_000,
        "jms_priority": 9,
    }
    if case.offers("delivery delays"):
        values["jms_delivery_time"] = 3_000
    return values


def _changed(message: api.Message, name: str, value: object) -> object:
    """Set a header and show its new value."""
    return tried(lambda: _set_and_get(message, name, value))


def _set_and_get(message: api.Message, name: str, value: object) -> object:
    setattr(message, name, value)
    return getattr(message, name)


@asserts("3.10-1")
def test_headers_of_a_received_message_can_be_changed(case: Case) -> None:
    """Every header of a received message can be set, and shows the new value."""
    link = case.link()
    received = carried(link, link.text("x"))
    values = _new_headers(case)
    seen = {name: _changed(received, name, value) for name, value in values.items()}
    expect.equal("headers after a change", seen, {name: shown(value) for name, value in values.items()})


@asserts("3.10-2")
def test_clear_body_unlocks_the_body_only(case: Case) -> None:
    """After clear_body() the body of a received message can be written; its properties are still read-only."""
    link = case.link()
    seen: dict[str, object] = {}
    for kind in BODIED:
        received = carried(link, link.message(kind, "before"))
        seen[f"{kind} body"] = tried(partial(_rewritten, received, "after"))
        seen[f"{kind} property"] = tried(partial(received.set_string_property, "name", "value"))
    wanted = {f"{kind} body": "after" for kind in BODIED} | {f"{kind} property": READ_ONLY for kind in BODIED}
    expect.equal("after clear_body()", seen, wanted)


@asserts("3.10-3")
def test_clear_properties_unlocks_the_properties_only(case: Case) -> None:
    """After clear_properties() the properties of a received message can be set; its body is still read-only."""
    link = case.link()
    seen: dict[str, object] = {}
    for kind in BODIED:
        received = carried(link, link.message(kind, "before"))
        received.clear_properties()
        seen[f"{kind} set"] = tried(partial(received.set_string_property, "name", "value"))
        seen[f"{kind} property"] = received.get_string_property("name")
        seen[f"{kind} body"] = tried(partial(write, received, "after"))
    wanted = dict.fromkeys(seen, None)
    wanted |= {f"{kind} property": "value" for kind in BODIED} | {f"{kind} body": READ_ONLY for kind in BODIED}
    expect.equal("after clear_properties()", seen, wanted)


@asserts("3.10-4", ack=TWICE)
def test_a_redelivered_message_has_its_own_body(case: Case) -> None:
    """What a consumer wrote into a message is not there when the message is delivered again."""
    link = case.link()
    seen: dict[str, object] = {}
    for kind in BODIED:
        rewrite(carried(link, link.message(kind, "before"), settle=False), "after")
        link.client.return_all()
        again = taken(link)
        seen[kind] = body(again)
        link.client.settle(again)
    expect.equal("the redelivered bodies", seen, dict.fromkeys(BODIED, "before"))


@asserts("3.10-5", ack=TWICE)
def test_a_redelivered_message_has_its_own_properties(case: Case) -> None:
    """Properties that a consumer changed are as they were sent when the message is delivered again."""
    link = case.link()
    message = link.text("x")
    message.set_string_property("word", "before")
    message.set_long_property("number", 7)
    received = carried(link, message, settle=False)
    received.clear_properties()
    received.set_string_property("word", "after")
    received.set_string_property("added", "after")
    link.client.return_all()
    again = link.receive()
    expect.equal("a property that was added", again.property_exists("added"), False)
    names = ("word", "number")
    expect.equal(
        "the redelivered properties", objects(again, dict.fromkeys(names)), objects(message, dict.fromkeys(names))
    )


@asserts("3.10-6", ack=TWICE)
def test_a_redelivered_message_has_its_own_headers(case: Case) -> None:
    """Headers that a consumer changed are as they were sent when the message is delivered again."""
    link = case.link()
    message = dressed(link)
    link.send(message, priority=6)
    received = taken(link)
    sent = client_headers(message)
    received.jms_type = received.jms_correlation_id = "after"
    received.jms_reply_to = case.destination()
    received.jms_priority = 2
    link.client.return_all()
    expect.equal("the redelivered headers", client_headers(link.receive()), sent)
