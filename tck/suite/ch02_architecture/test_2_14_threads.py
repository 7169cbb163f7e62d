"""2.14 What may be used by several threads at once, and what is not called by several."""

from __future__ import annotations

from functools import partial

from tck.suite.support import Case, asserts, expect
from tck.suite.support.clients.client import Client
from tck.suite.support.clients.gathering import all_of, numbered, shared_out
from tck.suite.support.clients.link import Link
from tck.suite.support.clients.listeners import BlockingListener, CollectingListener, ConcurrencyCounter


@asserts("2.14-1", "5.2-4")
def test_a_destination_serves_several_threads(case: Case) -> None:
    """Four threads, each with a session of its own, send to one destination object, and everything arrives."""
    receiver = case.link()
    links = [case.link(destination=receiver.destination, consumes=False) for _ in range(4)]

    def send(number: int) -> int:
        for count in range(5):
            links[number].send(f"thread {number} message {count}")
        return number

    calls = [case.spawn("sending", partial(send, number)) for number in range(4)]
    for call in calls:
        expect.returns(call, "sending by a thread")
    wanted = sorted(f"thread {number} message {count}" for number in range(4) for count in range(5))
    expect.equal("what arrived", all_of(shared_out([receiver], 20)), wanted)


def _identified_link(case: Case) -> tuple[Link, str]:
    client_id = case.name("c")
    return case.link(client=case.client(client_id=client_id)), client_id


@asserts("2.14-2", "5.3-6")
def test_a_connection_factory_serves_several_threads(case: Case) -> None:
    """Three threads connect at once, each gets a connection of its own, and each carries a message."""
    calls = [case.spawn("connecting", lambda: _identified_link(case)) for _ in range(3)]
    made = [expect.returns(call, "connecting by a thread") for call in calls]
    for link, client_id in made:
        expect.equal("the client identifier of its connection", link.client.connection.client_id, client_id)
        link.send(client_id)
        expect.only(link, [client_id])


def _start_and_look(client: Client) -> object:
    client.start()
    return client.connection.meta_data.jms_version


@asserts("2.14-3", "6.1-11")
def test_a_connection_serves_several_threads(case: Case) -> None:
    """Three threads make a session each on one connection, another one starts it, and each session works and ends alone."""
    client = case.client()
    calls = [case.spawn("createSession", client.peer) for _ in range(3)]
    starting = case.spawn("start and getMetaData", lambda: _start_and_look(client))
    peers = [expect.returns(call, "createSession by a thread") for call in calls]
    expect.returns(starting, "start and getMetaData by a thread")
    for peer in peers:
        _serves_alone(case, peer)


def _serves_alone(case: Case, peer: Client) -> None:
    link = expect.works("using the session", lambda: case.link(client=peer))
    link.send("x")
    expect.only(link, ["x"])
    peer.close_session()


@asserts("2.14-8", "6.2.13-1", "8.7-14")
def test_a_listener_is_called_for_one_message_at_a_time(case: Case) -> None:
    """While a listener has one message it is not called with another one."""
    link = case.link()
    sender = case.link(destination=link.destination, consumes=False)
    turnstile, gathering = ConcurrencyCounter(case), CollectingListener(case)
    link.consumer.message_listener = turnstile.listener(gathering)
    sender.send_all(numbered(4))
    expect.equal("number of messages the listener got", len(gathering.after(4)), 4)
    expect.equal("greatest number of calls at a time", turnstile.most, 1)
    expect.trace("listener-serial")


@asserts("2.14-9", "6.2.13-2")
def test_listeners_of_one_session_are_called_one_at_a_time(case: Case) -> None:
    """Of the listeners of two consumers of one session one runs at a time."""
    client = case.client()
    turnstile, gathering = ConcurrencyCounter(case), CollectingListener(case)
    links = [case.link(client=client) for _ in range(2)]
    senders = [case.link(destination=link.destination, consumes=False) for link in links]
    for link in links:
        link.consumer.message_listener = turnstile.listener(gathering)
    for sender in senders * 2:
        sender.send("x")
    expect.equal("number of messages the listeners got", len(gathering.after(4)), 4)
    expect.equal("greatest number of calls at a time", turnstile.most, 1)
    expect.trace("listener-serial")


@asserts("2.14-10", "6.2.14-1")
def test_several_sessions_work_at_the_same_time(case: Case) -> None:
    """While the listener of one session is busy that of another session of the connection is called."""
    client = case.client()
    links = [case.link(client=client), case.link(client=client.peer())]
    senders = [case.link(destination=link.destination, consumes=False) for link in links]
    first, second = BlockingListener(case), BlockingListener(case)
    links[0].consumer.message_listener = first
    links[1].consumer.message_listener = second
    senders[0].send("x")
    first.occupied()
    senders[1].send("y")
    called = second.entered()
    first.release()
    second.release()
    expect.true("the listener of the second session is called", called, "it was not, while the first was busy")
