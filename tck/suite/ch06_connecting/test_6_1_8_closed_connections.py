"""6.1.8 Closing a connection: what its parts do afterwards, and its messages."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from tck import api
from tck.suite.support import Case, asserts, expect
from tck.suite.support.clients.client import Client
from tck.suite.support.clients.gathering import numbered
from tck.suite.support.clients.link import Link
from tck.suite.support.clients.listeners import Listener
from tck.suite.support.clients.members import every_call
from tck.suite.support.clients.raw import connection_of
from tck.suite.support.harness.outcome import Undecided
from tck.suite.support.lifecycle.closed import all_refused
from tck.suite.support.lifecycle.stopping import sender_to
from tck.suite.support.values.kinds import Kind
from tck.suite.support.values.seen import body, tried

MODES = ("auto", "client", "dups_ok", "transacted")
KINDS: tuple[Kind, ...] = ("text", "bytes", "map", "stream", "object")
EXPERT = ("close", "run", "getMessageListener", "setMessageListener")


def _interface(case: Case, classic: str, queue: str, topic: str) -> str:
    """Return the Java name of an interface for the case's API and domain."""
    if case.api == "classic":
        return classic
    return queue if case.domain == "queue" else topic


def _carrying(case: Case) -> Link:
    """Open a link that has carried a message."""
    link = case.link()
    link.send("x")
    expect.arrives(link, ["x"])
    return link


@asserts("6.1.8-13", ack=MODES)
def test_close_closes_every_session(case: Case) -> None:
    """After the close each of four sessions refuses calls, whatever its place: fresh, in use, or with messages in hand."""
    link = _carrying(case)
    sessions = [link.client.peer(), link.client, link.client.peer(), link.client.peer()]
    holding = case.link(client=sessions[2])
    sender_to(holding).send("in hand")
    holding.take()
    link.client.close()
    with expect.all_of():
        for number, client in enumerate(sessions):
            for what in ("transacted", *(["acknowledge_mode"] if case.offers("classic") else [])):
                with expect.all_of():
                    expect.raises(
                        api.IllegalStateException, partial(getattr, client.session, what), what=f"{what} of {number}"
                    )
            with expect.all_of():
                create = partial(client.session.create_text_message, "x")
                expect.raises(api.IllegalStateException, create, what=f"createTextMessage() of session {number}")


@asserts("6.1.8-14", ack=("auto", "client", "transacted"))
def test_close_closes_producers_and_consumers(case: Case) -> None:
    """After the close send and receive raise IllegalStateException; nothing is sent, and no prefetched message is taken."""
    name = case.name("s")
    link, watcher = case.link(durable=name), case.link("auto")
    producer = link.client.sender(watcher.destination)
    sender_to(link).send_all(numbered(4))
    expect.arrives(link, ["001"])
    message = link.text("too late")
    link.client.close()
    calls: dict[str, Callable[[], object]] = {
        "send()": partial(producer.send, message),
        "receive()": link.consumer.receive,
        "receive() with a time limit": partial(link.consumer.receive, 1),
        "receiveNoWait()": link.consumer.receive_no_wait,
    }
    with expect.all_of():
        for what, call in calls.items():
            with expect.all_of():
                expect.raises(api.IllegalStateException, call, what=f"{what} after the close")
        expect.only(watcher)
        again = case.link("auto", destination=link.destination, durable=name)
        expect.arrives(again, numbered(4)[1:])


@asserts("6.1.8-15", ack=("auto", "transacted"))
def test_close_closes_browsers(case: Case) -> None:
    """After the close getEnumeration() of a browser, used or not, raises, and an enumeration shows nothing sent since."""
    link = case.link(consumes=False)
    link.send_all(numbered(3))
    session = link.client.session
    used, fresh = session.create_browser(link.destination), session.create_browser(link.destination)
    enumeration = iter(used.get_enumeration())
    expect.equal("the first message that the browser shows", body(next(enumeration, None)), "001")
    link.client.close()
    case.link("auto", destination=link.destination, consumes=False).send("since")
    with expect.all_of():
        for words, browser in (("used", used), ("fresh", fresh)):
            with expect.all_of():
                what = f"getEnumeration() of a {words} browser"
                expect.raises(api.IllegalStateException, browser.get_enumeration, what=what)
        rest = tried(lambda: [body(message) for message in enumeration])
        expect.true("the enumeration shows nothing sent since", "since" not in str(rest), f"it showed {rest}")


