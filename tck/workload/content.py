"""The content of messages: a number of ours, a body and properties that can be recomputed, and their readers.

May import the messaging API and the plan; records nothing.
"""

from __future__ import annotations

import random
import zlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from operator import methodcaller
from typing import Any, Final, NamedTuple

from tck import api
from tck.check.columns import HEAD_BITS, NONE
from tck.workload.model import MessagePlan
from tck.workload.recorder import Head

NUMBER: Final = "tckMsg"
"""The property that carries the number of the message."""
GROUP_SEQUENCE: Final = "JMSXGroupSeq"
"""The one property that has to be an int (3.5.9); other whole numbers are sent as long."""

FAILURES: Final = (api.JMSException, api.JMSRuntimeException, api.XAException)
"""Exceptions that a broken provider may raise."""

_MODES: Final = {"persistent": api.DeliveryMode.PERSISTENT, "non-persistent": api.DeliveryMode.NON_PERSISTENT}


class SendOptions(NamedTuple):
    """The options of a send; times in milliseconds."""

    mode: int
    priority: int
    ttl: int
    delay: int
    klass: int


@dataclass(frozen=True, slots=True)
class MessageKind:
    """A kind of messages with the number of its property class."""

    plan: MessagePlan
    klass: int
    known: KnownProperties

    def choose_options(self, choice: random.Random) -> SendOptions:
        """Choose the options of one send."""
        plan = self.plan
        return SendOptions(
            int(_MODES[plan.mode]),
            choice.choice(plan.priority),
            choice.randint(*plan.ttl),
            choice.randint(*plan.delay),
            self.klass,
        )

    def make(self, maker: api.Session | api.JMSContext, number: int, size: int) -> tuple[api.Message, int]:
        """Make a message of this kind; return it with its digest.

        Args:
            maker: The session or context.
            number: The number that the message carries.
            size: Length of the body in characters or bytes.
        """
        text = body_text(number, size)
        message: api.Message
        if self.plan.body == "bytes":
            message = maker.create_bytes_message()
            message.write_bytes(text.encode("ascii"))
        elif self.plan.body == "map":
            message = maker.create_map_message()
            message.set_string("text", text)
        else:
            message = maker.create_text_message(text)
        message.set_long_property(NUMBER, number)
        for name, value in self.plan.properties.items():
            _SETTERS[type(value)](message, name, value)
        return message, digest(text, self.known.hash)


def body_text(number: int, size: int) -> str:
    """Return the body of a message: its number, padded to a length."""
    return f"{number:x} ".ljust(size, "abcdefghijklmnopqrstuvwxyz"[number % 26])


def digest(text: str, properties: int) -> int:
    """Hash body and properties, given by `hash_of`, to a positive number; the same on every machine."""
    try:
        content = text.encode()
    except UnicodeEncodeError:
        content = text.encode("utf-8", "surrogatepass")
    return (zlib.crc32(content) << 31) ^ properties or 1


def hash_of(values: tuple[object, ...]) -> int:
    """Hash the values of properties; the same on every machine."""
    return zlib.crc32(repr(values).encode())


class KnownProperties:
    """The properties of a kind of messages: readers, expected values, and the hash of all."""

    __slots__ = ("hash", "readers")

    def __init__(self, properties: Mapping[str, str | int | bool | float]) -> None:
        self.readers = [(methodcaller(_GETTERS[type(value)], name), value) for name, value in properties.items()]
        self.hash = hash_of(tuple(properties.values()))

    def read(self, message: api.Message) -> int:
        """Read the properties of a message; return their hash."""
        for read, value in self.readers:
            if read(message) != value:
                return hash_of(tuple([each(message) for each, _ in self.readers]))
        return self.hash


def read_number(message: api.Message) -> int:
    """Read the number of a message; NONE if it cannot be read."""
    try:
        return message.get_long_property(NUMBER)
    except Exception:  # noqa: BLE001 - a provider may raise anything for a missing property
        return NONE


