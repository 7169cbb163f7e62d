"""Messages of each kind: created, written, and sent to a receiver that does not read them.

`Link.receive` reads the body, which moves the position of a stream; `carried` leaves the received message as it came.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from tck import api
from tck.suite.support import expect
from tck.suite.support.clients.link import Link
from tck.suite.support.values.bodies import Table
from tck.suite.support.values.body_conversions import Cell, get_cells, read_cells, set_cells, write_cells
from tck.suite.support.values.body_types import ENTRIES, PARCEL
from tck.suite.support.values.kinds import Kind, kind_of
from tck.suite.support.values.object_types import Container, Fragile, Parcel, Stranger
from tck.suite.support.values.seen import headers, tried

READ_ONLY = "raises MessageNotWriteableException"
"""The result of a refused write, as `tried` shows it."""


def carried(link: Link, message: api.Message, *, settle: bool = True) -> Any:
    """Demand that a message is sent and received; return the received one, unread."""
    return expect.delivers(link, message, f"a {kind_of(message)} message", settle=settle)


def taken(link: Link) -> Any:
    """Receive a message without settling it and without reading its body.

    Raises:
        Undecided: none came within the profile's deadline.
    """
    received = link.poll()
    if received is None:
        link.missing()
    link.case.witness("a message was received")
    return received


def both_ends(link: Link, message: api.Message) -> tuple[tuple[str, Any], tuple[str, Any]]:
    """Send a message and receive it unread; return both objects, each with words for it. The sender's one is reset."""
    received = carried(link, message)
    rewind(message)
    return (("on the sender's message", message), ("on the received message", received))


def rewind(message: api.Message) -> None:
    """Reset a bytes or stream message; other kinds have no position."""
    if isinstance(message, (api.BytesMessage, api.StreamMessage)):
        message.reset()


def write(message: Any, text: str) -> None:
    """Write a text into the body; bytes and stream messages append it, a plain message takes it as a property."""
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
    """Clear the body and write another text."""
    message.clear_body()
    write(message, text)


def fresh(link: Link, kind: Kind) -> Any:
    """Create an empty message of a kind."""
    session = link.client.session
    make = session.create_message if kind == "message" else getattr(session, f"create_{kind}_message")
    return make()


def client_headers(message: api.Message) -> Mapping[str, object]:
    """Show the headers that are the client's to set, and the priority."""
    return headers(message, names=("jms_correlation_id", "jms_reply_to", "jms_type", "jms_priority"))


def tries(message: Any, attempts: Mapping[str, Callable[[Any], object]]) -> Mapping[str, object]:
    """Show the result of each attempt on a message, or `raises TYPE`."""
    return {name: tried(lambda: attempt(message)) for name, attempt in attempts.items()}  # noqa: B023 - called at once


def filled(link: Link, kind: str) -> Any:
    """Create a message of a kind with a distinctive body; register the suite's types for object messages."""
    link.case.provider.register_types(Container, Parcel, Stranger, Fragile)
    message = fresh(link, kind)  # type: ignore[arg-type]  # any of the kinds
    if kind == "text":
        message.text = "x"
    elif kind == "bytes":
        message.write_bytes(b"\x07\x08abc")
    elif kind == "map":
        for name, value in ENTRIES.items():
            message.set_object(name, value)
    elif kind == "stream":
        message.write_string("x")
        message.write_long(7)
    elif kind == "object":
        message.object = PARCEL
    return message


def fragile(link: Link) -> Any:
    """Create an object message whose object cannot be deserialised."""
    message = filled(link, "object")
    message.object = Fragile()
    return message


def everywhere(
    link: Link, cells: Sequence[Cell], *, kinds: Sequence[str] = ("map", "stream"), forms: Sequence[bool] = (False,)
) -> Iterator[tuple[str, Table]]:
    """Write conversion cells into map and stream messages, send these, and read them at both ends; yield each table.

    Each table comes with words for it. `forms`: written by the methods of the types (False), as objects (True), or both in turn.
    """
    for kind in kinds:
        put, get = (set_cells, get_cells) if kind == "map" else (write_cells, read_cells)
        for as_objects in forms:
            message = fresh(link, "map" if kind == "map" else "stream")
            put(message, cells, as_objects=as_objects)
            for end, seen in both_ends(link, message):
                yield f"{kind} cells{' set as objects' if as_objects else ''} {end}", get(seen, cells)


def dressed(link: Link) -> api.TextMessage:
    """Create a text message with every header that is the client's to set."""
    message = link.text("x")
    message.jms_correlation_id = "correlation"
    message.jms_reply_to = link.case.destination()
    message.jms_type = "type"
    return message


def coloured(link: Link, text: str) -> api.TextMessage:
    """Create a text message whose property `colour` is the first word of its text."""
    message = link.text(text)
    message.set_string_property("colour", text.split(maxsplit=1)[0])
    return message


def send_coloured(link: Link, texts: Iterable[str]) -> None:
    """Send messages whose property `colour` is the first word of their texts."""
    for text in texts:
        link.send(coloured(link, text))
