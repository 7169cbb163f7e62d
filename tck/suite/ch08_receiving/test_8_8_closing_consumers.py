"""8.8 Closing a consumer: its messages, its calls that wait, and its listener."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from tck import api
from tck.suite.support import Case, asserts, expect
from tck.suite.support.clients.gathering import numbered
from tck.suite.support.clients.link import Link
from tck.suite.support.clients.listeners import BlockingListener, CollectingListener
from tck.suite.support.harness.threads import Call
from tck.suite.support.lifecycle.stopping import sender_to
from tck.suite.support.lifecycle.unstarted import unstarted
from tck.suite.support.values.seen import body, tried

MODES = ("auto", "client", "dups_ok", "transacted")


def _started(case: Case, what: str, call: Callable[[], object]) -> Call[object]:
    return case.spawn(what, call)


@asserts("8.8-1", ack=MODES)
def test_a_consumer_is_closed_on_its_own(case: Case) -> None:
    """After the close of one consumer the session sends, and its other consumers, made before and after, receive."""
    first = case.link()
    other = case.link(client=first.client)
    peer = case.link(client=first.client.peer())
    first.send("before")
    expect.arrives(first, ["before"])
    expect.works("close()", first.consumer.close)
    for link in (other, peer, case.link(client=first.client)):
        for text in ("one", "two"):
            expect.works("a send after the close", partial(link.send, text))
        expect.arrives(link, ["one", "two"])


@asserts("8.8-2", ack=("auto", "dups_ok", "transacted"))
def test_a_closed_consumer_gets_nothing_more(case: Case) -> None:
    """The listener of a closed consumer is not called; what is sent then comes to another consumer."""
    link, listener = case.link(), CollectingListener(case)
    link.consumer.message_listener = listener
    sender = case.link("auto", destination=link.destination, consumes=False)
    sender.send_all(numbered(2))
    expect.equal("what the listener got", listener.after(2), numbered(2))
    link.consumer.close()
    subscriber, beside = None, CollectingListener(case)
    if case.domain == "topic":
        subscriber = case.link("auto", destination=link.destination)
        case.link(client=link.client, destination=link.destination).consumer.message_listener = beside
    sender.send_all(["three", "four"])
    expect.arrives(subscriber or case.link("auto", destination=link.destination), ["three", "four"])
    # the session calls one listener at a time: it would have called the closed consumer's for "three"
    if case.domain == "topic":
        expect.equal("what another listener of the session got", beside.after(2), ["three", "four"])
    expect.equal("what the listener of the closed consumer got", listener.bodies, numbered(2))


@asserts("8.8-3", ack=MODES)
def test_undelivered_queue_messages_go_to_another_consumer(case: Case) -> None:
    """What a consumer had not delivered when it was closed comes to another: of the session, of a peer, of another connection."""
    with expect.all_of():
        for place in ("the session", "another session", "another connection"):
            for received in (1, 3):
                with expect.all_of():
                    link = case.link()
                    case.link("auto", destination=link.destination, consumes=False).send_all(numbered(6))
                    expect.arrives(link, numbered(received))
                    link.consumer.close()
                    clients = {"the session": link.client, "another session": link.client.peer()}
                    again = case.link(client=clients.get(place), destination=link.destination)
                    expect.arrives(again, numbered(6)[received:], ordered=False)


def _listened_to(link: Link) -> CollectingListener:
    listener = CollectingListener(link.case)
    link.consumer.message_listener = listener
    return listener


_BEFORE: dict[str, Callable[[Link], CollectingListener | api.Message | None]] = {
    "nothing": lambda _: None,
    "a receive that found nothing": lambda link: link.poll(link.case.timing.delay),
    "receiveNoWait() that found nothing": lambda link: link.consumer.receive_no_wait(),
    "a listener": _listened_to,
    "a second stop": lambda link: link.client.stop(),
}
"""What happens at a consumer whose connection is stopped, before it is closed; returns what got a message all the same."""


@asserts("8.8-3", ack=MODES, variant="stopped")
def test_undelivered_messages_of_a_stopped_consumer_go_to_another(case: Case) -> None:
    """What a consumer of a connection that is stopped, or never started, had not delivered comes to another, whatever it did."""
    with expect.all_of():
        for at, (what, before) in enumerate((*_BEFORE.items(), *_BEFORE.items())):
            received, started = (0, 2)[at % 2], at != 1 + len(_BEFORE)
            link = case.link(client=case.client() if started else unstarted(case))
            sender = sender_to(link)
            sender.send_all(numbered(4))
            expect.arrives(link, numbered(received))
            link.client.stop()
            sender.send_all(numbered(6)[4:])
            got = before(link)
            link.consumer.close()
            delivered = got.bodies if isinstance(got, CollectingListener) else [body(got)]  # which is another row's
            wanted = [text for text in numbered(6)[received:] if text not in delivered]
            again = case.link("auto", destination=link.destination)
            words = f"what another consumer gets, after {what}, {received} were received before, started: {started}"
            seen = [body(again.poll()) for _ in wanted]
            expect.equal(words, sorted(map(str, seen)), wanted)
            expect.only(again)


@asserts("8.8-4", ack=MODES)
def test_another_thread_closes_a_consumer_that_receives(case: Case) -> None:
    """close() from another thread while the session's thread waits in receive() raises nothing, and both return."""
    link = case.link()
    link.send("x")
    expect.arrives(link, ["x"])
    receiving = _started(case, "receive", link.consumer.receive)
    expect.waits(receiving, "receive()", "on an empty destination")
    expect.returns(case.spawn("close", link.consumer.close), "close() from another thread")
    expect.returns(receiving, "receive() of the closed consumer")
    again = case.link(client=link.client)
    again.send("y")
    expect.arrives(again, ["y"])


