"""7.2 Synchronous sends: every method, the bodies of a JMSProducer, and what a returned or failed send means."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from tck import api
from tck.suite.support import Case, asserts, expect
from tck.suite.support.clients.asynchronous import Callbacks
from tck.suite.support.clients.gathering import numbered
from tck.suite.support.clients.link import Link
from tck.suite.support.clients.messages import rewind
from tck.suite.support.lifecycle.reconnecting import reconnected
from tck.suite.support.values.bodies import ALL_MIXED, TYPES
from tck.suite.support.values.kinds import KINDS, kind_of
from tck.suite.support.values.names import ENTRY_NAMES
from tck.suite.support.values.numbers import ARRAYS, LONG_ARRAY
from tck.suite.support.values.object_types import Container, Ledger, Parcel, Stranger, Tally
from tck.suite.support.values.objects import object_table
from tck.suite.support.values.properties import comparable
from tck.suite.support.values.seen import headers, shown, tried
from tck.suite.support.values.texts import TEXTS

MODES = ("auto", "client", "dups_ok", "transacted")
DELIVERY_MODES = (api.DeliveryMode.PERSISTENT, api.DeliveryMode.NON_PERSISTENT)
OPTIONS: Mapping[str, Any] = {
    "delivery_mode": api.DeliveryMode.NON_PERSISTENT,
    "priority": 7,
    "time_to_live": 3_600_000,
}
Calls = Mapping[str, Callable[[api.Message], object]]


def _methods(own: Callable[..., Any], anywhere: Callable[..., Any], name: str, destination: api.Destination) -> Calls:
    """Return four methods of producers with and without a destination; `name` is that of the argument."""
    named = {name: destination}
    return {
        "(message)": own,
        "(message, options)": lambda message: own(message, **OPTIONS),
        "(destination, message)": lambda message: anywhere(message, **named),
        "(destination, message, options)": lambda message: anywhere(message, **named, **OPTIONS),
    }


def _sends(link: Link) -> Calls:
    own, anywhere = link.sender.producer, link.client.sender().producer
    return _methods(own.send, anywhere.send, "destination", link.destination)


def _each_sends(link: Link, methods: Calls) -> None:
    """Demand that each method, used twice, sends its message, to its destination, with its options."""
    names = ("jms_priority", "jms_delivery_mode", "jms_destination")
    with expect.all_of():
        for turn in ("first", "second"):
            for what, call in methods.items():
                text = f"{turn} send{what}"
                expect.works(text, partial(call, link.text(text)))
                link.client.settle()
                (received,) = expect.arrives(link, [text])
                options = (7, 1) if "options" in what else (4, 2)
                wanted = dict(zip(names, (*options, shown(link.destination)), strict=True))
                seen = {**headers(received, names=names), "expires": received.jms_expiration > 0}
                expect.equal(f"headers of the {text}", seen, {**wanted, "expires": "options" in what})


@asserts("7.2-1", ack=MODES, plain=True)
def test_four_methods_of_a_producer_send(case: Case) -> None:
    """Each synchronous send method of a MessageProducer sends its message with its options."""
    link = case.link()
    _each_sends(link, _sends(link))


@asserts("7.2-2", ack=MODES, plain=True)
def test_every_method_of_a_queue_sender_sends(case: Case) -> None:
    """Each send method of a QueueSender sends its message with its options."""
    link = case.link()
    _each_sends(link, _sends(link))


@asserts("7.2-3", "9.2-23", ack=MODES, plain=True)
def test_every_method_of_a_topic_publisher_sends(case: Case) -> None:
    """Each publish method of a TopicPublisher and each send method that it inherits since 1.1 sends its message with its options."""
    link = case.link()
    own, anywhere = link.sender.producer, link.client.sender().producer
    published = _methods(own.publish, anywhere.publish, "topic", link.destination)
    _each_sends(link, {f" by publish {what}": call for what, call in published.items()})
    if case.offers("classic"):
        _each_sends(link, _sends(link))


@asserts("7.2-4", ack=("auto", "transacted"))
def test_a_message_is_safe_when_its_send_has_returned(case: Case) -> None:
    """Persistent messages whose send, or whose commit, has returned are there after a crash, of one send and of many."""
    with expect.all_of():
        for count in (1, 2, 30):
            name = case.name("s")
            link = case.link(durable=name)
            link.consumer.close()
            for text in numbered(count):
                link.put(text, mode=api.DeliveryMode.PERSISTENT)
            link.client.settle()
            case.provider.kill()
            again = reconnected(case, link.destination, durable=name)
            expect.arrives(again, numbered(count))


@asserts("7.2-5", ack=("auto", "client"))
def test_a_failed_send_throws(case: Case) -> None:
    """A send that fails at the provider raises an exception, of each mode, the first and a later one; its message never arrives."""
    receiver = case.link("auto")
    link = case.link(destination=receiver.destination, consumes=False)
    with expect.all_of():
        for mode in DELIVERY_MODES:
            for before in (0, 3):
                for text in numbered(before):
                    link.send(text, mode=mode)
                expect.arrives(receiver, numbered(before))  # they have reached the provider
                case.administer("fail-next-sends", destination=link.destination, count=2)
                for text in ("failed", "failed again"):
                    with expect.all_of():
                        expect.raises(
                            case.thrown(api.JMSException),
                            partial(link.put, text, mode=mode),
                            what="a send that fails",
                            though_works=lambda: case.link().send("elsewhere"),
                        )
                expect.works("a send afterwards", partial(link.send, "afterwards", mode=mode))
                expect.only(receiver, ["afterwards"])


# -- bodies of a JMSProducer -------------------------------------------------------------------------------------------


def _sent(link: Link, body: object, body_type: Any) -> Any:
    """Send a body; return the message received, unread."""
    producer: Any = link.sender.producer
    expect.works(
        f"send() of {type(body).__name__}", partial(producer.send, link.destination, body, body_type=body_type)
    )
    link.client.settle()
    received = expect.arrival(link)
    link.client.settle(received)
    rewind(received)
    return received


@asserts("7.2-6", ack=("auto", "transacted"))
def test_a_jms_producer_sends_messages_of_every_kind(case: Case) -> None:
    """Each of the six kinds of message arrives by send(destination, message) as the kind it is, in both delivery modes."""
    link = case.link()
    for mode in DELIVERY_MODES:
        link.sender.producer.set_delivery_mode(mode)
        for kind in KINDS:
            message = link.message(kind, "content")
            message.set_string_property("kind", kind)
            received = _sent(link, message, api.Message)
            expect.equal(
                "the kind, and a property", (kind_of(received), received.get_string_property("kind")), (kind, kind)
            )
            body = {"map": lambda one: one.get_string("body"), "stream": lambda one: one.read_string()}.get(kind)
            if body is not None:
                expect.equal(f"the body of the {kind} message", tried(partial(body, received)), "content")


@asserts("7.2-7", ack=("auto", "transacted"))
def test_a_text_is_sent_as_a_text_message(case: Case) -> None:
    """Texts of all sorts, empty and long ones too, each arrive as a TextMessage with that text."""
    link = case.link()
    seen = {}
    for what, text in TEXTS.items():
        received = _sent(link, text, str)
        seen[what] = (kind_of(received), tried(lambda: received.text))
    expect.equal("kinds and texts received", seen, {what: ("text", text) for what, text in TEXTS.items()})


def _is_common(value: object) -> bool:
    """Return whether a value is no text with characters that other rows are about: a zero, or halves of pairs."""
    return not isinstance(value, str) or (value.isprintable() and all(ord(char) < 0xD800 for char in value))


@asserts("7.2-8", ack=("auto", "transacted"))
def test_a_map_is_sent_as_a_map_message(case: Case) -> None:
    """Maps with a value of each type, with odd names, with none and with null arrive as MapMessages with equal entries."""
    link = case.link()
    entries = {f"e{at}": TYPES[name].boxed(value) for at, (name, value) in enumerate(ALL_MIXED) if _is_common(value)}
    names: dict[str, object] = dict.fromkeys(filter(_is_common, ENTRY_NAMES), 1)
    maps: tuple[dict[str, object], ...] = (entries, names, {"null": None}, {}, {"a": "b"})
    with expect.all_of():
        for number, one in enumerate(maps):
            received = _sent(link, one, dict)
            expect.equal(f"the kind of map {number}", kind_of(received), "map")
            expect.equal(f"the names of map {number}", sorted(received.get_map_names()), sorted(one))
            seen = [(name, tried(lambda: comparable(received.get_object(name)))) for name in one]
            expect.equal(
                f"the values of map {number}", seen, [(name, comparable(value)) for name, value in one.items()]
            )


@asserts("7.2-9", ack=("auto", "transacted"))
def test_bytes_are_sent_as_a_bytes_message(case: Case) -> None:
    """Arrays of every byte, of none and of very many arrive as BytesMessages with equal length and content."""
    link = case.link()
    for array in (*ARRAYS, LONG_ARRAY):
        received = _sent(link, array, bytes)
        expect.equal("the kind of message", kind_of(received), "bytes")
        buffer = bytearray(len(array) + 1)
        expect.equal("the length of the body", received.body_length, len(array))
        count = tried(lambda: received.read_bytes(buffer))
        expect.equal("what is read", (count, bytes(buffer[:-1])), (len(array) or -1, array))


@asserts("7.2-10", ack=("auto", "transacted"))
def test_an_object_is_sent_as_an_object_message(case: Case) -> None:
    """Objects of all sorts, of Java's types and of an application's, arrive as ObjectMessages with an equal object."""
    link = case.link()
    case.provider.register_types(Container, Parcel, Ledger, Tally)
    seen, table = {}, object_table()
    for what, one in table.items():
        received = _sent(link, one, api.SERIALIZABLE)
        seen[what] = (kind_of(received), tried(lambda: comparable(received.object)))
    expect.equal("kinds and objects received", seen, {what: ("object", comparable(one)) for what, one in table.items()})


@asserts("7.2-11", ack=("auto", "transacted"))
def test_null_is_sent_as_a_message_without_body(case: Case) -> None:
    """A null text, map, byte array and object arrive as messages of their kinds without a body, one after a body of the kind."""
    link = case.link()
    reads: Mapping[str, tuple[Any, object, Callable[[Any], object], object]] = {
        "text": (str, "before", lambda message: message.text, None),
        "map": (dict, {"before": 1}, lambda message: list(message.get_map_names()), []),
        "bytes": (bytes, b"before", lambda message: message.body_length, 0),
        "object": (api.SERIALIZABLE, ["before"], lambda message: message.object, None),
    }
    with expect.all_of():
        for kind, (body_type, before, read, wanted) in reads.items():
            _sent(link, before, body_type)
            received = _sent(link, None, body_type)
            expect.equal("the kind of message", kind_of(received), kind)
            expect.equal(f"the body of a null {kind}", tried(partial(read, received)), wanted)


@asserts("7.2-12", ack=("auto", "transacted"))
def test_a_body_that_its_message_cannot_hold_is_refused(case: Case) -> None:
    """A map with a value of no type that maps hold raises MessageFormatRuntimeException; nothing is sent, the producer goes on."""
    link = case.link()
    producer: Any = link.sender.producer
    case.provider.register_types(Stranger)
    wrong: Mapping[str, dict[str, object]] = {
        "an object": {"a": Stranger("x")},
        "a list": {"a": [1, 2]},
        "a map": {"a": {"b": 1}},
        "an object behind good values": {"a": 1, "b": "two", "c": Stranger("x")},
    }
    with expect.all_of():
        for what, body in wrong.items():
            with expect.all_of():
                expect.raises(
                    api.MessageFormatRuntimeException,
                    partial(producer.send, link.destination, body, body_type=dict),
                    what=f"send() of a map with {what}",
                    though_works=lambda: producer.send(link.destination, "sound"),
                )
        link.client.settle()
        expect.only(link, len(wrong) * ["sound"])


@asserts("7.2-13", ack=("auto", "transacted"))
def test_a_jms_producer_sends_synchronously_at_first(case: Case) -> None:
    """The message of a new JMSProducer is there when send has returned, for the first producer of a context and others."""
    link = case.link()
    for number in range(5):
        link.client.session.create_producer().send(link.destination, f"{number}")
        link.client.settle()
        expect.polls(link, f"{number}")


@asserts("7.2-13", ack=("auto", "transacted"), variant="beside-asynchronous")
def test_a_jms_producer_sends_synchronously_beside_asynchronous_ones(case: Case) -> None:
    """A new JMSProducer has no completion listener and calls none, though another one of its context has."""
    link = case.link()
    listener = Callbacks(case)
    link.sender.producer.set_async(listener)
    link.send("before")
    expect.arrives(link, ["before"])
    with expect.all_of():
        for number in range(3):
            producer = link.client.session.create_producer()
            expect.equal("getAsync() of a new producer", producer.get_async(), None)
            producer.send(link.destination, f"{number}")
            link.client.settle()
            expect.arrives(link, [f"{number}"])
        expect.equal("messages of the other producer's listener", [call.text for call in listener.after(1)], ["before"])
