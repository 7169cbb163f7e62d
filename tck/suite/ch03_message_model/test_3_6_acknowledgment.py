"""3.6 Message acknowledgment."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from tck import api
from tck.suite.support import Case, asserts, expect
from tck.suite.support.clients.deliveries import from_consumer
from tck.suite.support.clients.link import Link
from tck.suite.support.clients.messages import rewrite, taken
from tck.suite.support.values.kinds import KINDS
from tck.suite.support.values.seen import body


@asserts("3.6-1", ack=("client",))
def test_every_kind_of_message_can_be_acknowledged(case: Case) -> None:
    """What was acknowledged through a message of any kind is not redelivered."""
    link = case.link()
    for kind in KINDS:
        link.send(link.message(kind))
        received = from_consumer(case, link.consumer)
        expect.works(f"acknowledging a {kind} message", received.acknowledge)
        link.client.recover()
        expect.only(link, [])


def _assign(message: Any, **values: object) -> None:
    """Set headers of a message."""
    for name, value in values.items():
        setattr(message, name, value)


def _written(message: Any) -> None:
    """Give a message other properties and another body."""
    message.clear_properties()
    rewrite(message, "other")


NULLED: Mapping[str, object] = dict.fromkeys(("jms_message_id", "jms_destination", "jms_reply_to", "jms_type"))
USES: Mapping[str, Callable[[Any], object]] = {
    "whose body was read": body,
    "whose properties were cleared": lambda message: message.clear_properties(),
    "whose body was cleared": lambda message: message.clear_body(),
    "with another body": _written,
    "with other properties": lambda message: (message.clear_properties(), message.set_string_property("own", "x")),
    "with other headers": lambda message: _assign(message, jms_type="other", jms_priority=9, jms_redelivered=True),
    "without headers": lambda message: _assign(message, **NULLED),
}
"""Uses that a client makes of a message which it has received, before it acknowledges it."""


@asserts("3.6-1", ack=("client",), variant="used")
def test_a_message_that_was_used_can_be_acknowledged(case: Case) -> None:
    """A message that the client has read, cleared, written or sent on is acknowledged as it was when it came, of each kind."""
    link, elsewhere = case.link(), case.link("auto")
    onward = link.client.sender(elsewhere.destination)
    uses = {**USES, "that was sent on": onward.send}
    with expect.all_of():
        for kind in KINDS:
            for what, use in uses.items():
                link.send_all([link.message(kind), link.message(kind)])
                received = [from_consumer(case, link.consumer) for _ in range(2)][-1]
                use(received)
                expect.works(f"acknowledging a {kind} message {what}", received.acknowledge)
                link.client.recover()
                expect.equal(f"what comes again after that of a {kind} message {what}", _left(link), [])


def _left(link: Link) -> list[object]:
    """Return what comes before a marker that is sent now; acknowledge everything."""
    marker, left = link.mark(), []
    while (text := body(message := taken(link))) != marker:
        left.append(text)
    message.acknowledge()
    return left


@asserts("3.6-2", "6.2.10-15", ack=("auto", "dups_ok"))
def test_acknowledge_is_ignored_where_it_is_automatic(case: Case) -> None:
    """Where acknowledgment is automatic, acknowledge raises nothing and changes nothing."""
    link = case.link()
    link.send("first")
    link.send("second")
    expect.works("acknowledging the first message", link.take().acknowledge)
    expect.works("acknowledging the second message", expect.arrives(link, ["second"])[0].acknowledge)
    expect.only(link, [])


@asserts("3.6-3", "6.2.10-16", ack=("transacted",))
def test_acknowledge_is_ignored_in_a_transaction(case: Case) -> None:
    """In a transacted session acknowledge raises nothing, and a rollback brings the message back all the same."""
    link = case.link()
    for mode in (api.DeliveryMode.PERSISTENT, api.DeliveryMode.NON_PERSISTENT):
        for text in ("one", "two", "three"):
            link.send(text, mode=mode)
        for _ in range(2):
            expect.works("acknowledging a message of a transaction", link.take().acknowledge)
        link.client.rollback()
        expect.arrives(link, ["one", "two", "three"])
