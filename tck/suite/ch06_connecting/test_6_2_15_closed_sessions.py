"""6.2.15 Closed sessions: their methods, those of their parts, and their messages."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from tck import api
from tck.suite.support import Case, asserts, expect
from tck.suite.support.clients.client import Client
from tck.suite.support.clients.gathering import numbered
from tck.suite.support.clients.link import Link
from tck.suite.support.clients.members import every_call
from tck.suite.support.clients.messages import fresh, rewind, write
from tck.suite.support.harness.outcome import Undecided
from tck.suite.support.lifecycle.closed import all_refused
from tck.suite.support.lifecycle.stopping import sender_to
from tck.suite.support.values.kinds import BODIED, Kind
from tck.suite.support.values.seen import body, headers, tried

EXPERT = ("close", "run", "getMessageListener", "setMessageListener")


def _interface(case: Case, classic: str, queue: str, topic: str) -> str:
    """Return the Java name of an interface for the case's API and domain."""
    if case.api == "classic":
        return classic
    return queue if case.domain == "queue" else topic


def _same(value: object) -> object:
    return value


def _sessions(case: Case) -> list[Client]:
    """Return sessions of one connection: fresh, in use, and with messages in hand."""
    client = case.client(client_id=case.name("c"))
    fresh, used, holding = client.peer(), client.peer(), client.peer()
    link = case.link(client=used)
    link.send("x")
    expect.arrives(link, ["x"])
    inbox = case.link(client=holding)
    sender_to(inbox).send_all(numbered(2))
    inbox.take_all(2)
    return [fresh, used, holding]


@asserts("6.2.15-19", ack=("auto", "client", "transacted"))
def test_methods_of_a_closed_session(case: Case) -> None:
    """Each method of a closed session but close() raises IllegalStateException: fresh, in use, and with messages in hand."""
    interface = _interface(case, "Session", "QueueSession", "TopicSession")
    table = partial(every_call, case, interface, without=EXPERT)
    sessions = _sessions(case)
    for one in sessions:
        one.close_session()
    opened = case.client(client_id=case.name("c"))
    with expect.all_of():
        for one in sessions:
            refused = table(partial(_same, one.session))
            all_refused(api.IllegalStateException, refused, though_work=table(partial(_same, opened.session)))


@asserts("6.2.15-20", ack=("auto", "client", "transacted"))
def test_methods_of_a_producer_of_a_closed_session(case: Case) -> None:
    """Each method of a producer but close(), with a destination and without, raises after its session was closed."""
    interface = _interface(case, "MessageProducer", "QueueSender", "TopicPublisher")
    with expect.all_of():
        for destination in (case.destination(), None):
            opened, closed = case.client(), case.client().peer()
            targets = [client.sender(destination).producer for client in (closed, opened)]
            messages = [client.text("x") for client in (closed, opened)]
            named: dict[str, Any] = {} if destination is not None else _named(case)
            closed.close_session()
            refused, working = (
                every_call(case, interface, partial(_same, target), message=message, **named)
                for target, message in zip(targets, messages, strict=True)
            )
            all_refused(api.IllegalStateException, refused, though_work=working)


def _named(case: Case) -> dict[str, Any]:
    destination = case.destination()
    return {"destination": destination, "topic": destination}


@asserts("6.2.15-20", ack=("auto", "client", "transacted"), variant="consumer")
def test_methods_of_a_consumer_of_a_closed_session(case: Case) -> None:
    """Each method of a consumer but close() raises after its session was closed, with messages at the client and without."""
    interface = _interface(case, "MessageConsumer", "QueueReceiver", "TopicSubscriber")
    links = [case.link(client=case.client().peer()) for _ in range(2)]
    sender_to(links[0]).send_all(numbered(9))
    expect.arrives(links[0], ["001"])
    for link in links:
        link.client.close_session()
    receives = {"only": ("receive", "receiveNoWait")}
    others: dict[str, Any] = {"without": ("close", "receive", "receiveNoWait")}
    with expect.all_of():
        for link in links:
            for chosen in (receives, others):
                opened = case.link()
                sender_to(opened).send_all(numbered(9))
                refused = every_call(case, interface, partial(_same, link.consumer), **chosen)
                working = every_call(case, interface, partial(_same, opened.consumer), **chosen)
                all_refused(api.IllegalStateException, refused, though_work=working)


def _untouched(link: Link) -> Any:
    """Receive a message without a look at it, which may decode it."""
    message = link.poll()
    if message is None:
        raise Undecided(f"no message came from {link.destination}")
    return message


