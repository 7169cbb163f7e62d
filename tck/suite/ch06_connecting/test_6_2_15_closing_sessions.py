"""6.2.15 Closing a session: its connection, calls that wait, its parts, and closing again."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from tck import api
from tck.suite.support import Case, asserts, expect
from tck.suite.support.clients.client import Client
from tck.suite.support.clients.gathering import numbered
from tck.suite.support.clients.link import Link
from tck.suite.support.clients.listeners import CollectingListener
from tck.suite.support.harness.threads import Call
from tck.suite.support.lifecycle.stopping import receiving, sender_to

MODES = ("auto", "client", "dups_ok", "transacted")


@asserts("6.2.15-1", ack=MODES)
def test_the_connection_outlasts_a_session(case: Case) -> None:
    """After the close of some sessions, and of all, the others work, a listener among them, and new ones can be created."""
    client = case.client()
    sessions = [client, client.peer(), client.peer(), client.peer("auto")]
    listening, gathering = case.link(client=sessions[3]), CollectingListener(case)
    sender = sender_to(listening)
    listening.consumer.message_listener = gathering
    case.link(client=sessions[1]).send("before")
    with expect.all_of():
        for number in (1, 0):
            sessions[number].close_session()
            link = case.link(client=sessions[2])
            link.send(f"{number}")
            expect.arrives(link, [f"{number}"])
            sender.send(f"{number}")
        expect.equal("what the listener of another session got", gathering.after(2), ["1", "0"])
        for one in sessions[2:]:
            one.close_session()
        again = case.link(client=expect.works("createSession() after all were closed", client.peer))
        again.send("in a new session")
        expect.arrives(again, ["in a new session"])
        expect.works("getMetaData() after all sessions were closed", lambda: client.connection.meta_data)


def _timeouts(case: Case) -> tuple[tuple[int, ...], ...]:
    """Return the arguments of a receive() without a time limit and with one that is longer than any case."""
    return (), (0,), (3_600_000 if case.provider.clock.virtual else 20 * case.timing.deadline,)


def _session(case: Case) -> Client:
    """Return the client of a session whose connection has another one."""
    return case.client().peer()


def _waiting(link: Link, *timeout: int) -> Call[object]:
    """Call receive() on a thread of its own, on a destination that is empty but works."""
    link.send("x")
    expect.arrives(link, ["x"])
    call = receiving(link, *timeout)
    expect.waits(call, f"receive{timeout}", "on an empty destination")
    return call


@asserts("6.2.15-3", ack=MODES)
def test_close_ends_a_receive_that_waits(case: Case) -> None:
    """receive() that another thread waits in ends when its session is closed, whatever its time limit; others go on waiting."""
    with expect.all_of():
        for timeout in _timeouts(case):
            link, other = case.link(client=_session(case)), case.link()
            calls = [_waiting(one, *timeout) for one in (link, other)]
            closing = case.spawn("close", link.client.close_session)
            expect.true(f"receive{timeout} ends after close()", calls[0].ends_within(), "it was still waiting")
            expect.returns(closing, "close()")
            expect.waits(calls[1], f"receive{timeout} of another connection", "after the close of the session")
            sender_to(other).send("for the other")
            expect.true("the other receive() ends", calls[1].ends_within(), "it was still waiting")


@asserts("6.2.15-3", ack=MODES, variant="stopped")
def test_close_ends_a_receive_on_a_stopped_connection(case: Case) -> None:
    """receive() that waits on a stopped connection, a message there or not, ends when its session is closed."""
    with expect.all_of():
        for sent in (0, 1):
            client = case.client()
            link = case.link(client=client.peer())
            link.send("x")
            expect.arrives(link, ["x"])
            client.stop()
            sender_to(link).send_all(numbered(sent))
            call = receiving(link)
            case.until_blocked(call, "the other thread is in receive() by now")
            closing = case.spawn("close", link.client.close_session)
            what = f"receive() on a stopped connection with {sent} messages"
            expect.true(f"{what} ends", call.ends_within(), f"{what} was still waiting")
            expect.returns(closing, "close()")


@asserts("6.2.15-4", ack=MODES)
def test_a_receive_that_close_ends_returns_null(case: Case) -> None:
    """receive() without a message returns null when its session is closed, with a time limit or none, with a selector or none."""
    with expect.all_of():
        for timeout in _timeouts(case):
            for selector in (None, "other IS NULL"):
                link = case.link(client=_session(case), selector=selector)
                call = _waiting(link, *timeout)
                closing = case.spawn("close", link.client.close_session)
                result = expect.returns(call, f"receive{timeout} that close() ends")
                expect.equal(f"the result of receive{timeout}, the selector {selector},", result, None)
                expect.returns(closing, "close()")


@asserts("6.2.15-6", ack=MODES)
def test_close_waits_for_a_receive(case: Case) -> None:
    """close() of a session returns after the receive() of each time limit that it ends has returned."""
    with expect.all_of():
        for timeout in _timeouts(case):
            link = case.link(client=_session(case))
            call = _waiting(link, *timeout)
            closing = case.spawn("close", partial(_close_and_look, link, call))
            ended = expect.returns(closing, "close()")
            expect.true(f"receive{timeout} has returned when close() has", ended, "it was still waiting")


def _close_and_look(link: Link, call: Call[object]) -> bool:
    """Close the session; return whether a call had ended then."""
    link.client.close_session()
    return link.case.over(call)


@asserts("6.2.15-12", ack=MODES)
def test_close_closes_the_parts_of_a_session(case: Case) -> None:
    """After the close producers and consumers raise, and what the consumers held comes to another one; nothing more goes to them."""
    client = case.client()
    link = case.link(client=client.peer())
    second = case.link(client=link.client, destination=link.destination) if case.domain == "queue" else link
    sender = sender_to(link)
    sender.send_all(numbered(2))
    watcher = case.link("auto", client=client.peer("auto"), destination=link.destination, consumes=False)
    late = link.text("late")
    link.client.close_session()
    calls: dict[str, Callable[[], object]] = {
        "send()": partial(link.sender.send, late),
        "receive()": partial(link.consumer.receive, 1),
        "receiveNoWait() of the second": second.consumer.receive_no_wait,
    }
    watcher.use(watcher.client.consumer(link.destination))
    sender.send_all(["003", "004"])
    expect.arrives(watcher, numbered(4) if case.domain == "queue" else ["003", "004"], ordered=False)
    with expect.all_of():
        for what, call in calls.items():
            with expect.all_of():
                expect.raises(api.IllegalStateException, call, what=f"{what} after the close")


@asserts("6.2.15-12", ack=("auto", "transacted"), domain=("queue",), variant="browsers")
def test_close_closes_the_browsers_of_a_session(case: Case) -> None:
    """After the close getEnumeration() of a browser, used or not, is refused."""
    link = case.link(client=_session(case), consumes=False)
    link.send_all(numbered(3))
    browsers = {what: link.client.session.create_browser(link.destination) for what in ("used", "fresh")}
    seen = [message.text for message in browsers["used"].get_enumeration()]
    expect.equal("what the browser shows", seen, numbered(3))
    link.client.close_session()
    with expect.all_of():
        for what, browser in browsers.items():
            with expect.all_of():
                enumerate_ = browser.get_enumeration
                expect.raises(api.JMSException, enumerate_, what=f"getEnumeration() of a {what} browser")


@asserts("6.2.15-12", ack=MODES, domain=("topic",), variant="durable")
def test_close_frees_the_durable_subscriptions_of_a_session(case: Case) -> None:
    """A durable subscription of a closed session is resumed by another session, or is unsubscribed, messages in hand or not."""
    with expect.all_of():
        for messages in (0, 3):
            for resumed in (True, False):
                with expect.all_of():
                    _freed(case, messages, resumed=resumed)


def _freed(case: Case, messages: int, *, resumed: bool) -> None:
    name = case.name("s")
    client = case.client(client_id=name)
    link = Link(client.peer(), case.topic(), durable=name)
    sender = sender_to(link)
    sender.send_all(numbered(messages))
    expect.arrives(link, numbered(messages)[:1], settle=False)
    link.client.close_session()
    other = client.peer("auto")
    if resumed:
        resume = partial(Link, other, link.destination, durable=name)
        again = expect.works("resuming the durable subscription", resume)
        sender.send("since")
        marker = sender.mark()
        texts = [str(message.text) for message in iter(partial(_next, again, marker), None)]  # type: ignore[attr-defined]
        expect.equal("the last message of the resumed subscription", texts[-1:], ["since"])
        again.consumer.close()
    expect.works("unsubscribe()", partial(other.session.unsubscribe, name))


def _next(link: Link, marker: str) -> api.Message | None:
    message: Any = expect.arrival(link)
    return None if message.text == marker else message


class _LeftError(ValueError):
    """Ends a block."""


@asserts("6.2.15-13", ack=("auto", "transacted"))
def test_a_block_closes_its_session(case: Case) -> None:
    """A session is closed at the end of a block that manages it, left normally or by an exception; its connection is not."""
    closed = case.thrown(api.JMSException)  # 6.2.15-12 and 6.1.8-42 have its type
    with expect.all_of():
        for error in (None, _LeftError("of the client")):
            client = case.client()
            link = case.link(client=client.peer(), destination=case.destination())
            try:
                with link.client.session:
                    link.send("within")
                    expect.arrives(link, ["within"])
                    if error is not None:
                        raise error
            except _LeftError:
                pass
            expect.raises(closed, partial(link.client.session.create_text_message, "x"), what="a call after the block")
            other = case.link(client=client.peer())
            other.send("of another session")
            expect.arrives(other, ["of another session"])


@asserts("6.2.15-21", ack=MODES)
def test_parts_of_a_closed_session_can_be_closed(case: Case) -> None:
    """close() of the consumers, the producer and the browser of a closed session does nothing, called once and again."""
    client = case.client()
    link = case.link(client=client.peer())
    listening = case.link(client=link.client)
    link.send("x")
    expect.arrives(link, ["x"])
    listening.consumer.message_listener = CollectingListener(case)
    queue = case.queue()
    parts: dict[str, Any] = {"a consumer": link.consumer, "a consumer with a listener": listening.consumer}
    if case.domain == "queue":
        parts["a browser"] = link.client.session.create_browser(queue)
    if case.api != "simplified":
        parts["a producer"] = link.sender
    link.client.close_session()
    with expect.all_of():
        for turn in ("first", "second"):
            for what, part in parts.items():
                with expect.all_of():
                    expect.works(f"the {turn} close() of {what} of a closed session", part.close)


@asserts("6.2.15-24", ack=MODES)
def test_a_session_can_be_closed_again(case: Case) -> None:
    """close() of a closed session raises nothing, at once, later, from another thread, and after its connection was closed."""
    client = case.client()
    link = case.link(client=client.peer())
    link.send("x")
    expect.arrives(link, ["x"])
    link.client.close_session()
    with expect.all_of():
        for what in ("the second", "the third"):
            expect.works(f"{what} close()", link.client.close_session)
        expect.returns(case.spawn("close", link.client.close_session), "close() from another thread")
        never_closed = client.peer()
        client.close()
        expect.works("close() after that of the connection", link.client.close_session)
        expect.works("the first close() after that of the connection", never_closed.close_session)