@asserts("6.1.8-36", ack=MODES)
def test_acknowledge_after_the_close_in_each_mode(case: Case) -> None:
    """acknowledge() after the close raises IllegalStateException in CLIENT_ACKNOWLEDGE, by receive() and by a listener."""
    link, listening = case.link(), case.link()
    link.send_all(numbered(2))
    messages = expect.arrives(link, numbered(2), settle=False)
    kept, called = list[api.Message](), case.provider.clock.event()

    def keep(message: api.Message, ordinal: int) -> None:
        del ordinal
        kept.append(message)
        called.set()

    listening.consumer.message_listener = Listener(keep)
    sender_to(listening).send("to the listener")
    expect.true("the listener is called", called.wait(case.timing.deadline), "it was not")
    for one in (link, listening):
        one.client.close()
    with expect.all_of():
        for message in (*messages, *kept):
            with expect.all_of():
                _judge_acknowledge(case, message)


def _judge_acknowledge(case: Case, message: api.Message) -> None:
    """Demand the exception in CLIENT_ACKNOWLEDGE, record the reaction in the other modes."""
    what = "acknowledge() after the close"
    if case.ack == "client":
        expect.raises(api.IllegalStateException, message.acknowledge, what=what)
    else:
        expect.record(f"{what} in another mode: {tried(message.acknowledge) or 'no effect'}")


@asserts("6.1.8-38")
def test_methods_of_a_closed_connection(case: Case) -> None:
    """Each method of a closed connection but close() raises IllegalStateException: never started, started, and in use."""
    interface = _interface(case, "Connection", "QueueConnection", "TopicConnection")
    for_servers = [f"create{kind}ConnectionConsumer" for kind in ("", "Shared", "Durable", "SharedDurable")]
    table = partial(every_call, case, interface, without=("close", *for_servers))
    never_started = connection_of(case)
    connections = [never_started, case.client().connection, _carrying(case).client.connection]
    for connection in connections:
        connection.close()
    with expect.all_of():
        for connection in connections:
            closed = table(partial(_same, connection))
            all_refused(api.IllegalStateException, closed, though_work=table(lambda: connection_of(case)))


def _same(value: object) -> object:
    return value


def _identified(case: Case) -> Client:
    """Connect with a client identifier, as durable subscriptions need."""
    return case.client(client_id=case.name("c"))


@asserts("6.1.8-39", ack=("auto", "client", "transacted"))
def test_methods_of_a_session_of_a_closed_connection(case: Case) -> None:
    """Each method of a session but close() raises IllegalStateException after its connection was closed."""
    interface = _interface(case, "Session", "QueueSession", "TopicSession")
    opened, closed = _identified(case), _identified(case)
    peer = closed.peer()
    closed.close()
    table = partial(every_call, case, interface, without=EXPERT)
    with expect.all_of():
        for session in (closed.session, peer.session):
            refused = table(partial(_same, session))
            all_refused(api.IllegalStateException, refused, though_work=table(partial(_same, opened.session)))


@asserts("6.1.8-40", ack=("auto", "transacted"))
def test_methods_of_a_producer_of_a_closed_connection(case: Case) -> None:
    """Each method of a producer but close(), with a destination and without, raises after its connection was closed."""
    interface = _interface(case, "MessageProducer", "QueueSender", "TopicPublisher")
    with expect.all_of():
        for destination in (case.destination(), None):
            opened, closed = case.client(), case.client()
            targets = [client.sender(destination).producer for client in (closed, opened)]
            messages = [client.text("x") for client in (closed, opened)]
            closed.close()
            refused, working = (
                every_call(case, interface, partial(_same, target), message=message)
                for target, message in zip(targets, messages, strict=True)
            )
            all_refused(api.IllegalStateException, refused, though_work=working)


@asserts("6.1.8-41", ack=("auto", "transacted"))
def test_methods_of_a_consumer_of_a_closed_connection(case: Case) -> None:
    """Each method of a consumer but close() raises after its connection was closed, with messages at the client and without."""
    interface = _interface(case, "MessageConsumer", "QueueReceiver", "TopicSubscriber")
    opened = case.link()
    links = [case.link(), case.link()]
    for link in (opened, links[0]):
        sender_to(link).send_all(numbered(9))
        expect.arrives(link, ["001"])
    for link in links:
        link.client.close()
    receives = {"only": ("receive", "receiveNoWait")}
    others: dict[str, Any] = {"without": ("close", "receive", "receiveNoWait")}
    with expect.all_of():
        for link in links:
            for chosen in (receives, others):
                refused = every_call(case, interface, partial(_same, link.consumer), **chosen)
                working = every_call(case, interface, partial(_same, opened.consumer), **chosen)
                all_refused(api.IllegalStateException, refused, though_work=working)
            opened = _fresh(case)


