"""6.1.5 Pausing delivery: what stop() holds back, what it leaves alone, and what start() brings."""

from __future__ import annotations

from functools import partial
from typing import Any

from tck import api
from tck.suite.support import Case, asserts, expect
from tck.suite.support.clients.completion import Completion
from tck.suite.support.clients.gathering import numbered
from tck.suite.support.clients.link import Link
from tck.suite.support.clients.listeners import CollectingListener
from tck.suite.support.lifecycle.stopping import controller, receiving, sender_to, stop, under_way
from tck.suite.support.lifecycle.unstarted import unstarted
from tck.suite.support.values.seen import body

MODES = ("auto", "client", "dups_ok", "transacted")
DELIVERY_MODES = (api.DeliveryMode.PERSISTENT, api.DeliveryMode.NON_PERSISTENT)


def _body(value: object) -> object:
    return body(value) if isinstance(value, api.Message) else value


def _listening(case: Case, link: Link) -> CollectingListener:
    listener = CollectingListener(case)
    link.consumer.message_listener = listener
    return listener


@asserts("6.1.5-1", ack=MODES)
def test_a_stopped_connection_calls_no_listener(case: Case) -> None:
    """A listener that has had messages gets none of those sent while its connection is stopped, persistent or not."""
    link = case.link()
    listener, sender = _listening(case, link), sender_to(link)
    sender.send_all(numbered(2))
    expect.equal("what the listener got before stop()", listener.after(2), numbered(2))
    stop(link.client)
    for mode in DELIVERY_MODES:
        sender.send("while stopped", mode=mode)
    sender.dispatched()
    expect.equal("what the listener had got when the connection was stopped", listener.bodies, numbered(2))


@asserts("6.1.5-1", ack=MODES, variant="set-while-stopped")
def test_a_listener_set_on_a_stopped_connection_is_not_called(case: Case) -> None:
    """A listener that is set while the connection is stopped gets none of the messages that wait for its consumer."""
    link = case.link()
    sender = sender_to(link)
    sender.send_all(numbered(4))
    expect.arrives(link, ["001"])
    stop(link.client)
    listener = _listening(case, link)
    sender.send("while stopped")
    sender.dispatched()
    expect.equal("what the listener got on the stopped connection", listener.bodies, [])


@asserts("6.1.5-2", ack=MODES)
def test_receive_blocks_on_a_stopped_connection(case: Case) -> None:
    """receive() waits although messages sent before the stop and after it are there, and returns the first after start()."""
    for arguments in ((), (0,)):
        link = case.link()
        other, sender = controller(link.client), sender_to(link)
        sender.send_all(numbered(3))
        expect.arrives(link, ["001"])
        stop(other)
        sender.send("004")
        call = receiving(link, *arguments)
        expect.waits(call, f"receive{arguments}", "on a stopped connection")
        other.start()
        expect.equal(f"receive{arguments} after start()", _body(expect.returns(call, "receive()")), "002")


@asserts("6.1.5-3", ack=MODES)
def test_receive_no_wait_finds_nothing_on_a_stopped_connection(case: Case) -> None:
    """receiveNoWait() returns null although messages wait, sent before the stop or after it, persistent or not."""
    for mode in DELIVERY_MODES:
        link = case.link()
        sender = sender_to(link)
        for text in numbered(4):
            sender.send(text, mode=mode)
        expect.arrives(link, ["001"])
        stop(link.client)
        seen = [body(link.consumer.receive_no_wait()) for _ in range(2)]
        sender.send("005", mode=mode)
        sender.dispatched()
        seen += [body(link.consumer.receive_no_wait()) for _ in range(2)]
        expect.equal("what receiveNoWait() returned", seen, [None] * 4)


