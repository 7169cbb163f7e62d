"""7.3.2 Exceptions of an asynchronous send: thrown by the call, or passed to onException, never both."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from tck import api
from tck.suite.support import Case, asserts, expect
from tck.suite.support.clients.asynchronous import Callbacks, occupied_by, send_async, sent_async
from tck.suite.support.clients.gathering import numbered
from tck.suite.support.clients.link import Link
from tck.suite.support.harness.outcome import Undecided

MODES = ("auto", "transacted")
Faulty = Mapping[str, Callable[[api.CompletionListener], object]]


def _send_to_null(link: Link, listener: api.CompletionListener) -> object:
    """Send asynchronously through an unidentified producer to a destination that is null."""
    producer: Any = link.client.sender().producer
    if link.case.api == "simplified":
        return producer.set_async(listener).send(None, link.text("x"))
    return producer.send(link.text("x"), destination=None, completion_listener=listener)


def _send_null(link: Link, listener: api.CompletionListener) -> object:
    """Send null asynchronously."""
    producer: Any = link.sender.producer
    if link.case.api == "simplified":
        return (
            link.client.session.create_producer()
            .set_async(listener)
            .send(link.destination, None, body_type=api.Message)
        )
    return producer.send(None, completion_listener=listener)


def _faulty(link: Link) -> Faulty:
    """Return asynchronous sends that cannot work, each for a reason that the call can find."""
    closed = link.client.peer()
    sender = closed.sender(link.destination)
    closed.close_session()
    return {
        "a send to a null destination": partial(_send_to_null, link),
        "a send of a null message": partial(_send_null, link),
        "a send on a closed session": lambda listener: send_async(sender, link.text("x"), listener),
    }


@asserts("7.3.2-1", ack=MODES)
def test_a_fault_in_the_call_is_thrown(case: Case) -> None:
    """An asynchronous send to null, of null, or on a closed session throws, though such a send works otherwise."""
    link = case.link()
    listener = Callbacks(case)
    sent_async(link, ["x"], listener)
    if link.client.transacted:
        link.client.commit()
    expect.arrives(link, ["x"])
    with expect.all_of():
        for what, call in _faulty(link).items():
            with expect.all_of():
                expect.raises(Exception, partial(call, Callbacks(case)), what=what)


def _to_what_was_deleted(link: Link) -> Faulty:
    """Return asynchronous sends to temporary destinations that were deleted, by producers made before and for no destination."""
    temporary: Any = link.client.temporary()
    own = Link(link.client, temporary)
    own.send("while it lives")
    expect.arrives(own, ["while it lives"])
    senders = {"of a producer for it": (own.sender, None), "of a producer for none": (link.client.sender(), temporary)}
    own.consumer.close()
    temporary.delete()
    return {
        f"a send {what} to a deleted destination, of mode {mode}": partial(
            send_async, sender, link.text("too late"), to=to, mode=mode
        )
        for what, (sender, to) in senders.items()
        for mode in (api.DeliveryMode.PERSISTENT, api.DeliveryMode.NON_PERSISTENT)
    }


@asserts("7.3.2-2", ack=MODES)
def test_no_callback_follows_a_thrown_exception(case: Case) -> None:
    """After a send that threw neither method of its listener is called, at once, with the next send, or at the close."""
    link = case.link()
    _none_is_called(case, link, _faulty(link))


@asserts("7.3.2-2", ack=MODES, variant="deleted")
def test_no_callback_follows_an_exception_about_a_deleted_destination(case: Case) -> None:
    """The same with sends to a temporary destination that was deleted, where they throw."""
    link = case.link()
    _none_is_called(case, link, {**_faulty(link), **_to_what_was_deleted(link)})


def _none_is_called(case: Case, link: Link, faulty: Faulty) -> None:
    """Make sends that throw, and others after them; demand that only the others have callbacks."""
    outcomes: dict[str, Callbacks] = {}
    for what, call in faulty.items():
        listener = Callbacks(case)
        with contextlib.suppress(Exception):
            call(listener)
            continue
        outcomes[what] = listener
    if not outcomes:
        raise Undecided("no faulty send threw an exception")
    good = Callbacks(case)
    sent_async(link, numbered(3), good)
    if link.client.transacted:
        link.client.commit()
    good.after(3)
    expect.arrives(link, numbered(3))
    link.client.close()  # behind it no callback is outstanding: those of the failed sends would have come too
    with expect.all_of():
        for what, listener in outcomes.items():
            expect.equal(f"callbacks after {what} threw", [call.failed for call in listener.begun], [])


def _answered(link: Link, sent: Mapping[str, Callbacks]) -> None:
    """Demand that each of these sends ends in just one callback, of one kind or the other."""
    for listener in sent.values():
        listener.after(1)
    link.case.minute()
    with contextlib.suppress(Exception):  # the link is lost
        link.client.close()  # behind it no callback is outstanding
    counts = {text: len(listener.begun) for text, listener in sent.items()}
    expect.equal("number of callbacks of each send", counts, dict.fromkeys(sent, 1))


@asserts("7.3.2-3", ack=MODES)
def test_outstanding_sends_are_answered_when_the_link_is_lost(case: Case) -> None:
    """Sends that wait for their callback when the connection is lost have one callback each."""
    link = case.link()
    held = occupied_by(link)
    sent = {text: Callbacks(case) for text in numbered(5)}
    for text, listener in sent.items():
        send_async(link.sender, link.text(text), listener)
    case.provider.sever(link.client.connection)
    held.release()
    _answered(link, sent)
    expect.equal("number of callbacks of the send before", len(held.begun), 1)


@asserts("7.3.2-3", ack=MODES, variant="while-sending")
def test_sends_are_answered_though_the_link_is_lost_while_they_are_made(case: Case) -> None:
    """Each send that does not throw while the connection is lost ends in one callback."""
    link = case.link()
    sent: dict[str, Callbacks] = {"first": Callbacks(case)}
    send_async(link.sender, link.text("first"), sent["first"])

    def send() -> None:
        for text in numbered(30):
            listener = Callbacks(case)
            with contextlib.suppress(api.JMSException, api.JMSRuntimeException):
                send_async(link.sender, link.text(text), listener)
                sent[text] = listener

    sending = case.spawn("sending", send)
    case.provider.sever(link.client.connection)
    expect.returns(sending, "sending over a link that is lost")
    _answered(link, sent)
