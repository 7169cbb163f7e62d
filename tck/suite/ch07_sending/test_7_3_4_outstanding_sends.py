"""7.3.4 Closing, committing and rolling back wait for outstanding asynchronous sends and their callbacks."""

from __future__ import annotations

from collections.abc import Callable

from tck import api
from tck.suite.support import Case, asserts, expect
from tck.suite.support.clients.asynchronous import Callbacks, send_async, sent_async
from tck.suite.support.clients.client import Client
from tck.suite.support.clients.gathering import numbered
from tck.suite.support.clients.link import Link
from tck.suite.support.lifecycle.stopping import under_way

MODES = ("auto", "client", "dups_ok", "transacted")
DELIVERY_MODES = (api.DeliveryMode.PERSISTENT, api.DeliveryMode.NON_PERSISTENT)


def _waits(case: Case, what: str, call: Callable[[], object], held: list[Callbacks], count: int) -> None:
    """Demand that a call waits for each of these listeners, the last to be released too, and returns behind all callbacks."""
    calling = case.spawn(what, call)
    for listener in held:
        case.until_blocked(calling, f"{what} must wait for a completion listener")
        early = calling.returned
        listener.release()
        expect.true(f"{what} waits for the callback of an asynchronous send", not early, f"{what} had returned")
    expect.returns(calling, f"{what} after the callbacks")
    ended = sum(listener.ended for listener in held)
    expect.equal(f"callbacks that have returned when {what} has", ended, count)


def _occupied(link: Link, *, mode: int | None = None) -> Callbacks:
    """Send three messages asynchronously whose listener is held in its first call."""
    listener = Callbacks(link.case, held=True)
    sent_async(link, numbered(3), listener, mode=mode)
    listener.occupied()
    return listener


@asserts("7.3.4-1", ack=MODES)
def test_closing_a_producer_waits(case: Case) -> None:
    """close() of a producer returns after the callbacks of its three sends, in each delivery mode; the session goes on."""
    with expect.all_of():
        for mode in DELIVERY_MODES:
            link = case.link()
            held = _occupied(link, mode=mode)
            _waits(case, "close()", link.sender.close, [held], 3)
            link.client.settle()
            expect.arrives(link, numbered(3))


@asserts("7.3.4-1", ack=("auto", "transacted"), variant="unidentified")
def test_closing_an_unidentified_producer_waits(case: Case) -> None:
    """close() of a producer without a destination waits for its sends, made after others had completed."""
    link = case.link()
    sender = link.client.sender()
    earlier, held = Callbacks(case), Callbacks(case, held=True)
    send_async(sender, link.text("earlier"), earlier, to=link.destination)
    earlier.one()
    for text in numbered(3):
        send_async(sender, link.text(text), held, to=link.destination)
    held.occupied()
    _waits(case, "close()", sender.close, [held], 3)


@asserts("7.3.4-2", ack=MODES)
def test_closing_a_session_waits(case: Case) -> None:
    """close() of a session returns after the callbacks of all its producers, an unclosed one and a second."""
    for mode in DELIVERY_MODES:
        link = case.link()
        held = _occupied(link, mode=mode)
        sender = link.client.sender(link.destination)
        send_async(sender, link.text("of a second producer"), held, mode=mode)
        _waits(case, "close()", link.client.close_session, [held], 4)


@asserts("7.3.4-3", ack=MODES)
def test_closing_a_connection_waits(case: Case) -> None:
    """close() of a connection returns after the callbacks of its three sessions, whichever of them is the last."""
    with expect.all_of():
        for last in range(3):
            client = case.client()
            links = [Link(one, case.destination(), consumes=False) for one in (client, client.peer(), client.peer())]
            held = [_occupied(link) for link in links]
            _waits(case, "close()", client.close, [*held[:last], *held[last + 1 :], held[last]], 9)


@asserts("7.3.4-4", ack=MODES)
def test_closing_a_context_waits(case: Case) -> None:
    """close() of a context returns after the callbacks of its producers; a second context of its connection stays open."""
    for mode in DELIVERY_MODES:
        link = case.link()
        sibling = case.link("auto", client=link.client.peer("auto"), destination=case.destination())
        held = _occupied(link, mode=mode)
        sender = link.client.sender(link.destination)
        send_async(sender, link.text("of a second producer"), held, mode=mode)
        _waits(case, "close()", link.client.close, [held], 4)
        sibling.send("still open")
        sibling.client.settle()
        expect.arrives(sibling, ["still open"])