@asserts("6.1.5-4", ack=("auto", "client", "transacted"))
def test_stop_reaches_every_session(case: Case) -> None:
    """After stop() no session of the connection delivers: neither to receive() nor to listeners, nor one created since."""
    first = case.link()
    links = [first, *(case.link(client=first.client.peer()) for _ in range(3))]
    listeners = [_listening(case, link) for link in links[2:]]
    senders = [sender_to(link) for link in links]
    for sender in senders:
        sender.send_all(numbered(3))
    for link in links[:2]:
        expect.arrives(link, ["001"])
    for listener in listeners:
        expect.equal("what a listener got before stop()", listener.after(3), numbered(3))
    stop(first.client)
    late = case.link(client=first.client.peer(), destination=case.destination())
    for sender in (*senders, sender_to(late)):
        sender.send("while stopped")
    with expect.all_of():
        for number, link in enumerate((*links[:2], late)):
            seen = [body(link.look()), body(link.consumer.receive_no_wait())]
            expect.equal(f"what receive() and receiveNoWait() returned to consumer {number}", seen, [None, None])
        for number, listener in enumerate(listeners):
            expect.equal(f"what listener {number} got", listener.bodies, numbered(3))


@asserts("6.1.5-5", ack=("auto", "client", "transacted"))
def test_stop_reaches_sibling_contexts(case: Case) -> None:
    """stop() on any one of three contexts over a connection pauses the consumers and listeners of all three."""
    with expect.all_of():
        for stopping in range(3):
            first = case.link()
            links = [first, *(case.link(client=first.client.peer()) for _ in range(2))]
            listener = _listening(case, links[2])
            senders = [sender_to(link) for link in links]
            for sender in senders:
                sender.send_all(numbered(2))
            for link in links[:2]:
                expect.arrives(link, ["001"])
            expect.equal("what the listener got before stop()", listener.after(2), numbered(2))
            stop(links[stopping].client)
            for sender in senders:
                sender.send("while stopped")
            seen = [body(link.look()) for link in links[:2]]
            expect.equal(f"what consumers got after stop() of context {stopping}", seen, [None, None])
            expect.equal(f"what the listener got after stop() of context {stopping}", listener.bodies, numbered(2))


@asserts("6.1.5-5", ack=("auto", "client", "transacted"), variant="unused")
def test_stop_of_an_unused_context_reaches_its_siblings(case: Case) -> None:
    """stop() on a context without producers and consumers pauses a consumer and a listener of its siblings."""
    link = case.link()
    listening = case.link(client=link.client.peer())
    listener, unused = _listening(case, listening), link.client.peer()
    for target in (link, listening):
        sender_to(target).send_all(numbered(2))
    expect.arrives(link, ["001"])
    expect.equal("what the listener got before stop()", listener.after(2), numbered(2))
    stop(unused)
    sender_to(listening).send("while stopped")
    expect.equal("what a consumer got on the stopped connection", body(link.look()), None)
    expect.equal("what the listener got on the stopped connection", listener.bodies, numbered(2))


@asserts("6.1.5-6", "8.4-2", ack=MODES)
def test_start_resumes_receiving(case: Case) -> None:
    """What was sent before a stop, during it and after it comes once and in order, over two rounds of stop() and start()."""
    link = case.link()
    sender = sender_to(link)
    texts = [f"{when} {count}" for when in "abcde" for count in range(3)]
    sender.send_all(texts[:3])
    expect.arrives(link, texts[:1])
    for begin, at in ((1, 3), (9, 9)):
        stop(link.client)
        sender.send_all(texts[at : at + 3])
        expect.equal("receive() on the stopped connection", link.look(), None)
        link.client.start()
        sender.send_all(texts[at + 3 : at + 6])
        expect.arrives(link, texts[begin : at + 6])
    expect.only(link)


@asserts("6.1.5-6", "8.4-2", ack=MODES, variant="listener")
def test_start_resumes_listeners(case: Case) -> None:
    """A listener gets what was sent before a stop, during it and after it, each once and in order."""
    link = case.link()
    listener, sender = _listening(case, link), sender_to(link)
    sender.send_all(numbered(3))
    expect.equal("what the listener got before stop()", listener.after(3), numbered(3))
    stop(link.client)
    sender.send_all(numbered(6)[3:])
    sender.dispatched()
    link.client.start()
    sender.send_all(numbered(9)[6:])
    expect.equal("what the listener got in all", listener.after(9), numbered(9))
    sender.send("010")
    expect.equal("what the listener got at the end", listener.after(10), numbered(10))


