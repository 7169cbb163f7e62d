"""Messages of each kind with a content that tells: how it is written, changed, read, and carried without being read.

`Link.receive` shows the body of what it takes, which moves the position of streams; `carried` leaves the message as it came.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from tck import api
from tck.catalogue.versions import BODY_READS, DELIVERY_DELAYS, offers
from tck.suite.support import expect
from tck.suite.support.case import Case
from tck.suite.support.client import Kind
from tck.suite.support.link import Link
from tck.suite.support.listening import Listener
from tck.suite.support.outcome import Undecided
from tck.suite.support.seen import body, headers, tried

BODIED: tuple[Kind, ...] = ("text", "bytes", "map", "stream", "object")
"""The kinds that have a body."""

READ_ONLY = "raises MessageNotWriteableException"


@dataclass
class Container:
    """A type of the suite, for object messages; the parent of another."""

    word: str


@dataclass
class Parcel(Container):
    """A type of the suite, for object messages."""

    weight: int


@dataclass
class Stranger:
    """A type of the suite that nothing else has to do with."""

    word: str


class Ledger:
    """A type of the suite whose objects have what they were given in attributes, and no fields that are declared."""

    def __init__(self, *lines: str) -> None:
        self.lines = list(lines)
        self.total = len(lines)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Ledger) and vars(self) == vars(other)

    __hash__ = None  # type: ignore[assignment]  # it can change


@dataclass
class Tally:
    """A type of the suite with a field that its constructor does not take."""

    word: str
    count: int = field(default=0, init=False)

    @classmethod
    def of(cls, word: str, count: int) -> Tally:
        """Make one that has counted so far."""
        made = cls(word)
        made.count = count
        return made


class Fragile:
    """A type of the suite whose objects can be taken apart and not built again."""

    def __init__(self) -> None:
        self.word = "broken"

    def __setstate__(self, state: object) -> None:
        raise ValueError(f"refuses to be built from {state!r}")


class Bomb:
    """A type of the suite whose objects cannot be taken apart."""

    def __getstate__(self) -> object:
        raise TypeError("refuses to be taken apart")


def carried(link: Link, message: api.Message, *, settle: bool = True) -> Any:
    """Demand that a message is sent and received; gives it unread, settled unless told not to."""
    return expect.delivers(link, message, f"a {kind_of(message)} message", settle=settle)


def taken(link: Link) -> Any:
    """Receive a message unread and unsettled.

    Raises:
        Undecided: none came within the profile's deadline.
    """
    received = link.poll()
    if received is None:
        raise Undecided(f"no message came within {link.case.timing.deadline} ms from {link.destination}")
    link.case.witness("a message was received")
    return received


def both_ends(link: Link, message: api.Message) -> tuple[tuple[str, Any], tuple[str, Any]]:
    """Send a message and receive it unread; returns both objects, each with words for it. The sender's is reset."""
    received = carried(link, message)
    rewind(message)
    return (("on the sender's message", message), ("on the received message", received))


def rewind(message: api.Message) -> None:
    """Reset a bytes or stream message; nothing else has a position."""
    if isinstance(message, (api.BytesMessage, api.StreamMessage)):
        message.reset()


def write(message: Any, text: str) -> None:
    """Write a text into the body, behind what is there in a stream of bytes or items; a plain message takes a property."""
    if isinstance(message, api.TextMessage):
        message.text = text
    elif isinstance(message, api.BytesMessage):
        message.write_utf(text)
    elif isinstance(message, api.MapMessage):
        message.set_string("body", text)
    elif isinstance(message, api.StreamMessage):
        message.write_string(text)
    elif isinstance(message, api.ObjectMessage):
        message.object = text
    else:
        message.set_string_property("body", text)


def rewrite(message: api.Message, text: str) -> None:
    """Clear the body and write another."""
    message.clear_body()
    write(message, text)


def rewritten(message: api.Message, text: str) -> object:
    """Clear the body, write another and read it back."""
    rewrite(message, text)
    rewind(message)
    return body(message)


