"""3.6 Message acknowledgment."""

from __future__ import annotations

from tck import api
from tck.suite.support import Case, asserts, expect
from tck.suite.support.clients.deliveries import from_consumer
from tck.suite.support.values.kinds import KINDS


@asserts("3.6-1", ack=("client",))
def test_every_kind_of_message_can_be_acknowledged(case: Case) -> None:
    """What was acknowledged through a message of any kind does not come again."""
    link = case.link()
    for kind in KINDS:
        link.send(link.message(kind))
        received = from_consumer(case, link.consumer)
        expect.works(f"acknowledging a {kind} message", received.acknowledge)
        link.client.recover()
        expect.only(link, [])


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
