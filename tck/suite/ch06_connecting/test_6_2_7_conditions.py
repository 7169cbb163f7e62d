"""6.2.7 Transactions under other conditions: closed consumers and producers, several destinations, pending sends, failed commits."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from tck import api
from tck.suite.support import Case, asserts, expect
from tck.suite.support.clients.completion import Completion
from tck.suite.support.clients.gathering import numbered
from tck.suite.support.clients.link import Link
from tck.suite.support.lifecycle.reconnecting import reconnected
from tck.suite.support.values.seen import body, tried

LONG = 3_600_000
"""A time to live that does not end within a case, in ms."""
TRANSACTED = ("transacted",)
THREE = numbered(3)


def _closed_with_messages(case: Case) -> tuple[Link, Link, tuple[str, str]]:
    """Receive three of five messages by one consumer and two of three by another of the session, and close the first."""
    names = case.name("s"), case.name("s")
    closed = case.link(durable=names[0])
    other = case.link(client=closed.client, destination=case.destination(), durable=names[1])
    closed.send_all(numbered(5))
    other.send_all(THREE)
    closed.take_all(3)
    other.take_all(2)
    closed.consumer.close()
    return closed, other, names


def _committed(case: Case) -> None:
    closed, other, names = _closed_with_messages(case)
    closed.client.commit()
    expect.only(other, THREE[2:])
    closed.client.close()
    expect.only(reconnected(case, closed.destination, durable=names[0]), numbered(5)[3:], ordered=False)


@asserts("6.2.7-1", ack=TRANSACTED, variant="closed-consumer")
def test_commit_acknowledges_queue_messages_of_a_closed_consumer(case: Case) -> None:
    """Commit acknowledges what a consumer of the queue got that was closed before it, and leaves what it had not delivered."""
    _committed(case)


@asserts("6.2.7-2", ack=TRANSACTED, variant="closed-consumer")
def test_commit_acknowledges_messages_of_a_subscription_whose_consumer_is_closed(case: Case) -> None:
    """Commit acknowledges what a durable subscription delivered to a consumer that was closed before it, and no more."""
    _committed(case)


def _rolled_back(case: Case) -> None:
    closed, other, names = _closed_with_messages(case)
    closed.client.rollback()
    expect.only(other, THREE, ordered=False)
    closed.client.close()
    again = reconnected(case, closed.destination, durable=names[0])
    came = expect.arrives(again, numbered(5), ordered=False)
    flags = {str(body(message)): message.jms_redelivered for message in came}
    expect.equal(
        "JMSRedelivered of what the closed consumer had",
        {text: flags[text] for text in THREE},
        dict.fromkeys(THREE, True),
    )


@asserts("6.2.7-6", ack=TRANSACTED, variant="closed-consumer")
def test_rollback_brings_queue_messages_of_a_closed_consumer_back(case: Case) -> None:
    """Rollback brings back, flagged, what a consumer of the queue got that was closed before it."""
    _rolled_back(case)


@asserts("6.2.7-7", ack=TRANSACTED, variant="closed-consumer")
def test_rollback_brings_messages_of_a_subscription_back_whose_consumer_is_closed(case: Case) -> None:
    """Rollback brings back, flagged, what a durable subscription delivered to a consumer that was closed before it."""
    _rolled_back(case)


@asserts("6.2.7-6", ack=TRANSACTED, variant="interrupted")
def test_what_an_interrupted_thread_received_in_a_transaction_is_not_lost(case: Case) -> None:
    """What a thread received, or failed to, while it was interrupted is redelivered elsewhere when its session is rolled back and closed."""
    link = case.link()
    link.send_all(THREE)
    with case.provider.clock.interrupted():
        for _ in THREE:
            tried(lambda: link.consumer.receive(case.timing.deadline))
    tried(link.client.rollback)
    tried(link.client.close)
    expect.arrives(case.link(destination=link.destination), THREE, ordered=False)


@asserts("6.2.7-5", ack=TRANSACTED, variant="closed-producers")
def test_rollback_destroys_what_closed_producers_sent(case: Case) -> None:
    """Rollback destroys what producers sent to several destinations, persistent or not, that were closed before it."""
    watchers = [case.link("auto") for _ in range(3)]
    client = case.client()
    for commits in (False, True):
        for number, watcher in enumerate(watchers):
            sender = client.sender(watcher.destination)
            sender.set(mode=1 + number % 2)
            sender.send(client.text(f"{'committed' if commits else 'rolled back'} {number}"))
            sender.close()
        (client.commit if commits else client.rollback)()
    for number, watcher in enumerate(watchers):
        expect.only(watcher, [f"committed {number}"])


@asserts("6.2.7-12", ack=TRANSACTED, variant="several-destinations")
def test_receives_and_sends_on_several_destinations_share_their_fate(case: Case) -> None:
    """A transaction receives from two destinations and sends to two: rollback undoes all four, and commit makes all four last."""
    client = case.client()
    sources = [case.link(client=client) for _ in range(2)]
    targets = [case.link("auto") for _ in range(2)]
    for source in sources:
        source.send_all(THREE[:2])
    _move(sources, targets, "rolled back")
    client.rollback()
    for source, target in zip(sources, targets, strict=True):
        expect.arrives(source, THREE[:2], ordered=False, settle=False)
        client.sender(target.destination).send(client.text("committed"))
    client.commit()
    for target in targets:
        expect.only(target, ["committed"])
    client.rollback()
    for source in sources:
        expect.only(source, [])


def _move(sources: list[Link], targets: list[Link], text: str) -> None:
    """Receive two messages from each source, and send one to each target for each pair."""
    for _ in range(2):
        for source, target in zip(sources, targets, strict=True):
            source.take()
            source.client.sender(target.destination).send(source.text(text))


def _send_asynchronously(link: Link, listener: api.CompletionListener, text: str) -> None:
    producer: Any = link.sender.producer
    if link.case.api == "simplified":
        producer.set_async(listener).send(link.destination, link.text(text))
    else:
        producer.send(link.text(text), completion_listener=listener)


def _put_all(case: Case, link: Link, texts: list[str]) -> None:
    """Send asynchronously where the version can, else as always."""
    for text in texts:
        if case.offers("asynchronous sends"):
            _send_asynchronously(link, Completion(case.provider.clock.event(), lambda _message: {}), text)
        else:
            link.put(text)


@asserts("6.2.7-3", ack=TRANSACTED, variant="asynchronous")
def test_commit_sends_what_was_sent_asynchronously(case: Case) -> None:
    """Commit sends what was sent asynchronously in the transaction, in order, and rollback destroys it."""
    watcher = case.link("auto")
    link = case.link(destination=watcher.destination, consumes=False)
    _put_all(case, link, ["rolled back 1", "rolled back 2"])
    link.client.rollback()
    _put_all(case, link, numbered(20))
    link.client.commit()
    expect.only(watcher, numbered(20))


def _sent_by_closed_producers(case: Case) -> tuple[Link, list[str]]:
    """Send in a transaction by producers that are closed before its end, each kind of message, and by one that is not."""
    watcher, client = case.link("auto"), case.client()
    texts = numbered(6)
    for at, text in enumerate(texts):
        sender = client.sender(watcher.destination if at % 2 else None)
        sender.set(mode=1 + at // 2 % 2)
        sender.send(client.text(text), to=None if at % 2 else watcher.destination)
        if at < len(texts) - 1:
            sender.close()
    client.commit()
    return watcher, texts


@asserts("6.2.7-3", ack=TRANSACTED, variant="closed-producers")
def test_commit_sends_what_closed_producers_sent(case: Case) -> None:
    """Commit sends, in order in either mode, what producers with and without a destination sent that were closed before it."""
    watcher, texts = _sent_by_closed_producers(case)
    expect.only(watcher, texts, ordered=False)


def _destroyed(case: Case, options: Sequence[Mapping[str, Any]]) -> None:
    """Send messages with options in a transaction that is rolled back, and in one that is committed; only these come."""
    watcher, client = case.link("auto"), case.client()
    for commits in (False, True):
        for at, each in enumerate(options):
            sender = client.sender(watcher.destination)
            sender.set(**each)
            sender.send(client.text(f"{'committed' if commits else 'rolled back'} {at}"))
        (client.commit if commits else client.rollback)()
    if any("delay" in each for each in options):
        case.pass_time(2 * case.timing.delay, "the delayed messages must be due")
    expect.arrives(watcher, [f"committed {at}" for at in range(len(options))], ordered=False)
    expect.only(watcher)


@asserts("6.2.7-5", ack=TRANSACTED, variant="options")
def test_rollback_destroys_messages_of_every_option(case: Case) -> None:
    """Rollback destroys messages that were sent with a time to live, a priority or a mode, and without id and timestamp."""
    _destroyed(case, ({"ttl": LONG}, {"priority": 9}, {"mode": 1}, {"disable_id": True, "disable_timestamp": True}))


@asserts("6.2.7-5", ack=TRANSACTED, variant="delayed")
def test_rollback_destroys_delayed_messages(case: Case) -> None:
    """Rollback destroys messages that were sent with a delivery delay, where the version has it: none comes when it is over."""
    short, long = ({"delay": turns * case.timing.delay} if case.offers("delivery delays") else {} for turns in (1, 2))
    _destroyed(case, (short, {**short, "mode": 1}, {**long, "ttl": LONG}))


@asserts("6.2.7-6", ack=TRANSACTED, domain=("queue",), variant="temporary")
def test_rollback_brings_messages_of_a_temporary_queue_back(case: Case) -> None:
    """What a transaction received from a temporary queue, and from another beside it, is redelivered after its rollback."""
    client = case.client()
    links = [case.link(client=client, destination=client.temporary()), case.link(client=client)]
    for link in links:
        link.send_all(THREE)
    for link in links:
        link.take_all(3)
    client.rollback()
    for link in links:
        expect.only(link, THREE, ordered=False)
