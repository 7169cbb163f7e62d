"""The messages that a journey carries: every kind, with bodies, headers and properties in turn, as data to write and to compare.

Each journey begins at another place of the lists, so all journeys together carry every value of every kind.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from tck import api
from tck.suite.support.clients.client import Client
from tck.suite.support.harness.running import RunningCase
from tck.suite.support.journeys.model import Journey
from tck.suite.support.values import bodies, properties
from tck.suite.support.values.foreign import foreign
from tck.suite.support.values.kinds import KINDS, Kind, kind_of
from tck.suite.support.values.object_types import Container, Parcel, Stranger
from tck.suite.support.values.properties import comparable
from tck.suite.support.values.seen import shown, tried


def _is_plain(value: object) -> bool:
    """Whether a value is no text, or one without control characters, halves of pairs and characters beyond 16 bits.

    Those have cases of their own: where a provider cannot carry them at all, its journeys must not lose their other rows.
    """
    if not isinstance(value, str):
        return True
    return all(
        character in "\t\n\r"
        or (" " <= character <= "\ufefe" and not "\x7f" <= character <= "\x9f" and not _is_half(character))
        for character in value
    )


def _is_half(character: str) -> bool:
    return "\ud800" <= character <= "\udfff"


_MIXED: Final = tuple((kind, value) for kind, value in bodies.ALL_MIXED if _is_plain(value))
TEXTS: Final = (
    *(str(value) for value in properties.TYPES["string"].values if _is_plain(value)),
    None,
    " blank edges \r\n\t",
    "'%_\\\"",
)
"""Texts, as bodies and as headers."""
HEADERS: Final[Mapping[str, Sequence[str | None]]] = {
    "jms_correlation_id": ("order-17", None, "größer, 東京", "x" * 300),
    "jms_type": ("type", None, "größer, 東京", " t'y%p_e "),
}
"""Values of the headers that are the client's, except for JMSReplyTo."""
LOAD: Final = "load"
"""The property with the number of a load, on most of them, and on the marker behind them."""
MARKER: Final = -1
"""The number of the marker."""
LANE: Final = "lane"
"""The property of selectors."""
WANTED: Final = "wanted"
"""The value of `LANE` on each load, where a selector asks for it."""
REPLIES: Final = ("none", "queue", "topic", "temporary")
"""What JMSReplyTo may be."""
_ENTRIES: Final[Sequence[Sequence[tuple[str, object]]]] = (
    tuple((name, value) for name, value in _MIXED if value != b""),  # 3.11-23 is about empty arrays
    (),
    tuple(("int", number) for number in range(40)),
    (("string", None), ("string", ""), ("long", -1)),
)
_FIRST_ARRAY: Final = next(value for kind, value in _MIXED if kind == "bytes")
_ITEMS: Final = tuple(
    tuple((kind, value) for kind, value in one if kind != "bytes" or value == _FIRST_ARRAY) for one in _ENTRIES
)
"""Items of streams; arrays after arrays have cases of their own (3.11-22), which no journey may lose its other rows to."""
_ARRAYS: Final = (bytes(range(256)), b"", b"\x00", b"\xff" * 4000)
_OBJECTS: Final[Sequence[object]] = (
    [1, "two", [3.5, None, True], {"four": "größer"}],
    "text",
    Parcel("brown", 7),
    None,
    {"a": [], "b": {}},
)
_Property = tuple[str, str, object]
_TYPED: Final[Sequence[_Property]] = tuple(
    (one.name, f"{one.name}_{place}", value)
    for one in properties.TYPES.values()
    for place, value in enumerate(filter(_is_plain, one.values))
)
_COUNT: Final = 13
_COUNT_AFTER_FAILURES: Final = 31
_SETS: Final = 8
"""Sets over which the values of all types are dealt, so that no message is read for long."""
_PROPERTIES: Final[Sequence[Sequence[_Property]]] = (
    *(_TYPED[first::_SETS] for first in range(_SETS)),
    (),
    (("string", "colour", "red"), ("string", "Colour", "green"), ("string", "COLOUR", "blue")),
    tuple(("int", f"many_{number}", number) for number in range(24)),
    (("boolean", "_a", False), ("long", "$b", -(2**63)), ("string", "größe", ""), ("double", "東京", -0.0)),
    (("string", "nothing", None), ("string", "JMSXGroupID", "group"), ("int", "JMSXGroupSeq", 7)),
    (("string", "JMSXGroupID", "größe 東京"), ("int", "JMSXGroupSeq", 0)),
    (("string", "JMSXGroupID", "x" * 300), ("int", "JMSXGroupSeq", 2**31 - 1)),
)
"""Sets of properties, each with its type, its name and its value."""


