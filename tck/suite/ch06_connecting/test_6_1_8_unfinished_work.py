"""6.1.8 Closing a connection with unfinished work: open transactions, unacknowledged messages, undelivered messages."""

from __future__ import annotations

from functools import partial
from typing import Any

from tck import api
from tck.suite.support import Case, asserts, expect
from tck.suite.support.clients.branches import branching
from tck.suite.support.clients.completion import Completion
from tck.suite.support.clients.gathering import numbered
from tck.suite.support.clients.link import Link
from tck.suite.support.clients.listeners import CollectingListener
from tck.suite.support.lifecycle.stopping import sender_to, sessions_of
from tck.suite.support.lifecycle.waiting import reach_the_waiting

TRANSACTED = ("transacted",)
DELIVERY_MODES = (api.DeliveryMode.PERSISTENT, api.DeliveryMode.NON_PERSISTENT)


class _Place:
    """A queue, or a topic with a durable subscription, whose messages outlast a connection."""

    def __init__(self, case: Case) -> None:
        self._case = case
        self._name = case.name("s")
        self.destination = case.destination()

    def open(self, ack: str | None = None) -> Link:
        """Open a consumer on a connection of its own."""
        return self._case.link(ack, destination=self.destination, durable=self._name)


@asserts("6.1.8-26", ack=TRANSACTED)
def test_close_discards_what_an_open_transaction_sent(case: Case) -> None:
    """What an open transaction sent, to two destinations, first or after a commit, arrives nowhere once its connection is closed."""
    with expect.all_of():
        for committed in (0, 2):
            watchers = [case.link("auto"), case.link("auto")]
            client = case.client()
            senders = [client.sender(watcher.destination) for watcher in watchers]
            for text in numbered(committed):
                for sender in senders:
                    sender.send(client.text(text))
                client.commit()
            for mode in DELIVERY_MODES:
                for sender in senders:
                    sender.send(client.text("never committed"), mode=mode)
            if committed:
                client.stop()
            client.close()
            for watcher in watchers:
                with expect.all_of():
                    expect.only(watcher, numbered(committed))


@asserts("6.1.8-26", ack=TRANSACTED, variant="received-too")
def test_close_discards_the_replies_of_an_open_transaction(case: Case) -> None:
    """What a transaction sent after it had received, the consumer still open or closed, is discarded by the close."""
    with expect.all_of():
        for closed in (False, True):
            watcher, link = case.link("auto"), case.link()
            sender_to(link).send_all(numbered(2))
            reply = link.client.sender(watcher.destination)
            for message in expect.arrives(link, numbered(2), settle=False):
                reply.send(message)
            if closed:
                link.consumer.close()
            link.client.close()
            with expect.all_of():
                expect.only(watcher)


@asserts("6.1.8-26", ack=TRANSACTED, api=("classic", "simplified"), variant="asynchronous")
def test_close_discards_what_an_open_transaction_sent_asynchronously(case: Case) -> None:
    """What an open transaction sent asynchronously, completed or still on its way, arrives nowhere after the close."""
    if not case.offers("asynchronous sends"):
        expect.only(case.link("auto"))
        return
    watcher, client = case.link("auto"), case.client()
    for number in range(3):
        completion = Completion(case.provider.clock.event(), lambda _: {})
        sender = client.sender(watcher.destination)
        producer: Any = sender.producer
        message = client.text(f"never committed {number}")
        if case.api == "simplified":
            producer.set_async(completion).send(watcher.destination, message)
        else:
            producer.send(message, completion_listener=completion)
    client.close()
    expect.only(watcher)


def _comes_back(case: Case) -> None:
    """Close connections that have received without settling, some of them stopped: what they received comes to the next consumer, and nothing else."""
    with expect.all_of():
        for settled, stopped in ((0, False), (2, False), (0, True)):
            for by_listener in (False, True):
                place = _Place(case)
                link = place.open()
                sender_to(link).send_all(numbered(settled))
                for text in numbered(settled):
                    expect.arrives(link, [text])
                texts = [f"unsettled {number}" for number in range(3)]
                _receive(link, texts, by_listener=by_listener)
                if stopped:
                    link.client.stop()
                link.client.close()
                again = place.open("auto")
                with expect.all_of():
                    expect.arrives(again, texts, ordered=False)
                    expect.only(again)


def _receive(link: Link, texts: list[str], *, by_listener: bool) -> None:
    """Receive messages that are sent now, by calls of receive() or by a listener, without settling."""
    listener = CollectingListener(link.case)
    if by_listener:
        link.consumer.message_listener = listener
    sender_to(link).send_all(texts)
    if by_listener:
        expect.equal("what the listener got", listener.after(len(texts)), texts)
    else:
        expect.arrives(link, texts, settle=False)


@asserts("6.1.8-27", ack=TRANSACTED)
def test_close_returns_what_an_open_transaction_received_from_a_queue(case: Case) -> None:
    """What an open transaction received from a queue, by receive() or a listener, first or after a commit, is redelivered."""
    _comes_back(case)


