"""3.3 The parts of every kind of message."""

from __future__ import annotations

from functools import partial

from tck.suite.support import Case, asserts, expect
from tck.suite.support.clients.deliveries import unread
from tck.suite.support.values.kinds import KINDS
from tck.suite.support.values.properties import objects, set_all
from tck.suite.support.values.seen import headers, shown


@asserts("3.3-1")
def test_every_kind_of_message_has_the_same_header(case: Case) -> None:
    """All header fields can be read on each kind of message at the receiver; those of the client travel with each."""
    link, read = case.link(), partial(headers, delays=case.offers("delivery delays"))
    reply_to = case.destination()
    for kind in KINDS:
        message = link.message(kind)
        message.jms_correlation_id, message.jms_type, message.jms_reply_to = f"about {kind}", f"type {kind}", reply_to
        link.send(message)
        own = {"jms_correlation_id": f"about {kind}", "jms_type": f"type {kind}", "jms_reply_to": shown(reply_to)}
        expect.equal(f"header of a {kind} message at the receiver", read(unread(link)), {**read(message), **own})


@asserts("3.3-2")
def test_every_kind_of_message_has_properties(case: Case) -> None:
    """A property of each of the eight types travels with each of the six kinds of message."""
    link = case.link()
    for kind in KINDS:
        message = link.message(kind)
        wanted = set_all(message)
        received = expect.delivers(link, message, f"a {kind} message with properties of all types")
        expect.equal(f"properties of a {kind} message at the receiver", objects(received, wanted), wanted)