@asserts("8.8-4", ack=MODES, variant="listener")
def test_another_thread_closes_a_consumer_whose_listener_runs(case: Case) -> None:
    """close() from another thread while a listener runs on the session's thread raises nothing, and returns after it."""
    link, listener = case.link(), BlockingListener(case)
    link.consumer.message_listener = listener
    case.link("auto", destination=link.destination, consumes=False).send("x")
    listener.occupied()
    closing = case.spawn("close", link.consumer.close)
    listener.release()
    expect.returns(closing, "close() from another thread")


@asserts("8.8-5", ack=MODES)
def test_close_waits_for_a_receive(case: Case) -> None:
    """When close() has returned, the receive() that another thread was waiting in has returned, with no time in between."""
    for timeout in ((), (int(60 * case.timing.deadline),)):
        link = case.link()
        link.send("x")
        expect.arrives(link, ["x"])
        receiving = _started(case, "receive", partial(link.consumer.receive, *timeout))
        expect.waits(receiving, "receive()", "on an empty destination")
        link.consumer.close()
        ended = case.over(receiving)
        expect.true("the receive() had returned when close() did", ended, "receive() still waited after close()")


@asserts("8.8-6", ack=MODES)
def test_a_waiting_receive_returns_null_on_close(case: Case) -> None:
    """receive(), with a long timeout and without, returns null when its consumer is closed; so does receiveBody()."""
    link = case.link()
    link.send("x")
    expect.arrives(link, ["x"])
    long = int(60 * case.timing.deadline)
    _all_return_null(link, "receive", [(), (0,), (long,)])


@asserts("8.8-6", ack=MODES, api=("simplified",), variant="body")
def test_a_waiting_receive_body_returns_null_on_close(case: Case) -> None:
    """receiveBody(), with a long timeout and without, returns null when its consumer is closed."""
    link = case.link()
    consumer: Any = link.consumer
    link.send("x")
    seen = consumer.receive_body(str, int(case.timing.deadline))
    expect.equal("the body before", seen, "x")
    _all_return_null(link, "receive_body", [(str,), (str, int(60 * case.timing.deadline))])


def _all_return_null(link: Link, name: str, calls: list[tuple[Any, ...]]) -> None:
    case = link.case
    with expect.all_of():
        for arguments in calls:
            with expect.all_of():
                consumer = Link(link.client, case.destination()).consumer
                waiting = case.spawn(name, partial(getattr(consumer, name), *arguments))
                expect.waits(waiting, f"{name}{arguments}", "on an empty destination")
                consumer.close()
                expect.equal(f"{name}{arguments} after the close", expect.returns(waiting, f"{name}{arguments}"), None)


@asserts("8.8-7", ack=MODES)
def test_close_waits_for_a_running_listener(case: Case) -> None:
    """close() from another thread is still waiting while the listener runs, and returns when it has returned."""
    link, listener = case.link(), BlockingListener(case)
    link.consumer.message_listener = listener
    case.link("auto", destination=link.destination, consumes=False).send_all(numbered(2))
    listener.occupied()
    closing = case.spawn("close", link.consumer.close)
    case.until_blocked(closing, "close() must wait for the listener")
    early = closing.returned
    listener.release()
    expect.true("close() waits while a listener of the consumer runs", not early, "close() had returned")
    expect.returns(closing, "close()")


class _Closer(api.MessageListener):
    """A listener that closes its own consumer, then uses its session, and keeps the results."""

    def __init__(self, case: Case, link: Link, reply: Link | None = None) -> None:
        self._link = link
        self._reply = reply
        self.closed: list[object] = []
        self.sent: list[object] = []
        self.done = case.provider.clock.event()

    def on_message(self, message: api.Message) -> None:
        """Close, and send if asked to."""
        text = str(body(message))
        self.closed.append((text, tried(self._link.consumer.close)))
        if self._reply is not None:
            sender = self._link.client.sender(self._reply.destination)
            self.sent += [tried(partial(sender.send, self._link.text(f"reply {number}"))) for number in range(3)]
        self.done.set()


@asserts("8.8-8", ack=MODES)
def test_a_listener_closes_its_own_consumer(case: Case) -> None:
    """close() of the own consumer in a listener returns and raises nothing, and the session goes on."""
    link = case.link()
    other = case.link("auto", destination=link.destination, consumes=False)
    closer = _Closer(case, link)
    link.consumer.message_listener = closer
    other.send_all(numbered(3))
    expect.true("close() in a listener returns", closer.done.wait(case.timing.deadline), "it had not returned")
    expect.equal("the result of close() in the listener", closer.closed[:1], [("001", None)])
    later = case.link(client=link.client)
    expect.delivers(later, later.text("later"), "a message of the session after that")


@asserts("8.8-9", ack=MODES)
def test_a_listener_goes_on_after_it_closed_its_consumer(case: Case) -> None:
    """After the close of its own consumer a listener creates a producer, sends and returns; what it sent arrives."""
    link, reply = case.link(), case.link("auto")
    closer = _Closer(case, link, reply)
    link.consumer.message_listener = closer
    case.link("auto", destination=link.destination, consumes=False).send("x")
    expect.true("the listener goes on to its end", closer.done.wait(case.timing.deadline), "it did not come to its end")
    case.witness("a listener closed its consumer and went on")
    expect.equal("the sends after the close", closer.sent, [None] * 3)
    if link.client.transacted:
        link.client.stop()  # it waits for the listener
        link.client.commit()
    expect.arrives(reply, ["reply 0", "reply 1", "reply 2"])