@asserts("6.1.8-28", ack=TRANSACTED)
def test_close_keeps_what_an_open_transaction_received_from_a_subscription(case: Case) -> None:
    """What an open transaction received from a durable subscription is redelivered when that is resumed."""
    _comes_back(case)


@asserts("6.1.8-31", ack=("client",))
def test_close_does_not_acknowledge_queue_messages(case: Case) -> None:
    """What was received from a queue and not acknowledged, first or after an acknowledgement, comes to the next consumer."""
    _comes_back(case)


@asserts("6.1.8-32", ack=("client",))
def test_close_does_not_acknowledge_messages_of_a_subscription(case: Case) -> None:
    """What was received from a durable subscription and not acknowledged is redelivered when that is resumed."""
    _comes_back(case)


@asserts("6.1.8-29", ack=TRANSACTED)
def test_close_rolls_back_the_transactions_of_all_sessions(case: Case) -> None:
    """Close rolls back what three sessions sent and received, one of them with its consumer closed and one with a listener."""
    client = case.client()
    clients = [client, client.peer(), client.peer()]
    watchers = [case.link("auto") for _ in clients]
    places = [case.queue() for _ in clients] if case.domain == "queue" else []
    links = [case.link(client=one, destination=place) for one, place in zip(clients, places, strict=False)]
    for one, watcher in zip(clients, watchers, strict=True):
        one.sender(watcher.destination).send(one.text("never committed"))
    for link in links:
        case.link("auto", destination=link.destination, consumes=False).send("received")
        expect.arrives(link, ["received"], settle=False)
    for one in clients[:: 1 if case.api == "simplified" else len(clients)]:
        one.close()
    with expect.all_of():
        for watcher in watchers:
            with expect.all_of():
                expect.only(watcher)
        for link in links:
            with expect.all_of():
                expect.arrives(case.link("auto", destination=link.destination), ["received"])


@asserts("6.1.8-30", ack=TRANSACTED)
def test_close_leaves_a_prepared_branch_to_its_transaction_manager(case: Case) -> None:
    """After the close a prepared branch is committed or rolled back through another connection, with its sends and receives."""
    with expect.all_of():
        for commit in (True, False):
            side, place, watcher = branching(case), case.destination("queue"), case.link("auto")
            with expect.all_of():
                _prepared_and_closed(case, side, place, watcher, commit=commit)


def _prepared_and_closed(case: Case, side: Any, place: api.Destination, watcher: Link, *, commit: bool) -> None:
    own = case.link("auto", destination=place, consumes=False) if case.domain == "queue" else None
    if own is not None:
        own.send("received in the branch")
    xid = side.begin()
    if own is not None:
        source = case.link(client=side.client, destination=place)
        expect.arrives(source, ["received in the branch"], settle=False)
    side.client.sender(watcher.destination).send(side.client.text("sent in the branch"))
    side.end(xid)
    side.resource.prepare(xid)
    side.client.close()
    manager = branching(case).resource
    finish = partial(manager.commit, xid, False) if commit else partial(manager.rollback, xid)
    expect.works("the decision of the transaction manager", finish)
    expect.only(watcher, ["sent in the branch"] if commit else [])
    if own is not None:
        expect.only(case.link("auto", destination=place), [] if commit else ["received in the branch"])


def _loses_nothing(case: Case) -> None:
    """Close connections that have received one of 30 messages: the others come to the next consumer, in order."""
    with expect.all_of():
        for mode in DELIVERY_MODES:
            for state in ("running", "stopped", "with a second session"):
                place = _Place(case)
                link = place.open()
                if state == "with a second session":
                    case.link(client=sessions_of(link.client, 2)[1], destination=case.destination())
                sender = sender_to(link)
                for text in numbered(30):
                    sender.send(text, mode=mode)
                expect.arrives(link, ["001"])
                if state == "stopped":
                    link.client.stop()
                link.client.close()
                again = place.open("auto")
                with expect.all_of():
                    expect.arrives(again, numbered(30)[1:])
                    expect.only(again)


@asserts("6.1.8-33", ack=("auto", "client", "transacted"))
def test_close_loses_no_undelivered_queue_message(case: Case) -> None:
    """Messages of a queue that may be at the client already, persistent or not, come to the next consumer after the close."""
    _loses_nothing(case)


@asserts("6.1.8-34", ack=("auto", "client", "transacted"))
def test_close_loses_no_undelivered_message_of_a_subscription(case: Case) -> None:
    """Messages of a durable subscription that may be at the client already come when it is resumed after the close."""
    _loses_nothing(case)


@asserts("6.1.8-31", ack=("client",), domain=("queue",), variant="waiting")
def test_the_close_of_a_connection_reaches_a_consumer_that_waits(case: Case) -> None:
    """What a closed connection had received and not acknowledged goes to a consumer of another connection that waits already."""
    reach_the_waiting(case, lambda link: link.client.close(), peers=(False,))