@dataclass(frozen=True, slots=True)
class Load:
    """The content of one message: what a client puts there before the send.

    Attributes:
        number: its place in the journey, from 0.
        kind: the kind of message.
        body: the content, by kind; a sequence of typed values for map and stream.
        headers: JMSCorrelationID and JMSType.
        reply: one of `REPLIES`.
        properties: type, name and value of each.
        as_objects: whether properties are set by setObjectProperty.
    """

    number: int
    kind: Kind
    body: Any
    headers: Mapping[str, str | None]
    reply: str
    properties: Sequence[_Property]
    as_objects: bool

    def fill(self, message: Any, reply_to: api.Destination | None) -> None:
        """Write everything into a new message."""
        for header, text in self.headers.items():
            if text is not None:
                setattr(message, header, text)
        if reply_to is not None:
            message.jms_reply_to = reply_to
        for kind, name, value in self.properties:
            if self.as_objects:
                message.set_object_property(name, properties.boxed(kind, value))
            else:
                properties.TYPES[kind].set(message, name, value)
        self._write_body(message)

    def _write_body(self, message: Any) -> None:
        if self.kind == "text":
            message.text = self.body
        elif self.kind == "object":
            message.object = self.body
        elif self.kind == "bytes":
            message.write_bytes(self.body)
        elif self.kind == "map":
            bodies.set_entries(message, self.body)
        elif self.kind == "stream":
            bodies.write_items(message, self.body)

    def wanted_properties(self) -> dict[str, object]:
        """Return the objects that must be read, by name, in the form of `seen_properties`."""
        return {name: comparable(properties.boxed(kind, value)) for kind, name, value in self.properties}

    def wanted_body(self) -> object:
        """Return the body in the form of `seen_body`."""
        if self.kind in {"map", "stream"}:
            return bodies.typed(self.body)
        return "" if self.kind == "message" else self.body

    def seen_body(self, message: Any) -> object:
        """Read the body of a received message from where it is, which is its beginning; its kind first, which is the load's."""
        if (kind := kind_of(message)) != self.kind:
            return f"a {kind} message"
        if self.kind == "map":
            return self._entries(message)
        if self.kind == "stream":
            return self._items(message)
        if self.kind == "bytes":
            return tried(lambda: self._all_bytes(message))
        return tried(lambda: getattr(message, self.kind)) if self.kind != "message" else ""

    def _entries(self, message: Any) -> object:
        names = sorted(message.get_map_names())
        if names != sorted(f"e{place}" for place in range(len(self.body))):
            return {"names": names}
        return bodies.typed_entries(message, self.body)

    def _items(self, message: Any) -> object:
        items = dict(bodies.typed_items(message, self.body))
        if not str(more := tried(message.read_object)).startswith("raises "):
            items["more"] = more
        return items

    def _all_bytes(self, message: Any) -> bytes:
        return bodies.array_of(message) or b""


def new_message(client: Client, load: Load, *, of_foreign_make: bool) -> Any:
    """Create the empty message of a load."""
    if of_foreign_make:
        message = foreign(load.kind)
        message.clear_body()
        return message
    session = client.session
    return session.create_message() if load.kind == "message" else getattr(session, f"create_{load.kind}_message")()


def register_types(case: RunningCase) -> None:
    """Allow the types of the objects that are carried."""
    case.provider.register_types(Container, Parcel, Stranger)


def seen_properties(message: Any) -> dict[str, object]:
    """Read all properties by their names, in the form that compares exactly; a name comes once for each enumeration of it."""
    names = [str(name) for name in message.get_property_names()]
    seen = {name: tried(lambda: comparable(message.get_object_property(name))) for name in names}  # noqa: B023 - called at once
    if len(seen) < len(names):
        seen["names twice"] = sorted(name for name in seen if names.count(name) > 1)
    return seen


