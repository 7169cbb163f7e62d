"""7.3.1 When onCompletion is called: it comes by itself, and not before the message is safe."""

from __future__ import annotations

from tck import api
from tck.suite.support import Case, asserts, expect
from tck.suite.support.clients.asynchronous import Callbacks, send_async, sent_async
from tck.suite.support.clients.gathering import numbered
from tck.suite.support.clients.link import Link
from tck.suite.support.clients.raw import unstarted
from tck.suite.support.lifecycle.reconnecting import reconnected
from tck.suite.support.values.seen import body

MODES = ("auto", "client", "dups_ok")
DELIVERY_MODES = (api.DeliveryMode.PERSISTENT, api.DeliveryMode.NON_PERSISTENT)


def _completes(link: Link, text: str, what: str, *, mode: int | None = None) -> None:
    """Send a text asynchronously, do nothing else, and demand that its onCompletion comes."""
    listener = Callbacks(link.case)
    send_async(link.sender, link.text(text), listener, mode=mode)
    calls = [(call.text, call.failed) for call in listener.after(1)]
    expect.equal(f"callbacks of {what}: message, and whether it failed", calls, [(text, False)])


@asserts("7.3.1-1", ack=MODES)
def test_completion_needs_no_further_call(case: Case) -> None:
    """Each of several sends ends in onCompletion though no call follows it: the first, a later one, of a second session."""
    link = case.link()
    with expect.all_of():
        for mode in DELIVERY_MODES:
            for text in numbered(2):
                _completes(link, text, f"the send of {text}, mode {mode}", mode=mode)
        second = case.link(client=link.client.peer(), destination=link.destination, consumes=False)
        _completes(second, "003", "the send of a second session")
    expect.arrives(link, [*numbered(2), *numbered(2), "003"])


@asserts("7.3.1-1", ack=MODES, variant="conditions")
def test_completion_comes_under_any_condition(case: Case) -> None:
    """A send completes though nobody consumes, its connection is not started or stopped again, or its message is delayed or large."""
    link = case.link()
    nobody = case.link(client=link.client, destination=case.destination(), consumes=False)
    with expect.all_of():
        _completes(nobody, "nobody", "a send that nobody consumes")
        idle = unstarted(case)
        _completes(Link(idle, link.destination, consumes=False), "not started", "a send on a connection not started")
        link.client.stop()
        _completes(link, "stopped", "a send on a stopped connection")
        link.client.start()
        _completes(link, 200_000 * "x", "the send of a large message")
        link.sender.set(delay=case.long_delay())
        _completes(link, "delayed", "the send of a delayed message")
        link.sender.set(delay=0, ttl=3_600_000, priority=9)
        _completes(link, "urgent", "a send with priority and time to live")


@asserts("7.3.1-1", ack=MODES, variant="while-receiving")
def test_completion_comes_between_receives(case: Case) -> None:
    """Sends of a session complete though messages that it received are not settled yet, and after they are."""
    link = case.link()
    link.send_all(numbered(2))
    first = link.take()
    with expect.all_of():
        _completes(link, "003", "a send with a message in hand")
        link.client.settle(first)
        _completes(link, "004", "a send after the settlement")
    expect.arrives(link, ["002", "003", "004"])


@asserts("7.3.1-2", ack=("auto", "transacted"))
def test_a_completed_message_outlives_a_crash(case: Case) -> None:
    """Every persistent message whose onCompletion had come, and whose transaction was committed, is there after a crash."""
    with expect.all_of():
        for after in (1, 5, 20):
            name = case.name("s")
            link = case.link(durable=name)
            link.consumer.close()
            listener = Callbacks(case)
            sent_async(link, numbered(after), listener)
            listener.after(after)
            if link.client.transacted:
                link.client.commit()
            safe = list(listener.completed)
            case.provider.kill()
            again = reconnected(case, link.destination, durable=name)
            expect.true(f"{after} sends have completed", len(safe) == after, f"only {safe!r} have")
            messages = expect.arrives(again, safe)
            modes = {message.jms_delivery_mode for message in messages}
            expect.equal("delivery modes after the crash", modes, {api.DeliveryMode.PERSISTENT})


@asserts("7.3.1-2", ack=("auto",), variant="under-way")
def test_a_crash_between_callbacks_loses_no_completed_message(case: Case) -> None:
    """A crash while sends are under way loses no persistent message whose onCompletion had come."""
    name = case.name("s")
    link = case.link(durable=name)
    link.consumer.close()
    third = case.provider.clock.event()
    listener = Callbacks(case, lambda message: third.set() if body(message) == "003" else None)
    sent_async(link, numbered(20), listener)
    expect.true("the third send completes", third.wait(case.timing.deadline), "it had not")
    safe = list(listener.completed)
    case.provider.kill()
    again = reconnected(case, link.destination, durable=name)
    came: list[object] = []
    marker = again.mark()
    while (text := body(again.receive())) != marker:
        came.append(text)
    expect.equal("completed messages that the crash lost", [text for text in safe if text not in came], [])
