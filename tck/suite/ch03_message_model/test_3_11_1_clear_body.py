"""3.11.1 Clearing a message body."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tck import api
from tck.suite.support import Case, asserts, expect
from tck.suite.support.clients.link import Link
from tck.suite.support.clients.messages import both_ends, carried, taken
from tck.suite.support.values.kinds import BODIED, Kind
from tck.suite.support.values.properties import objects, own_names, set_some
from tck.suite.support.values.seen import body, headers, tried

EMPTY: Mapping[Kind, Mapping[str, object]] = {
    "text": {"text": None},
    "object": {"object": None},
    "map": {"names": []},
    "bytes": {"a read": "raises MessageNotReadableException", "a read after reset": "raises MessageEOFException"},
    "stream": {"a read": "raises MessageNotReadableException", "a read after reset": "raises MessageEOFException"},
}
"""What `empty_state` shows of a new message of each kind."""


def _empty_state(message: Any) -> Mapping[str, object]:
    """Show the state of a body, for comparison with `EMPTY`; reset streams at the end."""
    if isinstance(message, api.TextMessage):
        return {"text": message.text}
    if isinstance(message, api.ObjectMessage):
        return {"object": message.object}
    if isinstance(message, api.MapMessage):
        return {"names": list(message.get_map_names())}
    read = tried(message.read_byte)
    message.reset()
    return {"a read": read, "a read after reset": tried(message.read_byte)}


AT_RECEIVER: Mapping[Kind, Mapping[str, object]] = {
    **EMPTY,
    "bytes": {"a read": "raises MessageEOFException", "a read after reset": "raises MessageEOFException"},
    "stream": {"a read": "raises MessageEOFException", "a read after reset": "raises MessageEOFException"},
}
"""The same of a received message."""


def _empty_at_receiver(link: Link, message: Any) -> Mapping[str, object]:
    return _empty_state(carried(link, message))


@asserts("3.11.1-1")
def test_clear_body_makes_the_body_new(case: Case) -> None:
    """clear_body() puts the body into the empty state of a new message, on sent and on received messages, read or not, twice too."""
    link = case.link()
    for kind in BODIED:
        for reads in (True, False):
            for end, seen in both_ends(link, link.message(kind, "x")):
                if reads:
                    expect.equal(f"the {kind} body {end}", body(seen), "x")
                for again in ("cleared", "cleared again"):
                    seen.clear_body()
                    expect.equal(f"the {kind} body {end}, {again}", _empty_state(seen), EMPTY[kind])
                seen.clear_body()
                expect.equal(f"the {kind} body {end}, sent on", _empty_at_receiver(link, seen), AT_RECEIVER[kind])


@asserts("3.11.1-2")
def test_clear_body_keeps_the_properties(case: Case) -> None:
    """clear_body() leaves the properties as they are, on sent and on received messages of each kind."""
    link = case.link()
    for turn, kind in enumerate(BODIED):
        message = link.message(kind, "x")
        wanted = set_some(message, turn)
        for end, seen in both_ends(link, message):
            seen.clear_body()
            expect.equal(f"the names of properties of a {kind} message {end}", own_names(seen), sorted(wanted))
            expect.equal(f"the properties of a {kind} message {end}", objects(seen, wanted), wanted)


@asserts("3.11.1-3")
def test_clear_body_keeps_the_headers(case: Case) -> None:
    """clear_body() leaves the headers as they are, on sent and on received messages."""
    link = case.link()
    for kind in BODIED:
        message = link.message(kind)
        message.jms_type, message.jms_correlation_id, message.jms_reply_to = "type", "correlation", link.destination
        link.send(message, priority=7, ttl=3_600_000)
        received = taken(link)
        for end, seen in (("on the sender's message", message), ("on the received message", received)):
            before = headers(seen)
            seen.clear_body()
            expect.equal(f"the headers of a {kind} message {end}", headers(seen), before)
        expect.equal("JMSCorrelationID, which was set", received.jms_correlation_id, "correlation")