def seen_header(message: Any, name: str) -> object:
    """Read a header; a destination by kind and name."""
    return tried(lambda: shown(getattr(message, name)))


@dataclass(frozen=True, slots=True)
class Nulls:
    """Where a provider takes null; where it does not, rows of their own report it, and journeys must not lose their other rows."""

    properties: bool
    bodies: bool

    def without(self, load: Load) -> Load:
        """Return the load with the nulls left out that the provider refuses."""
        kept = [one for one in load.properties if self.properties or one[2] is not None]
        body = load.body
        if not self.bodies and load.kind in {"map", "stream"}:
            body = tuple(one for one in body if one[1] is not None)
        return replace(load, properties=kept, body=body)


def nulls_taken(client: Client) -> Nulls:
    """Try whether messages take null as a property, an entry and an item."""
    session: Any = client.session

    def takes(*calls: Callable[[], object]) -> bool:
        return not any(str(tried(call)).startswith("raises ") for call in calls)

    text, map_, stream = session.create_text_message(), session.create_map_message(), session.create_stream_message()
    return Nulls(
        takes(lambda: text.set_string_property("a", None), lambda: text.set_object_property("a", None)),
        takes(
            lambda: map_.set_string("a", None),
            lambda: map_.set_object("a", None),
            lambda: stream.write_string(None),
            lambda: stream.write_object(None),
        ),
    )


def spared(load: Load, spare: Collection[str]) -> Load:
    """Return the load without the contents that a profile spares (`[vary]`)."""
    if (load.kind == "message" and "messages without a body" in spare) or (
        load.kind == "object" and load.body is None and "null objects" in spare
    ):
        return replace(load, kind="text", body="instead")
    if load.kind == "stream" and "bytes in streams" in spare:
        return replace(load, body=tuple(one for one in load.body if one[0] != "bytes"))
    return load


def loads(journey: Journey, number: int, nulls: Nulls, *, numbered: bool = False) -> list[Load]:
    """Return the loads of a journey; its number is where each list begins. `numbered`: whether each has its number as a property.

    After a failure messages come out of the store, where values may be written in another way than on a link: such journeys
    carry more of them.
    """
    body_only = journey.receipt == "receive body"
    filled = body_only or journey.provenance == "foreign"
    kinds: Sequence[Kind] = ("text", "map", "bytes", "object") if body_only else KINDS
    count = _COUNT_AFTER_FAILURES if journey.broken else _COUNT
    count = count // 2 + 2 if journey.provenance == "sent twice" else count
    lane: list[_Property] = [("string", LANE, WANTED)] if journey.selector == "property" else []
    bare = (
        5 if journey.ids == "enabled" and not numbered else count + 1
    )  # a message without an id is known by its property
    return [
        nulls.without(
            _load(
                place,
                kinds[place % len(kinds)],
                number + place,
                lane if place % bare == bare - 1 else [("int", LOAD, place), *lane],
                filled=filled,
            )
        )
        for place in range(count)
    ]


def _load(place: int, kind: Kind, turn: int, more: Sequence[_Property], *, filled: bool) -> Load:
    contents: Mapping[str, Sequence[Any]] = {
        "text": [text for text in TEXTS if text is not None] if filled else TEXTS,
        "map": [one for one in _ENTRIES if one] if filled else _ENTRIES,
        "stream": [one for one in _ITEMS if one] if filled else _ITEMS,
        "bytes": [one for one in _ARRAYS if one] if filled else _ARRAYS,
        "object": [one for one in _OBJECTS if one is not None] if filled else _OBJECTS,
        "message": [None],
    }
    choice = contents[kind]
    return Load(
        place,
        kind,
        choice[(turn + place // len(KINDS)) % len(choice)],
        {name: values[(turn + shift) % len(values)] for shift, (name, values) in enumerate(HEADERS.items())},
        REPLIES[(turn // 2) % len(REPLIES)],
        (*_PROPERTIES[turn % len(_PROPERTIES)], *more),
        as_objects=turn % 3 == 0,
    )
