"""6.2 Contexts in several threads (6.2.6), their listeners and those of their siblings (6.2.13, 6.2.14)."""

from __future__ import annotations

from functools import partial

from tck import api
from tck.suite.support import Case, asserts, expect
from tck.suite.support.clients.gathering import numbered
from tck.suite.support.clients.link import Link
from tck.suite.support.clients.listeners import BlockingListener, CollectingListener, ConcurrencyCounter, Listener
from tck.suite.support.lifecycle.closings import closed_while_listening, closed_while_receiving
from tck.suite.support.values.seen import body

ALL = ("auto", "client", "dups_ok", "transacted")


@asserts("6.2.6-1", ack=ALL, variant="receive")
def test_a_context_is_made_while_another_thread_receives(case: Case) -> None:
    """createContext() returns while another thread is in receive() of the context, and the new context works."""
    link = case.link()
    call = case.spawn("receive()", lambda: body(link.consumer.receive()))
    case.until_blocked(call, "the other thread is in receive by now")
    made = expect.returns(case.spawn("createContext()", link.client.peer), "createContext() meanwhile")
    other = case.link(client=made)
    other.send("x")
    expect.only(other, ["x"])
    expect.true("receive() still waits", not call.returned, "receive() had returned")
    case.link(client=made, destination=link.destination, consumes=False).send("at last")
    expect.equal("what receive() gave", expect.returns(call, "receive()"), "at last")


@asserts("6.2.6-1", ack=ALL, variant="listener")
def test_a_context_is_made_while_a_listener_runs(case: Case) -> None:
    """createContext() returns while a listener of the context runs, and the new context receives meanwhile."""
    link = case.link()
    listener = BlockingListener(case)
    link.consumer.message_listener = listener
    case.link("auto", destination=link.destination, consumes=False).send("x")
    listener.occupied()
    made = expect.returns(case.spawn("createContext()", link.client.peer), "createContext() meanwhile")
    other = case.link(client=made)
    other.send("y")
    expect.only(other, ["y"])
    listener.release()


@asserts("6.2.6-2", ack=ALL, variant="receive")
def test_a_context_is_closed_while_another_thread_receives(case: Case) -> None:
    """A context can be closed while another thread is in receive() of it, which then ends."""
    closed_while_receiving(case.link(), lambda link: link.client.session.close)


@asserts("6.2.6-2", ack=ALL, variant="listener")
def test_a_context_is_closed_while_its_listener_runs(case: Case) -> None:
    """A context can be closed by another thread while its listener runs."""
    closed_while_listening(case.link(), lambda link: link.client.session.close)


@asserts("6.2.6-2", ack=ALL, variant="sibling")
def test_a_context_is_closed_while_its_sibling_receives(case: Case) -> None:
    """A context can be closed while another thread is in receive() of a sibling on its connection, which goes on."""
    first = case.client()
    link = case.link(client=first.peer())
    sender = case.link("auto", destination=link.destination, consumes=False)
    call = case.spawn("receive()", lambda: body(link.consumer.receive()))
    case.until_blocked(call, "the other thread is in receive by now")
    expect.returns(case.spawn("close()", first.session.close), "close() of the first context")
    sender.send("after the close")
    expect.equal("what the sibling got", expect.returns(call, "receive()"), "after the close")


@asserts("6.2.6-3", ack=ALL)
def test_a_consumer_of_a_context_is_closed_by_another_thread(case: Case) -> None:
    """A JMSConsumer can be closed while another thread is in its receive(), and while its listener runs."""
    closed_while_receiving(case.link(), lambda link: link.consumer.close)
    closed_while_listening(case.link(), lambda link: link.consumer.close)


@asserts("6.2.6-5", ack=("auto", "dups_ok"))
def test_further_listeners_are_set_on_a_running_context(case: Case) -> None:
    """While messages flow to one listener, two more are set on consumers of the context: all get theirs, one at a time."""
    turnstile, client = ConcurrencyCounter(case), case.client()
    heard = [CollectingListener(case) for _ in range(3)]
    links = []
    for place, listener in enumerate(heard):
        link = expect.works(f"creating consumer {place}", lambda: case.link(client=client))
        setting = case.spawn("setMessageListener()", partial(_set, turnstile, link, listener))
        expect.returns(setting, f"setMessageListener() of consumer {place}", 4 * case.timing.deadline)
        links.append(case.link("auto", destination=link.destination, consumes=False))
        for sender in links:
            sender.send_all(numbered(2))
    expect.equal(
        "how much each listener got", [len(heard[place].after(6 - 2 * place)) for place in range(3)], [6, 4, 2]
    )
    expect.equal("greatest number of calls at a time", turnstile.most, 1)


def _set(turnstile: ConcurrencyCounter, link: Link, listener: CollectingListener) -> None:
    link.consumer.message_listener = turnstile.listener(listener)


@asserts("6.2.13-3", ack=("auto", "dups_ok"))
def test_the_listeners_of_a_context_are_called_one_at_a_time(case: Case) -> None:
    """Of the slow listeners of five consumers of one context, on five destinations, one runs at a time."""
    client = case.client()
    turnstile, gathering = ConcurrencyCounter(case), CollectingListener(case)
    links = [case.link(client=client) for _ in range(5)]
    senders = [case.link("auto", destination=link.destination, consumes=False) for link in links]
    for link in links:
        link.consumer.message_listener = turnstile.listener(gathering)
    for sender in senders * 2:
        sender.send("x")
    expect.equal("number of messages the listeners got", len(gathering.after(10)), 10)
    expect.equal("greatest number of calls at a time", turnstile.most, 1)
    expect.trace("listener-serial")


@asserts("6.2.14-2", ack=("auto", "client", "transacted"))
def test_listeners_of_sibling_contexts_run_at_the_same_time(case: Case) -> None:
    """The listeners of three contexts over one connection wait for each other: all three run at the same time."""
    first = case.client()
    clients = [first, first.peer(), first.peer()]
    events = [case.provider.clock.event() for _ in clients]
    met: list[bool] = []
    done = case.provider.clock.event()

    def hear(message: api.Message, _ordinal: int) -> None:
        place = int(str(body(message)))
        events[place].set()
        met.append(all(event.wait(case.timing.deadline) for event in events))
        if len(met) == len(clients):
            done.set()

    links = [case.link(client=client) for client in clients]
    for link in links:
        link.consumer.message_listener = Listener(hear)
    for place, link in enumerate(links):
        case.link("auto", destination=link.destination, consumes=False).send(str(place))
    expect.true("three listeners are called", done.wait(4 * case.timing.deadline), f"{len(met)} calls ended")
    expect.equal("whether each listener saw the others run", met, [True] * 3)


@asserts("6.2.14-3", ack=ALL)
def test_subscribers_in_several_sessions_each_get_each_message(case: Case) -> None:
    """Plain subscribers of a topic in three sessions of a connection and one of another each get every message."""
    one = case.link()
    others = [case.link(client=one.client.peer(), destination=one.destination) for _ in range(2)]
    apart = case.link(destination=one.destination)
    sender = case.link("auto", destination=one.destination, consumes=False)
    sender.send_all(numbered(9))
    with expect.all_of():
        for link in (one, *others, apart):
            came = [body(link.poll()) for _ in range(9)]
            expect.equal("what a subscriber got", came, numbered(9))
