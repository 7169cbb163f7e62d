"""6.2.5 Conventions for using a session: what other threads may do, and what listeners share."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from tck import api
from tck.suite.support import Case, asserts, expect
from tck.suite.support.clients.client import Client
from tck.suite.support.clients.gathering import numbered
from tck.suite.support.clients.interfaces import ClassicClient, DomainClient
from tck.suite.support.clients.link import Link
from tck.suite.support.clients.listeners import CollectingListener, Listener
from tck.suite.support.clients.raw import connection_of
from tck.suite.support.lifecycle.closings import closed_while_listening, closed_while_receiving
from tck.suite.support.values.seen import body

ALL = ("auto", "client", "dups_ok", "transacted")
SETTLED = ("auto", "transacted")


@asserts("6.2.5-2", api=("classic", "domain-specific"), ack=ALL, variant="receive")
def test_a_session_or_connection_is_closed_while_another_thread_receives(case: Case) -> None:
    """Session and connection can be closed while another thread is in receive(), which then ends."""
    for choose in (lambda link: link.client.session.close, lambda link: link.client.connection.close):
        closed_while_receiving(case.link(), choose)


@asserts("6.2.5-2", api=("classic", "domain-specific"), ack=ALL, variant="listener")
def test_a_session_or_connection_is_closed_while_a_listener_runs(case: Case) -> None:
    """Session and connection can be closed by a thread that is not the session's, while its listener runs."""
    for choose in (lambda link: link.client.session.close, lambda link: link.client.connection.close):
        closed_while_listening(case.link(), choose)


@asserts("6.2.5-3", api=("classic", "domain-specific"), ack=ALL)
def test_a_consumer_is_closed_by_another_thread(case: Case) -> None:
    """A consumer can be closed while another thread is in its receive(), and while its listener runs."""
    closed_while_receiving(case.link(), lambda link: link.consumer.close)
    closed_while_listening(case.link(), lambda link: link.consumer.close)


def _forwarding(link: Link, send: Callable[[api.Message], None]) -> Listener:
    """Return a listener that forwards each message and settles."""

    def hear(message: api.Message, _ordinal: int) -> None:
        send(link.text(f"forwarded {body(message)}"))
        link.client.settle(message)

    return Listener(hear)


def _next(link: Link, count: int) -> list[object]:
    """Receive so many messages, or fewer if one does not come within the deadline; return the bodies."""
    came: list[object] = []
    while len(came) < count and (message := link.poll()) is not None:
        came.append(body(message))
    return came


@asserts("6.2.5-5", ack=("auto", "client", "transacted"))
def test_listeners_of_one_session_share_a_producer(case: Case) -> None:
    """Four listeners of a session forward 60 messages through one producer: none is lost or doubled, each path keeps its order."""
    target = case.link("auto")
    client = case.client()
    forward = client.sender(target.destination)
    links = [case.link(client=client) for _ in range(4)]
    senders = [case.link("auto", destination=link.destination, consumes=False) for link in links]
    for link in links:
        link.consumer.message_listener = _forwarding(link, forward.send)
    for text in numbered(15):
        for place, sender in enumerate(senders):
            sender.send(f"{place} {text}")
    came = [str(text) for text in [body(target.receive()), *_next(target, 59)]]
    for place in range(4):
        path = [text.rpartition(" ")[2] for text in came if text.startswith(f"forwarded {place} ")]
        expect.equal(f"what came by the listener {place}", path, numbered(15))
    expect.trace("listener-serial")


def _consuming(case: Case, client: Client) -> Link:
    return case.link(client=client)


def _flood(sender: Link, texts: list[str]) -> None:
    sender.send_all(texts)


@asserts("6.2.5-6", ack=SETTLED)
def test_a_session_is_made_while_its_connection_delivers(case: Case) -> None:
    """While a listener of one session gets 40 messages, three more sessions of the connection are made, and receive theirs."""
    link = case.link("auto")
    sender = case.link("auto", destination=link.destination, consumes=False)
    heard = CollectingListener(case)
    link.consumer.message_listener = heard
    flood = case.spawn("sending", partial(_flood, sender, numbered(40)))
    for _ in range(3):
        peer = expect.works("creating a session", lambda: link.client.peer(case.ack))
        other = expect.works("creating its consumer", partial(_consuming, case, peer))
        other.send("x")
        expect.only(other, ["x"])
    expect.returns(flood, "sending")
    expect.equal("what the listener got", heard.after(40), numbered(40))


@asserts("6.2.5-7", ack=ALL)
def test_two_sessions_are_used_by_two_threads(case: Case) -> None:
    """One thread sends in its session what another receives in its own, of the same connection: all of it comes."""
    receiving = case.link()
    sending = case.link(client=receiving.client.peer(), destination=receiving.destination, consumes=False)
    call = case.spawn("receiving", lambda: [body(receiving.receive()) for _ in range(30)])
    flood = case.spawn("sending", partial(_flood, sending, numbered(30)))
    expect.returns(flood, "sending in one session")
    expect.equal("what the other session got", expect.returns(call, "receiving in the other"), numbered(30))


@asserts("6.2.5-7", ack=ALL, variant="blocked-receive")
def test_a_blocked_receive_does_not_block_another_session(case: Case) -> None:
    """While one thread is in receive() of a session, another sends, receives and closes in another session of the connection."""
    waiting = case.link()
    call = case.spawn("receive()", lambda: body(waiting.consumer.receive()))
    case.until_blocked(call, "the other thread is in receive by now")
    peer = waiting.client.peer()
    own = case.link(client=peer)
    sent = case.spawn("sending and receiving", partial(_send_and_receive, own))
    expect.equal("what the other session got", expect.returns(sent, "sending and receiving"), "x")
    to_it = case.link(client=peer, destination=waiting.destination, consumes=False)
    to_it.send("at last")
    expect.equal("what receive() gave", expect.returns(call, "receive()"), "at last")
    expect.returns(case.spawn("close()", peer.close_session), "close() of the other session")


def _send_and_receive(link: Link) -> object:
    link.send("x")
    return body(link.receive())


def _unstarted(case: Case) -> Client:
    """Return a client whose connection has not been started."""
    connection: Any = connection_of(case)
    if case.api == "classic":
        return ClassicClient(case, "auto", connection, connection.create_session(transacted=False, session_mode=1))
    if case.domain == "queue":
        return DomainClient(case, "auto", "queue", connection, connection.create_queue_session(False, 1))
    return DomainClient(case, "auto", "topic", connection, connection.create_topic_session(False, 1))


@asserts("6.2.5-10")
def test_several_listeners_are_set_on_a_stopped_connection(case: Case) -> None:
    """Listeners of three consumers are set before the start, one more after a stop: each gets its messages after the start."""
    client = _unstarted(case)
    links = [case.link(client=client) for _ in range(3)]
    senders = [case.link("auto", destination=link.destination, consumes=False) for link in links]
    heard = [CollectingListener(case) for _ in range(4)]
    for link, listener in zip(links, heard[:3], strict=True):
        link.consumer.message_listener = listener
    for sender in senders:
        sender.send_all(numbered(3))
    client.start()
    seen = [listener.after(3) for listener in heard[:3]]
    expect.equal("what the three listeners got", seen, [numbered(3)] * 3)
    client.stop()
    late = case.link(client=client)
    late.consumer.message_listener = heard[3]
    case.link("auto", destination=late.destination, consumes=False).send("late")
    senders[0].send("late")
    client.start()
    seen = [heard[3].after(1), heard[0].after(4)]
    expect.equal("what the fourth and the first got after a stop", seen, [["late"], [*numbered(3), "late"]])