def _sent_in_transaction(case: Case, mode: int, call: Callable[[Client], object], what: str) -> Link:
    """Send asynchronously and end the transaction while a callback is held, then the next one; return the receiver."""
    link = case.link(consumes=False)
    receiver = case.link("auto", destination=link.destination)
    held = _occupied(link, mode=mode)
    link.put("synchronous", mode=mode)
    _waits(case, what, lambda: call(link.client), [held], 3)
    link.put("never committed", mode=mode)
    link.client.rollback()
    return receiver


@asserts("7.3.4-5", ack=("transacted",))
def test_commit_waits(case: Case) -> None:
    """commit() returns after the callbacks, and all messages sent before it belong to the committed transaction."""
    with expect.all_of():
        for mode in DELIVERY_MODES:
            receiver = _sent_in_transaction(case, mode, lambda client: client.commit(), "commit()")
            expect.only(receiver, [*numbered(3), "synchronous"])


@asserts("7.3.4-5", ack=("transacted",), variant="many")
def test_commit_covers_every_outstanding_send(case: Case) -> None:
    """Each of four commits that follow upon ten asynchronous sends covers these ten, all completed, and no other."""
    link = case.link(consumes=False)
    receiver = case.link("auto", destination=link.destination)
    listener = Callbacks(case)
    for part in range(4):
        texts = [f"{part}-{text}" for text in numbered(10)]
        sent_async(link, texts, listener, mode=DELIVERY_MODES[part % 2])
        link.client.commit()
        expect.equal("callbacks that have returned when commit() has", listener.ended, 10 * (part + 1))
        expect.arrives(receiver, texts)


@asserts("7.3.4-6", ack=("transacted",))
def test_rollback_waits(case: Case) -> None:
    """rollback() returns after the callbacks, and no message sent before it arrives, then or with a later commit."""
    with expect.all_of():
        for mode in DELIVERY_MODES:
            receiver = _sent_in_transaction(case, mode, lambda client: client.rollback(), "rollback()")
            expect.only(receiver)


@asserts("7.3.4-6", ack=("transacted",), variant="many")
def test_rollback_covers_every_outstanding_send(case: Case) -> None:
    """No message of ten asynchronous sends survives the rollback behind them, and the next transaction commits its own."""
    link = case.link(consumes=False)
    receiver = case.link("auto", destination=link.destination)
    listener = Callbacks(case)
    for part in range(3):
        sent_async(link, numbered(10), listener, mode=DELIVERY_MODES[part % 2])
        link.client.rollback()
        expect.equal("callbacks that have returned when rollback() has", listener.ended, 11 * part + 10)
        sent_async(link, [f"committed {part}"], listener)
        link.client.commit()
    expect.only(receiver, [f"committed {part}" for part in range(3)])


ENDS = ("commit", "rollback")


@asserts("7.3.4-7", ack=MODES)
def test_outstanding_sends_complete_normally(case: Case) -> None:
    """Sends outstanding at close() end in onCompletion, and their messages arrive unless a transaction was open."""
    link = case.link(consumes=False)
    receiver = case.link("auto", destination=link.destination)
    listener = Callbacks(case, held=True)
    sent_async(link, numbered(20), listener)
    listener.occupied()
    closing = under_way(case, "close()", link.client.close)
    listener.release()
    expect.returns(closing, "close() after the callbacks")
    listener.after(20)
    expect.equal("sends that completed", listener.completed, numbered(20))
    expect.only(receiver, [] if link.client.transacted else numbered(20))


@asserts("7.3.4-7", ack=("transacted",), variant="in-transactions")
def test_outstanding_sends_of_a_transaction_complete_normally(case: Case) -> None:
    """Sends outstanding at commit() or rollback() end in onCompletion."""
    link = case.link(consumes=False)
    receiver = case.link("auto", destination=link.destination)
    with expect.all_of():
        for end in ENDS:
            listener = Callbacks(case)
            texts = [f"{end} {text}" for text in numbered(20)]
            sent_async(link, texts, listener)
            getattr(link.client, end)()
            listener.after(20)
            expect.equal(f"sends that completed, {end}() following", listener.completed, texts)
    expect.arrives(receiver, [f"commit {text}" for text in numbered(20)])
