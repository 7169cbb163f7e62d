"""6.1.5 Pausing delivery while message listeners run: what stop() waits for, and a stop() from a listener."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from tck import api
from tck.suite.support import Case, asserts, expect
from tck.suite.support.clients.client import Client
from tck.suite.support.clients.link import Link
from tck.suite.support.lifecycle.stopping import (
    CallingListener,
    HeldListener,
    Load,
    controller,
    held,
    sender_to,
    settling,
    stop,
    under_way,
)

MODES = ("auto", "client", "dups_ok", "transacted")


@asserts("6.1.5-11", ack=MODES)
def test_no_listener_call_begins_after_the_stop(case: Case) -> None:
    """Once stop() has returned under load no call of a listener begins, in two sessions."""
    client = case.client()
    load = Load([case.link(client=client), case.link(client=client.peer())])
    stop(controller(client))
    load.rests("stop()")


@asserts("6.1.5-14", ack=MODES)
def test_stop_waits_for_a_running_listener(case: Case) -> None:
    """stop() does not return before the listener has, however long that takes; the message behind it is held back."""
    link = case.link()
    other = controller(link.client)
    listener = held(link, HeldListener(case))
    sender = sender_to(link)
    sender.send("y")
    stopping = case.spawn("stop", other.stop)
    case.until_blocked(stopping, "stop() must wait for the listener")
    returned = stopping.returned
    listener.release()
    expect.returns(stopping, "stop() after the listener")
    before = list(listener.bodies)  # the next message may have come until stop() returned
    expect.true("stop() waits while a listener runs", not returned, "stop() had returned")
    sender.dispatched()
    expect.equal("what the listener had got some time after stop()", listener.bodies, before)


@asserts("6.1.5-15", ack=("auto", "client", "transacted"))
def test_stop_waits_for_the_listeners_of_all_sessions(case: Case) -> None:
    """stop() returns only after the listeners of all three sessions, whichever of them is the last to return."""
    with expect.all_of():
        for last in range(3):
            client = case.client()
            links = [case.link(client=one) for one in (client, client.peer(), client.peer())]
            listeners = [held(link, HeldListener(case)) for link in links]
            stopping = under_way(case, "stop", controller(client).stop)
            for number, listener in enumerate(listeners):
                if number != last:
                    listener.release()
                    listener.finished()
            case.until_blocked(stopping, "stop() must wait for the last listener")
            returned = stopping.returned
            listeners[last].release()
            expect.returns(stopping, "stop() after the listeners")
            what = f"stop() waits for the listener of session {last}"
            expect.true(what, not returned, f"stop() returned before the listener of session {last}")


@asserts("6.1.5-16", ack=MODES)
def test_a_running_listener_sends_while_stop_waits(case: Case) -> None:
    """A listener sends while stop() waits for it, through a producer made before and one made then, and both arrive."""
    link, receiver = case.link(), case.link("auto")
    early, other = link.client.sender(receiver.destination), controller(link.client)

    def work(message: api.Message) -> None:
        early.send(link.text("through an early producer"))
        link.client.sender(receiver.destination).send(link.text("through a late producer"))
        settling(link.client, message)

    listener = held(link, HeldListener(case, work))
    stopping = under_way(case, "stop", other.stop)
    listener.release()
    expect.true("the listener comes to its end", listener.finished(), "a call in the listener did not return")
    expect.returns(stopping, "stop()")
    expect.equal("the result of the calls in the listener", listener.results, [None])
    expect.arrives(receiver, ["through an early producer", "through a late producer"])


@asserts("6.1.5-17", ack=("client", "transacted"))
def test_a_running_listener_settles_while_stop_waits(case: Case) -> None:
    """A commit or an acknowledge() in a listener works while stop() waits for it: the message is not redelivered."""
    name = case.name("s")
    link = case.link(durable=name)
    other = controller(link.client)
    listener = held(link, HeldListener(case, partial(settling, link.client)))
    stopping = under_way(case, "stop", other.stop)
    listener.release()
    expect.true("the listener comes to its end", listener.finished(), "the call in the listener did not return")
    expect.returns(stopping, "stop()")
    expect.equal("the result of the call in the listener", listener.results, [None])
    _close_all(link.client, other)
    expect.only(case.link("auto", destination=link.destination, durable=name))


@asserts("6.1.5-17", ack=("client", "transacted"), variant="returned")
def test_a_running_listener_returns_messages_while_stop_waits(case: Case) -> None:
    """A rollback or a recover in a listener works while stop() waits for it: the message is redelivered after start()."""
    link = case.link()
    other = controller(link.client)
    listener = HeldListener(case, lambda message: None if message.jms_redelivered else link.client.return_all())
    held(link, listener)
    stopping = under_way(case, "stop", other.stop)
    listener.release()
    expect.true("the listener comes to its end", listener.finished(), "the call in the listener did not return")
    expect.returns(stopping, "stop()")
    expect.equal("the result of the call in the listener", listener.results[:1], [None])
    other.start()
    _wait_for(case, lambda: len(listener.results) > 1)
    expect.equal("what the listener got in all", listener.bodies, ["x", "x"])


def _wait_for(case: Case, holds: Callable[[], bool]) -> None:
    """Wait until something holds, at most until the profile's deadline."""
    until = case.now() + case.timing.deadline
    while not holds() and case.now() < until:
        case.provider.clock.event().wait(case.timing.deadline / 100)


