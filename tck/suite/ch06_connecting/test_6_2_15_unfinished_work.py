"""6.2.15 Closing a session with unfinished work: its open transaction, and messages that are not acknowledged."""

from __future__ import annotations

from tck import api
from tck.suite.support import Case, asserts, expect
from tck.suite.support.clients.client import Client
from tck.suite.support.clients.gathering import numbered
from tck.suite.support.clients.link import Link
from tck.suite.support.clients.listeners import CollectingListener
from tck.suite.support.lifecycle.stopping import sender_to
from tck.suite.support.lifecycle.waiting import reach_the_waiting

TRANSACTED = ("transacted",)
DELIVERY_MODES = (api.DeliveryMode.PERSISTENT, api.DeliveryMode.NON_PERSISTENT)


@asserts("6.2.15-14", ack=TRANSACTED)
def test_close_discards_what_an_open_transaction_sent(case: Case) -> None:
    """What an open transaction sent, first or after a commit, arrives nowhere, after the close and after that of the connection."""
    with expect.all_of():
        for committed in (0, 2):
            watchers = [case.link("auto"), case.link("auto")]
            base = case.client()
            client = base.peer()
            senders = [client.sender(watcher.destination) for watcher in watchers]
            for text in numbered(committed):
                for sender in senders:
                    sender.send(client.text(text))
                client.commit()
            for mode in DELIVERY_MODES:
                for sender in senders:
                    sender.send(client.text("never committed"), mode=mode)
            client.close_session()
            with expect.all_of():
                for watcher in watchers:
                    expect.only(watcher, numbered(committed))
                base.close()
                for watcher in watchers:
                    expect.only(watcher)


@asserts("6.2.15-14", ack=TRANSACTED, variant="received-too")
def test_close_discards_the_replies_of_an_open_transaction(case: Case) -> None:
    """What a transaction sent after it had received, the consumer still open or closed, is discarded by the close."""
    with expect.all_of():
        for closed in (False, True):
            watcher, link = case.link("auto"), case.link(client=case.client().peer())
            sender_to(link).send_all(numbered(2))
            reply = link.client.sender(watcher.destination)
            for message in expect.arrives(link, numbered(2), settle=False):
                reply.send(message)
            if closed:
                link.consumer.close()
            link.client.close_session()
            with expect.all_of():
                expect.only(watcher)


class _Place:
    """A queue, or a topic with a durable subscription; one connection, whose sessions consume it in turn."""

    def __init__(self, case: Case) -> None:
        self._case = case
        self._name = case.name("s")
        self._base: Client | None = None
        self.destination = case.destination()

    def open(self, ack: str | None = None, *, anew: bool = False) -> Link:
        """Open a consumer in a session of its own, on the same connection or on a new one."""
        if self._base is None or anew:
            if self._base is not None:
                self._base.close()
            self._base = self._case.client(client_id=self._name if self._case.domain == "topic" else None)
        return self._case.link(client=self._base.peer(ack), destination=self.destination, durable=self._name)


def _comes_back(case: Case) -> None:
    """Close sessions that have received without settling: what they received comes to another session, and nothing else."""
    with expect.all_of():
        for settled in (0, 2):
            for by_listener in (False, True):
                for anew in (False, True):
                    with expect.all_of():
                        _comes_back_once(case, settled, by_listener=by_listener, anew=anew)


def _comes_back_once(case: Case, settled: int, *, by_listener: bool, anew: bool) -> None:
    place = _Place(case)
    link = place.open()
    sender_to(link).send_all(numbered(settled))
    for text in numbered(settled):
        expect.arrives(link, [text])
    texts = [f"unsettled {number}" for number in range(3)]
    _receive(link, texts, by_listener=by_listener)
    link.client.close_session()
    again = place.open("auto", anew=anew)
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


@asserts("6.2.15-15", ack=TRANSACTED)
def test_close_returns_what_an_open_transaction_received_from_a_queue(case: Case) -> None:
    """What an open transaction received from a queue, by receive() or a listener, first or after a commit, is redelivered."""
    _comes_back(case)


@asserts("6.2.15-16", ack=TRANSACTED)
def test_close_keeps_what_an_open_transaction_received_from_a_subscription(case: Case) -> None:
    """What an open transaction received from a durable subscription is redelivered when another session resumes that."""
    _comes_back(case)


@asserts("6.2.15-17", ack=("client",))
def test_close_does_not_acknowledge_queue_messages(case: Case) -> None:
    """What was received from a queue and not acknowledged, first or after an acknowledgement, comes to another session."""
    _comes_back(case)


@asserts("6.2.15-18", ack=("client",))
def test_close_does_not_acknowledge_messages_of_a_subscription(case: Case) -> None:
    """What was received from a durable subscription and not acknowledged comes when another session resumes that."""
    _comes_back(case)


@asserts("6.2.15-15", ack=("transacted",), domain=("queue",), variant="waiting")
def test_the_close_of_a_session_reaches_a_consumer_that_waits(case: Case) -> None:
    """What a closed transacted session had received goes to a consumer elsewhere that waits already."""
    reach_the_waiting(case, lambda link: link.client.close_session())
