"""3.10 Changing the value of a received message."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from tck import api
from tck.suite.support import Case, asserts, expect
from tck.suite.support.clients.body_calls import body_writes, property_writes
from tck.suite.support.clients.messages import (
    READ_ONLY,
    carried,
    rewind,
    rewrite,
    taken,
    write,
)
from tck.suite.support.values.kinds import BODIED, KINDS
from tck.suite.support.values.properties import objects, own_names, set_some
from tck.suite.support.values.seen import body, headers, shown, tried

TWICE = ("client", "transacted")
NULLABLE = ("jms_correlation_id", "jms_reply_to")


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
    for kind in KINDS:
        received = carried(link, link.message(kind))
        values = _new_headers(case)
        seen = {name: _changed(received, name, value) for name, value in values.items()}
        expect.equal(f"headers of a {kind} message", seen, {name: shown(value) for name, value in values.items()})
        nulls = {name: _changed(received, name, None) for name in NULLABLE}
        expect.equal(f"headers of a {kind} message, set to null", [*nulls.values()], [None] * len(NULLABLE))


@asserts("3.10-2")
def test_clear_body_unlocks_the_body_only(case: Case) -> None:
    """After clear_body() the body of a received message can be written; its properties are still read-only."""
    link = case.link()
    seen: dict[str, object] = {}
    for kind in BODIED:
        message = link.message(kind, "before")
        message.set_string_property("name", "kept")
        received = carried(link, message)
        received.clear_body()
        writes = {f"{kind} {what}": tried(call) for what, call in body_writes(case, kind, received).items()}
        expect.equal("every way to write, after clear_body()", [*writes.values()], [None] * len(writes))
        seen[f"{kind} body"] = tried(partial(_rewritten, received, "after"))
        for name in ("name", "new"):
            sets = {
                f"{kind} {what} {name}": tried(call) for what, call in property_writes(case, received, name).items()
            }
            seen |= {f"{what} {name}": ending for what, ending in sets.items()}
        seen[f"{kind} property"] = received.get_string_property("name")
    wanted = {f"{kind} body": "after" for kind in BODIED} | {f"{kind} property": "kept" for kind in BODIED}
    expect.equal("after clear_body()", seen, dict.fromkeys(seen, READ_ONLY) | wanted)


@asserts("3.10-3")
def test_clear_properties_unlocks_the_properties_only(case: Case) -> None:
    """After clear_properties() the properties of a received message can be set; its body is still read-only."""
    link = case.link()
    seen: dict[str, object] = {}
    for kind in BODIED:
        received = carried(link, link.message(kind, "before"))
        received.clear_properties()
        sets = {f"{kind} {what}": tried(call) for what, call in property_writes(case, received, "new").items()}
        expect.equal("every way to set, after clear_properties()", [*sets.values()], [None] * len(sets))
        received.set_string_property("name", "value")
        seen[f"{kind} property"] = received.get_string_property("name")
        writes = body_writes(case, kind, received)
        seen |= {f"{kind} {what}": tried(call) for what, call in writes.items()}
        seen[f"{kind} body"] = tried(partial(body, received))
    wanted = {f"{kind} property": "value" for kind in BODIED} | {f"{kind} body": "before" for kind in BODIED}
    expect.equal("after clear_properties()", seen, dict.fromkeys(seen, READ_ONLY) | wanted)


@asserts("3.10-4", ack=TWICE)
def test_a_redelivered_message_has_its_own_body(case: Case) -> None:
    """What a consumer wrote into a message is not there when the message is delivered again."""
    link = case.link()
    seen: dict[str, object] = {}
    for kind in BODIED:
        rewrite(carried(link, link.message(kind, "before"), settle=False), "after")
        link.client.return_all()
        taken(link).clear_body()
        link.client.return_all()
        again = taken(link)
        seen[kind] = body(again)
        seen[f"{kind}, written"] = tried(partial(write, again, "after"))
        link.client.settle(again)
    wanted = dict.fromkeys(BODIED, "before") | {f"{kind}, written": READ_ONLY for kind in BODIED}
    expect.equal("the redelivered bodies", seen, wanted)


@asserts("3.10-5", ack=TWICE)
def test_a_redelivered_message_has_its_own_properties(case: Case) -> None:
    """Properties that a consumer changed are as they were sent when the message is delivered again."""
    link = case.link()
    for turn, kind in enumerate(KINDS):
        message = link.message(kind)
        wanted = set_some(message, turn)
        received = carried(link, message, settle=False)
        received.clear_properties()
        received.set_string_property("string_0", "after")
        received.set_string_property("added", "after")
        link.client.return_all()
        again = taken(link)
        link.client.settle(again)
        expect.equal(f"a property that was added to a {kind} message", again.property_exists("added"), False)
        expect.equal(f"the redelivered properties of a {kind} message", objects(again, wanted), wanted)
        expect.equal("the names", own_names(again), sorted(wanted))
        set_again = tried(partial(again.set_string_property, "string_0", "x"))
        expect.equal("setting a redelivered property", set_again, READ_ONLY)


@asserts("3.10-6", ack=TWICE)
def test_a_redelivered_message_has_its_own_headers(case: Case) -> None:
    """Headers that a consumer changed are as they were sent when the message is delivered again."""
    link = case.link()
    for kind in KINDS:
        message = link.message(kind)
        message.jms_type, message.jms_correlation_id, message.jms_reply_to = "type", "correlation", case.destination()
        link.send(message, priority=6, ttl=3_600_000)
        received = taken(link)
        sent = headers(message)
        for name, value in _new_headers(case).items():
            setattr(received, name, value)
        link.client.return_all()
        again = taken(link)
        link.client.settle(again)
        wanted = {
            name: value for name, value in sent.items() if name != "jms_delivery_time"
        }  # the provider may delay it
        expect.equal(
            f"the redelivered headers of a {kind} message", headers(again), {**wanted, "jms_redelivered": True}
        )
