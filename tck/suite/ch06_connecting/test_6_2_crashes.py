"""6.2 Sessions: what a session held when its client or the provider died. Each case needs a hook."""

from __future__ import annotations

from tck import api
from tck.suite.support import Case, asserts, expect
from tck.suite.support.clients.gathering import numbered
from tck.suite.support.clients.link import Link
from tck.suite.support.clients.listeners import BlockingListener
from tck.suite.support.lifecycle.reconnecting import reconnected
from tck.suite.support.values.seen import body

CLIENT = ("client",)
TRANSACTED = ("transacted",)
MANUAL = ("client", "transacted")
EXACT = ("auto", "client", "transacted")
"""The modes in which nothing is acknowledged late; 6.2-19 is about the other."""
FIVE = numbered(5)


def _holding(case: Case, taken: int) -> tuple[Link, str]:
    """Open a link on a queue or durable subscription with five messages and take some; return the subscription's name too."""
    name = case.name("s")
    link = case.link(durable=name)
    sender = case.link("auto", destination=link.destination, consumes=False)
    for text in FIVE:
        sender.send(text, mode=api.DeliveryMode.PERSISTENT)
    link.take_all(taken)
    return link, name


def _dead_client(case: Case) -> None:
    """Take three of five messages, cut the client off, and demand all five for the next one; then the same after a return."""
    link, name = _holding(case, 3)
    case.provider.sever(link.client.connection)
    again = reconnected(case, link.destination, durable=name, ack=case.ack)
    expect.arrives(again, FIVE, ordered=False, settle=False)
    again.client.return_all()
    again.take_all(2)
    case.provider.sever(again.client.connection)
    expect.only(reconnected(case, link.destination, durable=name), FIVE, ordered=False)


@asserts("6.2-15", ack=CLIENT)
def test_a_queue_keeps_what_a_dead_client_had_not_acknowledged(case: Case) -> None:
    """Queue messages that a dead client had not acknowledged come to another client, and all that it had prefetched."""
    _dead_client(case)


@asserts("6.2-15", ack=CLIENT, variant="next")
def test_a_queue_keeps_what_a_dead_client_got_after_its_last_acknowledge(case: Case) -> None:
    """Of five queue messages, two acknowledged and two only received by a dead client, the last three come to another client.

    The others may be redelivered: the provider may not know yet that they were acknowledged.
    """
    link, _ = _holding(case, 1)
    link.take().acknowledge()
    link.take_all(2)
    case.provider.sever(link.client.connection)
    again = reconnected(case, link.destination)
    seen = list[object]()
    while not {*FIVE[2:]} <= {*seen} and (message := again.poll()) is not None:
        seen.append(body(message))
    expect.equal("the messages that came to another client", [text for text in FIVE[2:] if text in seen], FIVE[2:])


@asserts("6.2-16", ack=CLIENT)
def test_a_subscription_keeps_what_a_dead_client_had_not_acknowledged(case: Case) -> None:
    """What a durable subscription delivered and a dead client had not acknowledged is redelivered, and all that it had prefetched."""
    _dead_client(case)


@asserts("6.2-17", ack=TRANSACTED)
def test_a_queue_keeps_what_a_dead_client_had_not_committed(case: Case) -> None:
    """Queue messages of a transaction that its client did not live to commit come to another client."""
    _dead_client(case)


@asserts("6.2-18", ack=TRANSACTED)
def test_a_subscription_keeps_what_a_dead_client_had_not_committed(case: Case) -> None:
    """Messages of a durable subscription in a transaction that its client did not live to commit come when it is resumed."""
    _dead_client(case)


@asserts("6.2-17", ack=TRANSACTED, variant="next-transaction")
def test_a_queue_keeps_the_second_transaction_of_a_dead_client(case: Case) -> None:
    """Of two transactions of a dead client, the first committed, the messages of the second come to another client."""
    _second_transaction(case)


@asserts("6.2-18", ack=TRANSACTED, variant="next-transaction")
def test_a_subscription_keeps_the_second_transaction_of_a_dead_client(case: Case) -> None:
    """Of two transactions of a dead client, the first committed, the messages of the second come when it is resumed."""
    _second_transaction(case)