def _fresh(case: Case) -> Link:
    link = case.link()
    sender_to(link).send_all(numbered(9))
    expect.arrives(link, ["001"])
    return link


def _look(message: api.Message) -> dict[str, object]:
    """Read a message: a property and some headers."""
    names = ("jms_message_id", "jms_timestamp", "jms_priority", "jms_destination", "jms_type", "jms_correlation_id")
    look = {name: tried(partial(getattr, message, name)) for name in names}
    look["colour"] = tried(partial(message.get_string_property, "colour"))
    look["names"] = tried(lambda: [name for name in message.get_property_names() if name == "colour"])
    return look


def _untouched(link: Link) -> api.Message:
    """Receive a message without a look at it, which may decode it."""
    message = link.poll()
    if message is None:
        raise Undecided(f"no message came from {link.destination}")
    return message


@asserts("6.1.8-45", ack=("auto", "client", "transacted"))
def test_received_messages_outlast_their_connection(case: Case) -> None:
    """Messages of each kind are read, cleared and written after the close, read before it or not, settled or not."""
    link = case.link()
    kinds = [kind for kind in KINDS for _ in range(2)]
    for number, kind in enumerate(kinds):
        message = link.message(kind, f"of kind {kind}")
        message.set_string_property("colour", "red")
        message.jms_type = kind
        message.jms_correlation_id = f"correlation {number}"
        link.send(message)
    messages = [_untouched(link) for _ in kinds]
    read, unread = messages[::2], messages[1::2]
    before = [(_look(message), tried(partial(_body, message))) for message in read]
    case.witness(f"before the close: {before}")
    link.client.close()
    with expect.all_of():
        for message, (look, content) in zip(read, before, strict=True):
            what = f"of a message of kind {message.jms_type}, read before the close and again after it"
            expect.equal(f"headers and properties {what}", _look(message), look)
            expect.equal(f"the body {what}", tried(partial(_body, message)), content)
        for number, (kind, message) in enumerate(zip(KINDS, unread, strict=True)):
            what = f"of a {kind} message, first read after the close"
            expect.equal(f"the body {what}", tried(partial(body, message)), f"of kind {kind}")
            expect.equal(f"the property {what}", _look(message)["colour"], "red")
            expect.equal(
                f"the correlation identifier {what}", message.jms_correlation_id, f"correlation {2 * number + 1}"
            )
        for kind, message in zip((*KINDS, *KINDS), (*read, *unread), strict=True):
            with expect.all_of():
                expect.works(f"clearProperties() of a {kind} message", message.clear_properties)
                expect.works(f"clearBody() of a {kind} message", message.clear_body)
                expect.works(f"writing a {kind} message", partial(_write, message, f"again {kind}"))


def _body(message: api.Message) -> object:
    """Read a body from its beginning."""
    if isinstance(message, api.BytesMessage | api.StreamMessage):
        message.reset()
    return body(message)


def _write(message: api.Message, text: str) -> None:
    """Write a body and a property."""
    message.set_string_property("colour", "blue")
    if isinstance(message, api.TextMessage):
        message.text = text
    elif isinstance(message, api.MapMessage):
        message.set_string("body", text)
    elif isinstance(message, api.StreamMessage):
        message.write_string(text)
    elif isinstance(message, api.BytesMessage):
        message.write_utf(text)
    elif isinstance(message, api.ObjectMessage):
        message.object = text


@asserts("6.1.8-46", ack=("auto", "transacted"))
def test_created_messages_outlast_their_connection(case: Case) -> None:
    """Messages of each kind, created and filled in part before the close, are filled after it, sent elsewhere, and arrive."""
    link, other = _carrying(case), case.link("auto")
    sent = link.text("sent before")
    link.send(sent)
    messages = [link.message(kind, f"before {kind}") for kind in KINDS]
    link.client.close()
    with expect.all_of():
        for kind, message in zip(KINDS, messages, strict=True):
            with expect.all_of():
                expect.works(f"clearBody() of a {kind} message", message.clear_body)
                expect.works(f"writing a {kind} message", partial(_write, message, f"after {kind}"))
                received = expect.delivers(other, message, f"the {kind} message")
                expect.equal(f"the body of the {kind} message", tried(partial(body, received)), f"after {kind}")
                expect.equal(f"the property of the {kind} message", received.get_string_property("colour"), "blue")
        if case.ack == "transacted":  # that a message sent in a transaction can be sent elsewhere is 3.9-4
            return
        with expect.all_of():
            received = expect.delivers(other, sent, "a message that was sent before")
            expect.equal("its body", tried(partial(body, received)), "sent before")
