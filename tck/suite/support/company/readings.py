"""What can be read of an object without changing anything, with the row that each reading rests on."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

from tck import api

_SETTINGS: Final = (
    "disable_message_id",
    "disable_message_timestamp",
    "delivery_mode",
    "priority",
    "time_to_live",
    "delivery_delay",
)
_CONSUMER: Final = {"message_selector": "3.8.1.1-3", "message_listener": "8.7-15"}

GETTERS: Final[tuple[tuple[type, Mapping[str, str]], ...]] = (
    (api.MessageProducer, {**dict.fromkeys(_SETTINGS, "7.4-11"), "destination": "7.1-13"}),
    (
        api.JMSProducer,
        {
            **{f"get_{name}": "7.4-11" for name in _SETTINGS},
            "get_async": "7.3-4",
            **dict.fromkeys(("get_jms_correlation_id", "get_jms_type", "get_jms_reply_to"), "7.6-10"),
        },
    ),
    (api.MessageConsumer, _CONSUMER),
    (api.JMSConsumer, _CONSUMER),
    (api.QueueReceiver, {"queue": "8.2-6"}),
    (api.TopicSubscriber, {"topic": "8.3.1-17", "no_local": "8.3.1-18"}),
    (api.QueueBrowser, {"queue": "4.1.6-9"}),
    (api.Session, {"transacted": "6.2-7", "acknowledge_mode": "6.2-8"}),
    (
        api.JMSContext,
        {
            "transacted": "6.2-7",
            "session_mode": "6.2-9",
            "auto_start": "6.1.4-15",
            "client_id": "6.1.2-3",
            "exception_listener": "6.1.7-3",
        },
    ),
    (api.Connection, {"client_id": "6.1.2-2", "exception_listener": "6.1.7-3"}),
)
"""The getters of each type that have no effect, with the row that says what they return. A session's own listener is an
optional facility, and what a message gets by being sent belongs to the provider: neither is here.
"""

_OWN_HEADERS: Final = ("jms_correlation_id", "jms_type", "jms_reply_to")
_CARRIED: Final = {"jms_correlation_id": "3.4.5-2", "jms_type": "3.4.8-1", "jms_reply_to": "3.4.6-1"}

UNREADABLE: Final = object()
"""The value of a getter that raises."""


@dataclass(frozen=True, slots=True)
class Reading:
    """One readable thing of an object.

    Attributes:
        name: Its name, without `get_`; of a property `property NAME`.
        row: The row that says what is read there.
        read: Reads it anew.
        value: What was read.
    """

    name: str
    row: str
    read: Callable[[], object]
    value: object

    def now(self) -> object:
        """Return what is read now, `UNREADABLE` if it raises."""
        return _tried(self.read)


def readings(raw: Any, *, received: bool = False) -> Iterator[Reading]:
    """Yield what can be read of an object of the provider; what raises is left out.

    Args:
        raw: The object.
        received: Whether a consumer returned it, for a message.
    """
    for kind, getters in GETTERS:
        if isinstance(raw, kind):
            for getter, row in getters.items():
                yield from _reading(getter.removeprefix("get_"), row, partial(_get, raw, getter))
    if isinstance(raw, api.Message):
        for header in _OWN_HEADERS:
            yield from _reading(header, _CARRIED[header] if received else "3.4.11-6", partial(_get, raw, header))
        if received and isinstance(raw, api.TextMessage):
            yield from _reading("text", "3.11-5", partial(_get, raw, "text"))
        yield from _properties(raw, names="3.5.6-1", values="3.5.5-3")
    if isinstance(raw, api.JMSProducer):
        yield from _properties(raw, names="7.5-10", values="7.5-6")


def _properties(raw: Any, *, names: str, values: str) -> Iterator[Reading]:
    """Yield the client's properties of a message or producer: those of the provider are its own (3.5.9)."""
    yield from _reading("property names", names, partial(_names, raw))
    found = _tried(partial(_names, raw))
    for name in found if isinstance(found, frozenset) else ():
        yield from _reading(f"property {name}", values, partial(raw.get_object_property, name))


def _names(raw: Any) -> frozenset[str]:
    return frozenset(name for name in raw.get_property_names() if not name.startswith("JMS"))


def _reading(name: str, row: str, read: Callable[[], object]) -> Iterator[Reading]:
    value = _tried(read)
    if value is not UNREADABLE:
        yield Reading(name, row, read, value)


def _get(raw: Any, getter: str) -> object:
    value = getattr(raw, getter)
    return value() if getter.startswith("get_") else value


def _tried(read: Callable[[], object]) -> object:
    try:
        return read()
    except Exception:  # noqa: BLE001 - a getter that this object does not permit now tells nothing
        return UNREADABLE


def same(one: Any, other: Any) -> bool:
    """Return whether two readings show the same; destinations by name, since they need not be comparable."""
    if one is other or one == other:
        return True
    for kind, name in ((api.Queue, "queue_name"), (api.Topic, "topic_name")):
        if isinstance(one, kind) and isinstance(other, kind):
            return bool(_tried(partial(_get, one, name)) == _tried(partial(_get, other, name)))
    return bool(one != one and other != other)  # noqa: PLR0124 - not a number
