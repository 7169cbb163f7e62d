"""3.3 and 3.7 What every kind of message has."""

from __future__ import annotations

from tck.suite.support import Case, asserts, expect
from tck.suite.support.client import KINDS
from tck.suite.support.deliveries import unread
from tck.suite.support.properties import objects, set_all
from tck.suite.support.seen import headers


@asserts("3.3-1")
def test_every_kind_of_message_has_the_same_header(case: Case) -> None:
    """All header fields can be read on each kind of message at the receiver; those of the client travel with each."""
    link = case.link()
    reply_to = case.destination()
    for kind in KINDS:
        message = link.message(kind)
        message.jms_correlation_id, message.jms_type, message.jms_reply_to = f"about {kind}", f"type {kind}", reply_to
        link.send(message)
        own = {"jms_correlation_id": f"about {kind}", "jms_type": f"type {kind}", "jms_reply_to": case.shown(reply_to)}
        expect.equal(f"header of a {kind} message at the receiver", headers(unread(link)), {**headers(message), **own})


@asserts("3.7-1")
def test_a_message_without_a_body_is_a_message(case: Case) -> None:
    """A plain message is sent and received like the others, with its header and properties, and can be acknowledged."""
    link = case.link()
    message = link.message("message")
    message.jms_type, message.jms_correlation_id = "type", "correlation"
    wanted = set_all(message)
    expect.works("sending a message without a body", lambda: link.send(message))
    received = expect.arrival(link)
    seen = headers(received, names=("jms_type", "jms_correlation_id", "jms_message_id"))
    expect.equal("header at the receiver", seen, headers(message, names=tuple(seen)))
    expect.equal("properties at the receiver", objects(received, wanted), wanted)
    expect.works("acknowledging it", received.acknowledge)