@asserts("6.1.5-6", "8.4-2", ack=MODES, variant="waiting")
def test_start_resumes_a_receive_that_waits(case: Case) -> None:
    """A receive() that waits while its connection is stopped, by one call or several, gets after start() what was held back."""
    for stops in (1, 2, 3):
        link = case.link()
        other, sender = controller(link.client), sender_to(link)
        call = under_way(case, "receive", link.consumer.receive)
        for _ in range(stops):
            stop(other)
        sender.send("while stopped")
        other.start()
        came = _body(expect.returns(call, "receive()"))
        expect.equal(f"receive() after {stops} times stop() and one start()", came, "while stopped")


@asserts("6.1.5-6", "8.4-7", ack=("auto", "client"), api=("simplified",), variant="sibling")
def test_start_of_a_sibling_context_resumes_delivery(case: Case) -> None:
    """start() on any context resumes what stop() on another one over the connection has paused."""
    with expect.all_of():
        for stopping, starting in ((0, 1), (1, 0)):
            link = case.link()
            links = [link, case.link(client=link.client.peer())]
            for one in links:
                sender_to(one).send("before")
                expect.arrives(one, ["before"])
            stop(links[stopping].client)
            for one in links:
                sender_to(one).send("while stopped")
            links[starting].client.start()
            for number, one in enumerate(links):
                came = body(one.poll())
                expect.equal(f"what context {number} got after start() of context {starting}", came, "while stopped")


@asserts("6.1.5-7", ack=MODES)
def test_a_stopped_connection_sends(case: Case) -> None:
    """Synchronous sends, with a commit where the session is transacted, work while stopped, and arrive elsewhere."""
    receiver = case.link("auto")
    link = case.link(destination=receiver.destination, consumes=False)
    link.send("before")
    expect.arrives(receiver, ["before"])
    stop(link.client)
    for mode in DELIVERY_MODES:
        sending = case.spawn("send", partial(link.send, f"while stopped {mode}", mode=mode))
        expect.returns(sending, "a send on the stopped connection")
    expect.arrives(receiver, [f"while stopped {mode}" for mode in DELIVERY_MODES])
    late = case.link(client=link.client.peer(), destination=receiver.destination, consumes=False)
    expect.returns(case.spawn("send", partial(late.send, "late")), "a send in a session created since")
    expect.arrives(receiver, ["late"])


@asserts("6.1.5-8", ack=("auto", "client", "transacted"))
def test_a_stopped_connection_completes_asynchronous_sends(case: Case) -> None:
    """Asynchronous sends complete while the connection is stopped, and the messages arrive elsewhere."""
    receiver = case.link("auto")
    link = case.link(destination=receiver.destination, consumes=False)
    link.send("before")
    expect.arrives(receiver, ["before"])
    stop(link.client)
    for text in numbered(3):
        completion = Completion(case.provider.clock.event(), lambda _: {})
        _send_asynchronously(link, text, completion)
        called = completion.done.wait(case.timing.deadline)
        expect.true(f"the send of {text} completes while stopped", called, "its listener was not called")
        expect.equal("the error of the send", completion.error, None)
    expect.works("the commit, if any", partial(link.client.settle, None))
    expect.arrives(receiver, numbered(3))


def _send_asynchronously(link: Link, text: str, completion: Completion) -> None:
    producer: Any = link.sender.producer
    if link.case.api == "simplified":
        producer.set_async(completion).send(link.destination, link.text(text))
    else:
        producer.send(link.text(text), completion_listener=completion)


