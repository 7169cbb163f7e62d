"""The view of messages in tests: a body as text, headers as a table, a refused call as `raises TYPE`."""

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
"""Every header of a message."""


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
    """Call, and show the value, or `raises TYPE` with the standard type. For tables of calls that may work or fail."""
    try:
        return shown(call())
    except Exception as error:  # noqa: BLE001 - the caller judges it
        return f"raises {standard_name(error)}"


def standard_name(error: BaseException | None) -> str:
    """Return the name of an exception's type, or of the standard type that a provider's own is derived from."""
    kinds = type(error).__mro__
    return next((kind.__name__ for kind in kinds if getattr(api, kind.__name__, None) is kind), kinds[0].__name__)


def taken(call: Callable[[], object]) -> bool:
    """Call, and return whether nothing was raised: for a value that a provider may refuse and that rows of its own judge."""
    return not str(tried(call)).startswith("raises ")


def headers(message: api.Message, *, names: tuple[str, ...] = HEADERS, delays: bool = True) -> Mapping[str, object]:
    """Read headers into a table: destinations as `queue:NAME` or `topic:NAME`, an unreadable header as `raises TYPE`.

    Without `delays` JMSDeliveryTime, which came with 2.0, is left out.
    """
    return {name: tried(partial(getattr, message, name)) for name in names if delays or name != "jms_delivery_time"}


def shown(value: object) -> object:
    """Show a destination by kind and name, which compare across connections; return other values as they are."""
    if isinstance(value, api.Queue):
        return f"queue:{value.queue_name}"
    if isinstance(value, api.Topic):
        return f"topic:{value.topic_name}"
    return value
