"""Sessions and threads: slow listeners in one session and in two, and a consumer that is closed while its listener runs."""

from __future__ import annotations

from collections.abc import Callable

from tck import api
from tck.suite.support import Case, expect, scenario
from tck.suite.support.clients.client import Client
from tck.suite.support.clients.gathering import numbered
from tck.suite.support.clients.listeners import BlockingListener, CollectingListener, ConcurrencyCounter, Listener

BURST = numbered(3)


@scenario("pj-session-threads", domain=("topic",))
def test_sessions_and_threads(case: Case) -> None:
    """One session calls one listener at a time, two sessions can call theirs together, and close waits for a listener."""
    most, heard = one_session(case)
    together = two_sessions(case)
    early = closed_while_running(case)

    with expect.for_row("pj-session-threads-1"):
        case.witness("the listeners of one session were called")
        expect.equal("the greatest number of calls at a time in one session", most, 1)
    with expect.for_row("pj-session-threads-2"):
        expect.equal("whether each of the two sessions' listeners saw the other run", together, [True, True])
    with expect.for_row("pj-session-threads-3"):
        expect.equal("the messages of the two subscribers of one session", heard, [BURST, BURST])
    with expect.for_row("pj-session-threads-4"):
        expect.equal("whether close returned before the listener, and after it", early, [False, True])
    with expect.for_row("pj-session-threads-5"):
        case.witness("messages came to listeners")
        expect.record(f"receive in a session with a listener is {receive_beside_listener(case)}")
        expect.record(f"two threads in receive in one session: {two_receives(case)}")


def publish(case: Case, topic: api.Topic, *texts: str) -> None:
    """Publish texts from a connection of their own."""
    client = case.client()
    sender = client.sender(topic)
    for text in texts:
        sender.send(client.text(text))


def one_session(case: Case) -> tuple[int, list[list[object]]]:
    """Let two slow subscribers of one session hear a burst; return the most calls at a time, and the messages of each."""
    topic, client, counter = case.topic(), case.client(), ConcurrencyCounter(case)
    hearers = [CollectingListener(case), CollectingListener(case)]
    for hearer in hearers:
        client.consumer(topic).message_listener = counter.listener(hearer)
    publish(case, topic, *BURST)
    heard = [hearer.after(len(BURST)) for hearer in hearers]
    return counter.most, heard


def two_sessions(case: Case) -> list[bool]:
    """Let the subscribers of two sessions wait in their listeners for each other; return whether each met the other."""
    topic, first = case.topic(), case.client()
    inside, done = (tuple(case.provider.clock.event() for _ in range(2)) for _ in range(2))
    met = [False, False]

    def listener(place: int) -> Listener:
        def hear(_message: api.Message, _ordinal: int) -> None:
            inside[place].set()
            met[place] = inside[1 - place].wait(case.timing.deadline / 4)
            done[place].set()

        return Listener(hear)

    for place, client in enumerate((first, first.peer())):
        client.consumer(topic).message_listener = listener(place)
    publish(case, topic, "meet")
    for event in done:
        event.wait(case.timing.deadline)
    return met


def closed_while_running(case: Case) -> list[bool]:
    """Close a consumer from another thread while its listener runs; return whether close ended before, and after it."""
    topic, listener = case.topic(), BlockingListener(case)
    consumer = case.client().consumer(topic)
    consumer.message_listener = listener
    publish(case, topic, "long work")
    listener.occupied()
    closing = case.spawn("close of the consumer", consumer.close)
    case.until_blocked(closing, "close must wait for the listener")
    early = closing.returned
    listener.release()
    return [early, closing.ends_within()]


def outcome(call: Callable[[], object]) -> str:
    """Return how a call went that a client must not make."""
    try:
        call()
    except (api.JMSException, api.JMSRuntimeException):
        return "refused"
    return "accepted"


def receive_beside_listener(case: Case) -> str:
    """Call receive in a session that has a listener; return how that went."""
    client: Client = case.client()
    client.consumer(case.topic()).message_listener = CollectingListener(case)
    other = client.consumer(case.topic())
    return outcome(other.receive_no_wait)


def two_receives(case: Case) -> str:
    """Call receive in two threads of one session; return how each call went."""
    client = case.client()
    calls = [
        case.spawn("a receive", lambda consumer=consumer: outcome(lambda: consumer.receive(case.timing.delay)))  # type: ignore[misc]
        for consumer in [client.consumer(case.topic()) for _ in range(2)]
    ]
    return " and ".join(sorted(call.result(4 * case.timing.deadline) for call in calls))