@asserts("6.1.5-9", ack=("auto", "client", "transacted"))
def test_a_stop_of_a_stopped_connection_does_nothing(case: Case) -> None:
    """After three calls of stop() one start() is enough: for receive() and for a listener."""
    link = case.link()
    listening = case.link(client=link.client.peer())
    listener = _listening(case, listening)
    for target in (link, listening):
        sender_to(target).send("before")
    expect.arrives(link, ["before"])
    expect.equal("what the listener got", listener.after(1), ["before"])
    for _ in range(3):
        expect.works("stop()", link.client.stop)
    expect.works("start()", link.client.start)
    for target in (link, listening):
        sender_to(target).send("after")
    expect.arrives(link, ["after"])
    expect.equal("what the listener got in all", listener.after(2), ["before", "after"])


@asserts("6.1.5-9", ack=("auto", "client", "transacted"), variant="never-started")
def test_a_stop_of_a_connection_that_was_never_started_does_nothing(case: Case) -> None:
    """stop(), twice, before any start() raises nothing, and one start() begins delivery."""
    client = unstarted(case)
    for _ in range(2):
        expect.works("stop() before any start()", client.connection.stop)
    link = case.link(client=client)
    sender_to(link).send("x")
    before = link.look()
    expect.works("start()", client.start)
    expect.arrives(link, ["x"])
    expect.equal("what came before start()", before, None)


@asserts("6.1.5-10", ack=("auto", "client", "transacted"))
def test_a_start_of_a_started_connection_does_nothing(case: Case) -> None:
    """After three calls of start() one stop() is enough to pause receive() and a listener."""
    link = case.link()
    listening = case.link(client=link.client.peer())
    listener = _listening(case, listening)
    for _ in range(3):
        expect.works("start() of a started connection", link.client.start)
    for target in (link, listening):
        sender_to(target).send("before")
    expect.arrives(link, ["before"])
    expect.equal("what the listener got", listener.after(1), ["before"])
    stop(link.client)
    for target in (link, listening):
        sender_to(target).send("while stopped")
    seen = [body(link.look()), body(link.consumer.receive_no_wait())]
    expect.equal("what receive() and receiveNoWait() returned", seen, [None, None])
    expect.equal("what the listener got in all", listener.bodies, ["before"])


@asserts("6.1.5-12", ack=MODES)
def test_a_receive_that_waited_before_the_stop_gets_no_message(case: Case) -> None:
    """A receive() that waits when stop() is called does not return with a message that is sent then, until start()."""
    for arguments in ((), (int(200_000 if case.provider.clock.virtual else 3 * case.timing.deadline),)):
        link = case.link()
        other, sender = controller(link.client), sender_to(link)
        sender.send("before")
        expect.arrives(link, ["before"])
        call = receiving(link, *arguments)
        case.until_blocked(call, "the other thread is in receive() by now")
        stop(other)
        sender.send("while stopped")
        sender.dispatched()
        expect.waits(call, f"receive{arguments}", "on the stopped connection")
        other.start()
        expect.equal("receive() after start()", _body(expect.returns(call, "receive()")), "while stopped")


@asserts("6.1.5-13", ack=MODES)
def test_the_time_limit_of_a_receive_runs_on(case: Case) -> None:
    """receive() with a time limit ends with null in time, though a message is there: begun before the stop, and after it."""
    limit = 100_000 if case.provider.clock.virtual else 4 * case.timing.delay  # a minute passes in between
    for stopped_before in (True, False):
        link = case.link()
        other, sender = controller(link.client), sender_to(link)
        sender.send_all(numbered(1 + stopped_before))
        expect.arrives(link, ["001"])
        if stopped_before:
            stop(other)
        begun = case.now()
        call = case.spawn("receive", partial(_timed, case, link, limit))
        if not stopped_before:
            case.until_blocked(call, "the other thread is in receive() by now")
            stop(other)
            sender.send("while stopped")
        message, at = expect.returns(call, "receive() with a time limit", limit + case.timing.deadline)
        expect.equal("what receive() returned on the stopped connection", message, None)
        expect.between("the time at which it returned", at, begun + limit, case.latest(begun + limit))


def _timed(case: Case, link: Link, limit: int) -> tuple[object, int]:
    return body(link.poll(limit)), case.now()
