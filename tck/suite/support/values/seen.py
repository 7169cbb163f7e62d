"""How messages look to a test: their body as text, their headers as a table."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

from tck import api

HEADERS = (
    "jms_message_id",
    "jms_timestamp",
    "jms_correlation_id",
    "jms_reply_to",
    "jms_destination",
    "jms_delivery_mode",
    "jms_redelivered",
    "jms_type",
    "jms_expiration",
    "jms_delivery_time",
    "jms_priority",
)
"""Every header that a message has."""


def body(message: api.Message | None) -> object:
    """Show a body: the text of a text message, the item called `body` of a map, the first item of the others."""
    if message is None:
        return None
    if isinstance(message, api.TextMessage):
        return message.text
    if isinstance(message, api.MapMessage):
        return message.get_string("body")
    if isinstance(message, api.StreamMessage):
        return message.read_string()
    if isinstance(message, api.BytesMessage):
        return message.read_utf()
    if isinstance(message, api.ObjectMessage):
        return message.object
    return ""


def tried(call: Callable[[], object]) -> object:
    """Call, and show what came of it: the value, or `raises TYPE`. For tables of cells that may go either way."""
    try:
        return shown(call())
    except Exception as error:  # noqa: BLE001 - whatever it raises is what is to be judged
        return f"raises {type(error).__name__}"


def headers(message: api.Message, *, names: tuple[str, ...] = HEADERS) -> Mapping[str, object]:
    """Read headers into a table, destinations as `queue:NAME` or `topic:NAME`, one that cannot be read as `raises TYPE`."""
    return {name: tried(partial(getattr, message, name)) for name in names}


def shown(value: object) -> object:
    """Show a destination by kind and name, which is what can be compared across connections; others as they are."""
    if isinstance(value, api.Queue):
        return f"queue:{value.queue_name}"
    if isinstance(value, api.Topic):
        return f"topic:{value.topic_name}"
    return value