def words(message: Any) -> Sequence[object]:
    """Read all texts that `write` has written, from the beginning of a reset message; at most four."""
    if isinstance(message, (api.BytesMessage, api.StreamMessage)):
        read = message.read_utf if isinstance(message, api.BytesMessage) else message.read_string
        seen = [tried(read) for _ in range(4)]
        return [word for word in seen if word != "raises MessageEOFException"]
    return [body(message) or message.get_string_property("body")]


def fresh(link: Link, kind: Kind) -> Any:
    """Create a message of a kind that nothing has been written to."""
    session = link.client.session
    make = session.create_message if kind == "message" else getattr(session, f"create_{kind}_message")
    return make()


def empty_state(message: Any) -> Mapping[str, object]:
    """Show what tells whether a body is in the state of a new message; resets streams at last."""
    if isinstance(message, api.TextMessage):
        return {"text": message.text}
    if isinstance(message, api.ObjectMessage):
        return {"object": message.object}
    if isinstance(message, api.MapMessage):
        return {"names": list(message.get_map_names())}
    read = tried(message.read_byte)
    message.reset()
    return {"a read": read, "a read after reset": tried(message.read_byte)}


EMPTY: Mapping[Kind, Mapping[str, object]] = {
    "text": {"text": None},
    "object": {"object": None},
    "map": {"names": []},
    "bytes": {"a read": "raises MessageNotReadableException", "a read after reset": "raises MessageEOFException"},
    "stream": {"a read": "raises MessageNotReadableException", "a read after reset": "raises MessageEOFException"},
}
"""What `empty_state` shows of a new message of each kind."""


def new_headers(case: Case) -> Mapping[str, object]:
    """Give a telling value for each header of the claimed version."""
    values: dict[str, object] = {
        "jms_message_id": "ID:changed",
        "jms_timestamp": 1_000,
        "jms_correlation_id": "changed",
        "jms_reply_to": case.queue(),
        "jms_destination": case.topic(),
        "jms_delivery_mode": api.DeliveryMode.NON_PERSISTENT,
        "jms_redelivered": True,
        "jms_type": "changed",
        "jms_expiration": 2_000,
        "jms_priority": 9,
    }
    if offers(case.version, DELIVERY_DELAYS):
        values["jms_delivery_time"] = 3_000
    return values


def changed(message: api.Message, name: str, value: object) -> object:
    """Set a header and show what it is then."""
    return tried(lambda: _set_and_get(message, name, value))


def _set_and_get(message: api.Message, name: str, value: object) -> object:
    setattr(message, name, value)
    return getattr(message, name)


def client_headers(message: api.Message) -> Mapping[str, object]:
    """Show the headers that are the client's to set, and the priority."""
    return headers(message, names=("jms_correlation_id", "jms_reply_to", "jms_type", "jms_priority"))


def tries(message: Any, attempts: Mapping[str, Callable[[Any], object]]) -> Mapping[str, object]:
    """Show what each attempt on a message gives."""
    return {name: tried(lambda: attempt(message)) for name, attempt in attempts.items()}  # noqa: B023 - called at once


def refused_writes(kind: Kind) -> Mapping[str, Callable[[Any], object]]:
    """Give every way to write into the body of a kind, each as a call on a message."""
    if kind == "text":
        return {"set text": lambda message: setattr(message, "text", "y")}
    if kind == "object":
        return {"set object": lambda message: setattr(message, "object", "y")}
    types = ("boolean", "byte", "short", "char", "int", "long", "float", "double")
    values = {**dict.fromkeys(types, 1), "boolean": True, "char": "c", "float": 1.5, "double": 1.5}
    if kind == "map":
        setters = {
            f"set_{name}": lambda message, name=name: getattr(message, f"set_{name}")("body", values[name])
            for name in types
        }
        return {
            **setters,
            "set_string": lambda message: message.set_string("body", "y"),
            "set_bytes": lambda message: message.set_bytes("body", b"y"),
            "set_bytes of a part": lambda message: message.set_bytes("body", b"yyy", 1, 1),
            "set_object": lambda message: message.set_object("body", "y"),
        }
    writers = {
        f"write_{name}": lambda message, name=name: getattr(message, f"write_{name}")(values[name]) for name in types
    }
    text = "utf" if kind == "bytes" else "string"
    return {
        **writers,
        f"write_{text}": lambda message: getattr(message, f"write_{text}")("y"),
        "write_bytes": lambda message: message.write_bytes(b"y"),
        "write_bytes of a part": lambda message: message.write_bytes(b"yyy", 1, 1),
        "write_object": lambda message: message.write_object("y"),
    }


