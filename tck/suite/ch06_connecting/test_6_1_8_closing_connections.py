"""6.1.8 Closing a connection: calls that wait, what is released, and closing again."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from tck import api
from tck.suite.support import Case, asserts, expect
from tck.suite.support.clients.client import Client
from tck.suite.support.clients.gathering import numbered
from tck.suite.support.clients.link import Link
from tck.suite.support.clients.listeners import CollectingListener
from tck.suite.support.harness.threads import Call
from tck.suite.support.lifecycle.stopping import receiving, sender_to, sessions_of
from tck.suite.support.lifecycle.unstarted import unstarted
from tck.suite.support.values.seen import tried

MODES = ("auto", "client", "dups_ok", "transacted")
PARTS = ("classic", "domain-specific")


@asserts("6.1.8-35", ack=("client",))
def test_acknowledge_after_the_connection_was_closed(case: Case) -> None:
    """acknowledge() of a message raises IllegalStateException once the connection it came through is closed."""
    link = case.link()
    link.send_all(("one", "two"))
    expect.works("acknowledge() before", link.take().acknowledge)
    message = link.take()
    link.client.close()
    expect.raises(
        api.IllegalStateException, message.acknowledge, what="acknowledge() after the close of the connection"
    )


def _timeouts(case: Case) -> tuple[tuple[int, ...], ...]:
    """Return the arguments of a receive() without a time limit and with one that is longer than any case."""
    return (), (0,), (3_600_000 if case.provider.clock.virtual else 20 * case.timing.deadline,)


def _waiting(link: Link, *timeout: int) -> Call[object]:
    """Call receive() on a thread of its own, on a destination that is empty but works."""
    link.send("x")
    expect.arrives(link, ["x"])
    call = receiving(link, *timeout)
    expect.waits(call, f"receive{timeout}", "on an empty destination")
    return call


@asserts("6.1.8-1", ack=MODES)
def test_close_ends_a_receive_that_waits(case: Case) -> None:
    """receive() that another thread waits in, with a long time limit and without one, ends when the connection is closed."""
    with expect.all_of():
        for timeout in _timeouts(case):
            link = case.link()
            call = _waiting(link, *timeout)
            closing = case.spawn("close", link.client.close)
            expect.true(f"receive{timeout} ends after close()", call.ends_within(), "it was still waiting")
            closing.ends_within()


def _ends_though_lost(case: Case, lose: Callable[[Link], None]) -> None:
    """Let the connection be lost while receive() waits: the call ends, at the latest with the close(); how is recorded."""
    seen: list[str] = []
    with expect.all_of():
        for timeout in _timeouts(case):
            link = case.link()
            call = _waiting(link, *timeout)
            lose(link)
            closing = case.spawn("close", partial(tried, link.client.close))  # it may fail
            ended = call.ends_within()
            expect.true(f"receive{timeout} ends after close()", ended, "it was still waiting")
            closing.ends_within()
            seen.append(str(tried(call.result) if ended else "waits"))
    expect.record(f"receive() on a lost connection: {', '.join(sorted(set(seen)))}")


@asserts("6.1.8-1", variant="killed")
def test_close_ends_a_receive_whose_provider_died(case: Case) -> None:
    """receive() that waits when the provider dies ends, at the latest when the connection is closed."""
    case.needs(api.Hook.KILL)
    _ends_though_lost(case, lambda _: case.provider.kill())


@asserts("6.1.8-2", ack=MODES, api=PARTS)
def test_close_ends_the_receives_of_all_sessions(case: Case) -> None:
    """close() ends the receive() that waits in each of four sessions."""
    client = case.client()
    links = [case.link(client=one) for one in sessions_of(client, 4)]
    calls = [_waiting(link) for link in links]
    case.spawn("close", client.close)
    with expect.all_of():
        for number, call in enumerate(calls):
            expect.true(f"receive() of session {number} ends", call.ends_within(), "it was still waiting")


@asserts("6.1.8-3", ack=MODES)
def test_close_ends_a_receive_on_a_stopped_connection(case: Case) -> None:
    """close() ends a receive() that waits on a connection stopped before or since, or never started, message or not."""
    _prove(case)
    with expect.all_of():
        for words in ("stopped", "stopped since", "never started"):
            for sent in (0, 1):
                client = unstarted(case) if words == "never started" else case.client()
                call = _parked(case.link(client=client), words, sent)
                closing = case.spawn("close", client.close)
                what = f"receive() on a connection {words}, with {sent} messages,"
                expect.true(f"{what} ends", call.ends_within(), f"{what} was still waiting")
                closing.ends_within()


def _prove(case: Case) -> None:
    other = case.link()
    other.send("x")
    expect.arrives(other, ["x"])


def _parked(link: Link, words: str, sent: int) -> Call[object]:
    """Return a receive() that waits on a connection that does not run."""
    case, sender = link.case, sender_to(link)
    if words == "stopped since":
        call = receiving(link)
        case.until_blocked(call, "the other thread is in receive() by now")
        _stop(link.client)
        sender.send_all(numbered(sent))
    else:
        if words == "stopped":
            link.client.stop()
        sender.send_all(numbered(sent))
        call = receiving(link)
    case.until_blocked(call, "the other thread is in receive() by now")
    return call


def _stop(client: Client) -> None:
    """Stop the connection while another thread is in a call: on a sibling, where a context serves one thread."""
    if client.case.api != "simplified":
        client.stop()
        return
    sibling = client.peer()
    Link(sibling, client.case.destination())
    sibling.stop()
    sibling.close()


@asserts("6.1.8-4", ack=MODES)
def test_a_receive_that_close_ends_returns_normally(case: Case) -> None:
    """receive() that close() ends returns null or a message and raises nothing, with a message held back by a stop and without."""
    with expect.all_of():
        for timeout in _timeouts(case):
            link = case.link()
            call = _waiting(link, *timeout)
            closing = case.spawn("close", link.client.close)
            _returns_normally(call, f"receive{timeout}")
            closing.ends_within()
        for words in ("stopped", "never started"):
            client = unstarted(case) if words == "never started" else case.client()
            call = _parked(case.link(client=client), words, 1)
            closing = case.spawn("close", client.close)
            _returns_normally(call, f"receive() on a connection {words}")
            closing.ends_within()


def _returns_normally(call: Call[object], what: str) -> None:
    value = expect.returns(call, what)
    expect.true(f"{what} returns null or a message", value is None or isinstance(value, api.Message), f"it was {value}")


@asserts("6.1.8-11", ack=MODES)
def test_close_waits_for_receives(case: Case) -> None:
    """When close() has returned, the receive() that waited in each session has returned, with no time in between."""
    client = case.client()
    count = 1 if case.api == "simplified" else 3
    calls = [_waiting(case.link(client=one)) for one in sessions_of(client, count)]
    client.close()
    ended = [case.over(call) for call in calls]
    expect.equal("the receives that had returned when close() did", ended, [True] * count)


@asserts("6.1.8-16")
def test_closed_connections_hold_nothing(case: Case) -> None:
    """After 40 connections were closed with open parts, one new consumer gets everything, and the client identifier is free."""
    destination, client_id = case.destination(), case.name("c")
    for number in range(40):
        client = expect.works(f"connection {number}", lambda: case.client(client_id=client_id))
        for session in sessions_of(client, 2):
            case.link(client=session, destination=destination)
            listening = case.link(client=session, destination=case.destination())
            listening.consumer.message_listener = CollectingListener(case)
        client.temporary()
        client.close()
    last = expect.works("the last connection", lambda: case.client(client_id=client_id))
    receiver = case.link(client=last, destination=destination)
    sender_to(receiver).send_all(numbered(40))
    expect.arrives(receiver, numbered(40))
    expect.only(receiver)


def _active(link: Link, words: str) -> None:
    """Bring the consumer into a state in which its connection is closed."""
    case = link.case
    if words == "receiving":
        case.until_blocked(receiving(link), "the other thread is in receive() by now")
    elif words == "listening":
        link.consumer.message_listener = CollectingListener(case)
    elif words == "with messages in hand":
        sender_to(link).send_all(numbered(2))
        link.take_all(2)
    elif words == "stopped":
        link.client.stop()


STATES = ("idle", "receiving", "listening", "with messages in hand", "stopped")


@asserts("6.1.8-17", ack=MODES)
def test_close_frees_durable_subscriptions(case: Case) -> None:
    """After the close of the connection alone its durable subscription is resumed and unsubscribed elsewhere."""
    with expect.all_of():
        for words in STATES:
            name = case.name("s")
            link = case.link(durable=name)
            _active(link, words)
            link.client.close()
            sender_to(link).send("meanwhile")
            again = expect.works(
                f"resuming a subscription whose consumer was {words}",
                partial(case.link, "auto", destination=link.destination, durable=name),
            )
            expect.true(f"the subscription of a consumer {words} delivers", again.poll() is not None, "nothing came")
            again.client.close()
            other = case.client("auto", domain="topic", client_id=name)
            expect.works(f"unsubscribing after a consumer was {words}", partial(other.session.unsubscribe, name))
            other.close()


@asserts("6.1.8-25", ack=("auto", "transacted"))
def test_a_with_statement_closes_a_connection(case: Case) -> None:
    """A connection is closed at the end of a with block: in order, and by an exception."""
    with expect.all_of():
        for error in (None, ValueError("in the block")):
            link = case.link()
            connection = link.client.connection
            expect.true("the block ends as written", _block(connection, link, error) is error, "another exception came")
            closed = case.thrown(api.JMSException)  # 6.1.8-42 has its type
            expect.raises(closed, partial(getattr, connection, "meta_data"), what="getMetaData() after it")


def _block(connection: api.Connection | api.JMSContext, link: Link, error: Exception | None) -> Exception | None:
    """Use a connection in a with block, which may end with an exception; return that exception."""
    try:
        with connection:
            link.send("x")
            expect.arrives(link, ["x"])
            if error is not None:
                raise error
    except ValueError as raised:
        return raised
    return None


def _parts(link: Link) -> dict[str, Callable[[], object]]:
    """Return the close() of each part of a connection, by words for it."""
    session = link.client.session
    parts: dict[str, Callable[[], object]] = {"a consumer": link.consumer.close, "a producer": link.sender.close}
    if link.case.api != "simplified":
        parts["a session"] = session.close
    if link.case.domain == "queue":
        parts["a browser"] = session.create_browser(link.destination).close
    return parts


@asserts("6.1.8-44", ack=MODES)
def test_parts_of_a_closed_connection_close(case: Case) -> None:
    """close() of consumers, producers, browsers and sessions raises nothing after their connection was closed, twice."""
    with expect.all_of():
        for words in ("idle", "listening", "with messages in hand"):
            link = case.link()
            link.send("x")
            expect.arrives(link, ["x"])
            _active(link, words)
            parts = _parts(link)
            link.client.close()
            for what, close in (*parts.items(), *parts.items()):
                with expect.all_of():
                    expect.works(f"close() of {what}, {words}", close)


def _closed_again(case: Case) -> None:
    """Close connections in several states three times, and one by two threads at once."""
    with expect.all_of():
        for words in STATES:
            link = case.link()
            link.send("x")
            expect.arrives(link, ["x"])
            _active(link, words)
            for count in range(3):
                with expect.all_of():
                    expect.works(f"close() number {count + 1} of a connection {words}", link.client.close)
        link = case.link()
        closing = [case.spawn("close", link.client.close) for _ in range(2)]
        for call in closing:
            expect.returns(call, "close() by one of two threads")


@asserts("6.1.8-47", ack=MODES)
def test_a_connection_is_closed_again(case: Case) -> None:
    """close() of a closed connection raises nothing: the second and the third time, and by two threads at once."""
    _closed_again(case)


@asserts("6.1.8-48", ack=MODES)
def test_a_context_is_closed_again(case: Case) -> None:
    """close() of a closed context raises nothing: the second and the third time, and by two threads at once."""
    _closed_again(case)