@asserts("6.2-17", "9.1-1", ack=TRANSACTED, variant="listener")
def test_a_queue_keeps_what_the_listener_of_a_dead_client_had(case: Case) -> None:
    """The link breaks while a listener of a transacted session has its second message: all come to another client."""
    _cut_in_listener(case)


@asserts("6.2-18", "9.1-1", ack=TRANSACTED, variant="listener")
def test_a_subscription_keeps_what_the_listener_of_a_dead_client_had(case: Case) -> None:
    """The link breaks while a listener of a transacted session has its second message: all come when it is resumed."""
    _cut_in_listener(case)


def _cut_in_listener(case: Case) -> None:
    link, name = _holding(case, 1)
    listener = BlockingListener(case)
    link.consumer.message_listener = listener
    listener.occupied()
    case.provider.sever(link.client.connection)
    again = reconnected(case, link.destination, durable=name)
    listener.release()
    expect.only(again, FIVE, ordered=False)


def _second_transaction(case: Case) -> None:
    link, name = _holding(case, 2)
    link.client.commit()
    link.take_all(2)
    forward = link.client.sender(link.destination)
    forward.send(link.text("never committed"))
    case.provider.sever(link.client.connection)
    expect.only(reconnected(case, link.destination, durable=name), FIVE[2:], ordered=False)


@asserts("6.2-19", ack=("dups_ok",))
def test_a_dead_client_with_lazy_acknowledgement_loses_nothing_undelivered(case: Case) -> None:
    """The client of a DUPS_OK_ACKNOWLEDGE session dies after four of thirty messages: at least the other 26 come."""
    link, name = _with_thirty(case)
    link.take_all(4)
    case.provider.sever(link.client.connection)
    _rest_comes(reconnected(case, link.destination, durable=name), 4)


@asserts("6.2-22", ack=EXACT)
def test_a_dead_client_loses_nothing_undelivered(case: Case) -> None:
    """The client of a session dies after four of thirty messages: at least the other 26 come, which it may have fetched."""
    link, name = _with_thirty(case)
    link.take_all(4)
    case.provider.sever(link.client.connection)
    _rest_comes(reconnected(case, link.destination, durable=name), 4)


@asserts("6.2-22", ack=EXACT, variant="listener")
def test_a_dead_client_whose_listener_is_at_work_loses_nothing_undelivered(case: Case) -> None:
    """The client dies while its listener has the first of thirty messages: at least the other 29 come."""
    link, name = _with_thirty(case)
    listener = BlockingListener(case)
    link.consumer.message_listener = listener
    listener.occupied()
    case.provider.sever(link.client.connection)
    again = reconnected(case, link.destination, durable=name)
    listener.release()
    _rest_comes(again, 1)


def _with_thirty(case: Case) -> tuple[Link, str]:
    """Open a link on a queue or durable subscription with thirty messages; return the subscription's name too."""
    name = case.name("s")
    link = case.link(durable=name)
    sender = case.link("auto", destination=link.destination, consumes=False)
    sender.send_all(numbered(30))
    return link, name


def _rest_comes(again: Link, given: int) -> None:
    """Demand all messages but the first `given`, which may come too."""
    wanted, came = numbered(30)[given:], list[object]()
    while not {*wanted} <= {*came} and (message := again.poll()) is not None:
        came.append(body(message))
    lost = [text for text in wanted if text not in came]
    expect.true("each message that was not delivered comes", not lost, f"{lost!r} did not come")


@asserts("6.2-20", ack=MANUAL)
def test_a_queue_keeps_what_was_not_acknowledged_when_the_provider_stopped(case: Case) -> None:
    """Persistent queue messages that were delivered and not acknowledged are redelivered after a restart of the provider."""
    _restarted(case)


@asserts("6.2-21", ack=MANUAL)
def test_a_subscription_keeps_what_was_not_acknowledged_when_the_provider_stopped(case: Case) -> None:
    """Persistent messages that a durable subscription delivered and nobody acknowledged are redelivered after a restart."""
    _restarted(case)


def _restarted(case: Case) -> None:
    """Take three of five messages, restart the provider, and demand all five; then the same once more."""
    link, name = _holding(case, 3)
    case.provider.restart()
    again = reconnected(case, link.destination, durable=name, ack=case.ack)
    expect.arrives(again, FIVE, ordered=False, settle=False)
    case.provider.restart()
    expect.only(reconnected(case, link.destination, durable=name), FIVE, ordered=False)