@asserts("6.2.15-22", ack=("auto", "client", "transacted"))
def test_received_messages_outlast_their_session(case: Case) -> None:
    """Messages of each kind are read, cleared and written after the close, read before it or not."""
    link = case.link(client=case.client().peer())
    kinds = [kind for kind in BODIED for _ in range(2)]
    for kind in kinds:
        message = link.message(kind, f"of kind {kind}")
        message.set_string_property("colour", kind)
        message.jms_type = kind
        link.send(message)
    messages = [_untouched(link) for _ in kinds]
    before = [_facts(message) if number % 2 else None for number, message in enumerate(messages)]
    case.witness(f"before the close: {before}")
    link.client.close_session()
    with expect.all_of():
        for kind, message in zip(kinds, messages, strict=True):
            facts = {"body": f"of kind {kind}", "colour": kind, "jms_type": kind, "jms_priority": 4}
            expect.equal(f"a received {kind} message after the close", _facts(message), facts)
            with expect.all_of():
                expect.works(f"clearBody() of a {kind} message", message.clear_body)
                expect.works(f"writing a {kind} message", partial(write, message, f"again {kind}"))


def _facts(message: Any) -> dict[str, object]:
    rewind(message)
    facts = {**headers(message, names=("jms_type", "jms_priority")), "body": tried(partial(body, message))}
    return {**facts, "colour": tried(partial(message.get_string_property, "colour"))}


def _all_bytes(message: api.BytesMessage) -> bytes:
    array = bytearray(400_000)
    return bytes(array[: message.read_bytes(array)])


LARGE: Mapping[str, tuple[Kind, Callable[[Any, str], object], Callable[[Any], Any]]] = {
    "text": ("text", write, lambda message: message.text),
    "object": ("object", write, lambda message: message.object),
    "bytes": ("bytes", lambda message, text: message.write_bytes(text.encode()), _all_bytes),
    "map": ("map", write, lambda message: message.get_string("body")),
    "stream": ("stream", write, lambda message: message.read_string()),
}
"""The kinds of message with large bodies, and calls that write and read these."""


@asserts("6.2.15-22", ack=("auto", "transacted"), variant="large")
def test_large_received_messages_outlast_their_session(case: Case) -> None:
    """Large bodies of each kind, received and not read before the close of their session, are read after it."""
    _large_after(case, lambda client: client.close_session())


@asserts("6.2.15-22", ack=("auto", "transacted"), variant="large-closed")
def test_large_received_messages_outlast_their_connection(case: Case) -> None:
    """Large bodies of each kind, received and not read before the close of their connection, are read after it."""
    _large_after(case, lambda client: client.close())


def _large_after(case: Case, close: Callable[[Client], None]) -> None:
    link = case.link(client=case.client().peer())
    sender = case.link("auto", destination=link.destination, consumes=False)
    for kind, fill, _ in LARGE.values():
        message = fresh(sender, kind)
        fill(message, "0123456789" * 30_000)
        sender.send(message)
    messages = [_untouched(link) for _ in LARGE]
    close(link.client)
    read = zip(LARGE.items(), messages, strict=True)
    sizes = {what: tried(partial(_length, part, message)) for (what, (_, _, part)), message in read}
    expect.equal("sizes after the close", sizes, dict.fromkeys(LARGE, 300_000))


def _length(read: Callable[[Any], Any], message: Any) -> int:
    return len(read(message))


@asserts("6.2.15-22", ack=("auto", "transacted"), variant="created")
def test_created_messages_outlast_their_session(case: Case) -> None:
    """Messages of each kind, created and filled before the close, one of them sent, are filled after it and sent elsewhere."""
    link, other = case.link(client=case.client().peer()), case.link("auto")
    sent = link.text("sent before")
    link.send(sent)
    expect.arrives(link, ["sent before"])
    messages = [link.message(kind, f"before {kind}") for kind in BODIED]
    link.client.close_session()
    with expect.all_of():
        for kind, message in zip(BODIED, messages, strict=True):
            with expect.all_of():
                expect.works(f"clearBody() of a {kind} message", message.clear_body)
                expect.works(f"writing a {kind} message", partial(write, message, f"after {kind}"))
                received = expect.delivers(other, message, f"the {kind} message")
                expect.equal(f"the body of the {kind} message", tried(partial(body, received)), f"after {kind}")
        if case.ack == "transacted":  # that a message sent in a transaction can be sent elsewhere is 3.9-4
            return
        with expect.all_of():
            received = expect.delivers(other, sent, "a message that was sent before")
            expect.equal("its body", tried(partial(body, received)), "sent before")