def read_content(message: api.Message, properties: KnownProperties) -> int:
    """Return the digest of a message as received; a special one where it cannot be read."""
    try:
        return digest(_READERS[type(message)](message), properties.read(message))
    except Exception as error:  # noqa: BLE001 - an unreadable message has other content than was sent
        return digest(f"unreadable: {type(error).__name__}", 0)


def _of_text(message: Any) -> str:  # noqa: ANN401 - called by the class that `_reader_of` found
    return message.text or ""


def _of_bytes(message: Any) -> str:  # noqa: ANN401 - as above
    try:
        content = bytearray(message.body_length)
    except api.JavaException as error:
        if error.java_name != "java.lang.NoSuchMethodError":
            raise
        return _read_in_parts(message).decode("latin-1")
    message.read_bytes(content)
    return content.decode("latin-1")


def _read_in_parts(message: Any) -> bytes:  # noqa: ANN401 - as above
    """Return a body whose length the provider's API does not tell, since it is too old for that call."""
    content, part = bytearray(), bytearray(1024)
    while (count := message.read_bytes(part)) > 0:
        content += part[:count]
    return bytes(content)


def _of_map(message: Any) -> str:  # noqa: ANN401 - as above
    return message.get_string("text") or ""


def _of_nothing(message: Any) -> str:  # noqa: ANN401, ARG001 - as above
    return ""


def _reader_of(kind: type) -> Callable[[Any], str]:
    """Find the reader of the bodies of a message class. Testing against an abstract class each time takes longer than reading."""
    for base, reader in ((api.TextMessage, _of_text), (api.BytesMessage, _of_bytes), (api.MapMessage, _of_map)):
        if issubclass(kind, base):
            return reader
    return _of_nothing


class _Readers(dict[type, Callable[[Any], str]]):
    """Readers of bodies, by the class of the message."""

    def __missing__(self, kind: type) -> Callable[[Any], str]:
        found = self[kind] = _reader_of(kind)
        return found


_READERS: Final = _Readers()


def read_head(message: api.Message, modern: bool) -> Head:
    """Read the header fields that a send sets; only `modern` providers have delivery times."""
    try:
        id_, stamp = message.jms_message_id, message.jms_timestamp
        mode, expires = message.jms_delivery_mode, message.jms_expiration
        due = message.jms_delivery_time if modern else NONE
    except Exception:  # noqa: BLE001 - a header that cannot be read is not judged
        return 0, 0, NONE, NONE, NONE
    return hash_head(mode, id_, stamp, expires, due), 0 if id_ is None else hash(id_) or 1, stamp, expires, due


def hash_head(*fields: object) -> int:
    """Return the column `head` of the fields `HEAD`: some bits of the hash of each, never 0."""
    whole = 0
    for place, value in enumerate(fields):
        whole |= (hash((value,)) & (1 << HEAD_BITS) - 1) << place * HEAD_BITS
    return whole or 1


def read_repeat(message: api.Message, modern: bool) -> tuple[bool, int]:
    """Read JMSRedelivered and JMSXDeliveryCount (NONE where absent); a flag that cannot be read raises no finding."""
    try:
        flag = message.jms_redelivered
    except Exception:  # noqa: BLE001 - as above
        return True, NONE
    if not modern:
        return flag, NONE
    try:
        return flag, message.get_int_property("JMSXDeliveryCount")
    except Exception:  # noqa: BLE001 - as above
        return flag, NONE


_SETTERS: Final[Mapping[type, Callable[[Any, str, Any], None]]] = {
    bool: lambda message, name, value: message.set_boolean_property(name, value),
    int: lambda message, name, value: (
        message.set_int_property(name, value) if name == GROUP_SEQUENCE else message.set_long_property(name, value)
    ),
    float: lambda message, name, value: message.set_double_property(name, value),
    str: lambda message, name, value: message.set_string_property(name, value),
}
_GETTERS: Final[Mapping[type, str]] = {
    bool: "get_boolean_property",
    int: "get_long_property",
    float: "get_double_property",
    str: "get_string_property",
}