def _close_all(*clients: Client) -> None:
    for client in clients:
        client.close()


REFUSED = "stop() of a listener's own connection is refused"
STOPPED = "a listener stops its own connection"


def _outcome(case: Case, result: object) -> str:
    """Return the kind of result that stop() in a listener had."""
    if isinstance(result, case.thrown(api.IllegalStateException)):
        return "refused"
    return "stopped" if result is None else f"raised {type(result).__name__}"


def _judge_stop_in_listener(case: Case, link: Link, stopped: Client) -> None:
    """Call stop() in a listener; it returns or is refused, in time, and what it stopped delivers nothing more."""
    listener = CallingListener(case, lambda _: stopped.stop())
    link.consumer.message_listener = listener
    sender = sender_to(link)
    sender.send("x")
    listener.occupied()
    expect.true("stop() in a listener returns", listener.finished(), "it had not returned")
    outcome = _outcome(case, listener.results[0])
    expect.one_of("stop() in a listener", outcome, {"refused": REFUSED, "stopped": STOPPED})
    if outcome == "stopped":
        sender.send("y")
        sender.dispatched()
        expect.equal("what the listener got of the stopped connection", listener.bodies, ["x"])


@asserts("6.1.5-18", ack=MODES)
def test_a_listener_stops_its_own_connection(case: Case) -> None:
    """stop() in a listener of the connection raises IllegalStateException or stops it, and does not hang."""
    link = case.link()
    _judge_stop_in_listener(case, link, link.client)


@asserts("6.1.5-19", ack=MODES)
def test_a_listener_stops_its_own_context(case: Case) -> None:
    """stop() in a listener of the context raises IllegalStateRuntimeException or stops it, and does not hang."""
    link = case.link()
    _judge_stop_in_listener(case, link, link.client)


@asserts("6.1.5-20", ack=MODES)
def test_a_listener_stops_a_sibling_context(case: Case) -> None:
    """stop() of a sibling context in a listener raises IllegalStateRuntimeException or stops delivery, and does not hang."""
    for listening in (False, True):
        link = case.link()
        other = case.link(client=link.client.peer())
        if listening:
            other.consumer.message_listener = CallingListener(case)
        _judge_stop_in_listener(case, link, other.client)


@asserts("6.1.5-21", ack=("auto", "client", "transacted"))
def test_a_stop_from_a_listener_waits_for_the_others(case: Case) -> None:
    """Where stop() in a listener succeeds, it returns only after the listener of another session has returned."""
    client = case.client()
    links = [case.link(client=client), case.link(client=client.peer())]
    other = held(links[1], HeldListener(case))
    stopping = HeldListener(case, lambda _: links[0].client.stop())
    held(links[0], stopping)
    early = stopping.early()
    other.release()
    expect.true("stop() in a listener returns", stopping.finished(), "it had not returned")
    expect.true("stop() waits for the other listener", early != [None], "stop() had returned")
    expect.one_of("stop() in a listener", _outcome(case, stopping.results[0]), {"refused": REFUSED, "stopped": STOPPED})