def counts(message: Any, size: int, times: int) -> Sequence[object]:
    """Read byte arrays into a buffer of `size` bytes so many times; gives the counts."""
    buffer = bytearray(size)
    return [tried(lambda: message.read_bytes(buffer)) for _ in range(times)]


def reads(kind: Kind) -> Mapping[str, Callable[[Any], object]]:
    """Give every way to read from a bytes or stream message, each as a call on it."""
    names = ["boolean", "byte", "short", "char", "int", "long", "float", "double"]
    names += ["unsigned_byte", "unsigned_short", "utf"] if kind == "bytes" else ["string", "object"]
    methods = {f"read_{name}": lambda message, name=name: getattr(message, f"read_{name}")() for name in names}
    return {**methods, "read_bytes": lambda message: message.read_bytes(bytearray(4))}


def where_received(
    case: Case, kind: Kind, act: Callable[[api.Message], Mapping[str, object]]
) -> Mapping[str, Mapping[str, object]]:
    """Do something with a message of a kind that was received, and with one that a listener was given.

    Raises:
        Undecided: the listener was not called within the profile's deadline.
    """
    link = case.link()
    seen = {"received": act(carried(link, link.message(kind, "x")))}
    done = case.provider.clock.event()

    def hear(message: api.Message, _: int) -> None:
        seen["heard"] = act(message)
        done.set()

    link.consumer.message_listener = Listener(hear)
    other = case.link(destination=link.destination, consumes=False)
    other.send(other.message(kind, "x"))
    if not done.wait(case.timing.deadline):
        raise Undecided("the listener was not called")
    return seen


def writes_refused(kind: Kind) -> Callable[[api.Message], Mapping[str, object]]:
    """Make the attempt at every way to write, and show the body after it."""

    def act(message: api.Message) -> Mapping[str, object]:
        return {**tries(message, refused_writes(kind)), "the body": body(message)}

    return act


def kind_of(message: api.Message) -> str:
    """Tell the kind of a message by the type it implements; one that implements several is none."""
    kinds: Mapping[str, type] = {
        "text": api.TextMessage,
        "bytes": api.BytesMessage,
        "map": api.MapMessage,
        "stream": api.StreamMessage,
        "object": api.ObjectMessage,
    }
    return " and ".join(name for name, one in kinds.items() if isinstance(message, one)) or "message"


def dressed(link: Link, kind: Kind, content: str | None) -> Any:
    """Create a message with headers, a property and, if `content` is given, a body."""
    message = link.message(kind, content) if content is not None else fresh(link, kind)
    message.jms_type = "type"
    message.jms_correlation_id = "correlation"
    message.jms_reply_to = link.destination
    message.set_string_property("name", "value")
    return message


def portrait(message: Any) -> Mapping[str, object]:
    """Show kind, headers of the client and the body of a sent or received message, which is reset for it."""
    rewind(message)
    return {"kind": kind_of(message), **client_headers(message), "body": tried(lambda: body(message))}


def spoil(array: object) -> None:
    """Overwrite an array or map that was read, if it can be written at all; one that cannot needs no copy."""
    if isinstance(array, bytearray):
        array[:] = bytes(len(array))
    elif isinstance(array, dict):
        array.clear()


def map_reads(message: Any, name: str, version: str) -> Mapping[str, object]:
    """Read an array from a map message in each of the ways that a version has."""
    read = {"get_bytes": tried(lambda: message.get_bytes(name)), "get_object": tried(lambda: message.get_object(name))}
    if offers(version, BODY_READS):
        read["get_body"] = tried(lambda: message.get_body(dict))
    return read


def given(content: bytes) -> bytearray:
    """Make an array for the suite to give away and change afterwards."""
    return bytearray(content)
