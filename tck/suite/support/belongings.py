"""Messages that hold all that a message can hold, and tables of what is left of it at the other end."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tck.suite.support.bodies import ALL_MIXED, array_of, set_entries, typed_entries, typed_items, write_items
from tck.suite.support.client import Kind
from tck.suite.support.contents import fresh, kind_of, rewind
from tck.suite.support.link import Link
from tck.suite.support.properties import objects, set_all
from tck.suite.support.seen import headers, tried

CONTENT = [1, "two", [3.5, None, True], {"four": "größer, \N{GRINNING FACE}"}]
"""What object messages hold."""
KEPT = (
    "jms_message_id",
    "jms_timestamp",
    "jms_correlation_id",
    "jms_reply_to",
    "jms_destination",
    "jms_type",
    "jms_delivery_mode",
    "jms_expiration",
    "jms_priority",
)
"""Headers that are the same at both ends."""


def laden(link: Link, kind: Kind) -> Any:
    """Create a message of a kind with a body of all that fits, properties of all types and every header of the client."""
    message = fresh(link, kind)
    if kind == "text":
        message.text = "größer, 東京, \N{GRINNING FACE}"
    elif kind == "object":
        message.object = CONTENT
    elif kind == "map":
        set_entries(message, ALL_MIXED)
    elif kind == "stream":
        write_items(message, ALL_MIXED)
    elif kind == "bytes":
        message.write_bytes(bytes(range(256)))
    set_all(message)
    message.jms_type, message.jms_correlation_id = "type", "correlation"
    message.jms_reply_to = link.destination
    return message


def bare(link: Link, kind: Kind) -> Any:
    """Create a message of a kind that holds nothing but an address for replies, in the other domain."""
    message = fresh(link, kind)
    message.jms_reply_to = link.case.destination(link.case.other_domain)
    return message


def asking(link: Link) -> Any:
    """Create a message that asks for a reply at a temporary destination, which is gone when its connection is."""
    message = link.text("x")
    message.jms_reply_to = link.client.temporary()
    return message


def belongings(message: Any) -> Mapping[str, object]:
    """Show kind, headers, properties and body of a sent or received message, which is reset for it."""
    rewind(message)
    names = {name: None for name in message.get_property_names() if not name.startswith("JMSX")}
    shown = {"kind": kind_of(message), **headers(message, names=KEPT), "names": sorted(names)}
    return {**shown, **objects(message, names), **_content(message)}


def _content(message: Any) -> Mapping[str, object]:
    kind = kind_of(message)
    if kind == "map":
        return typed_entries(message, ALL_MIXED)
    if kind == "stream":
        return typed_items(message, ALL_MIXED)
    read = {
        "text": lambda: message.text,
        "object": lambda: message.object,
        "bytes": lambda: array_of(message),
    }.get(kind, lambda: "no body")
    return {"body": tried(read)}
