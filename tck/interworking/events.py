"""Structured events of the Notification Service: a fixed header, a variable header, filterable data and a body of any type.

Imports this package's values only.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from tck.interworking.anys import NULL, Any_

EVENT_RELIABILITY: Final = "EventReliability"
"""Name of a header item; a short, `BEST_EFFORT` or `PERSISTENT`."""
PRIORITY: Final = "Priority"
"""Name of a header item; a short from -32767 to 32767."""
TIMEOUT: Final = "Timeout"
"""Name of a header item; an unsigned long long, the life of the event in units of 100 ns."""
STOP_TIME: Final = "StopTime"
"""Name of a header item; a struct UtcT whose first member counts units of 100 ns since 1582-10-15 00:00 UTC."""

BEST_EFFORT: Final = 0
PERSISTENT: Final = 1


@dataclass(frozen=True, slots=True)
class EventType:
    """Domain and type that an event belongs to, such as `Telecom` and `CommunicationsAlarm`."""

    domain_name: str = ""
    type_name: str = ""


@dataclass(frozen=True, slots=True)
class FixedEventHeader:
    """What every event has: its type, and the name of this one."""

    event_type: EventType = EventType()
    event_name: str = ""


@dataclass(frozen=True, slots=True)
class Property:
    """A name with a value of any type."""

    name: str
    value: Any_


@dataclass(frozen=True, slots=True)
class EventHeader:
    """The fixed header, and items such as `PRIORITY` that an event may have."""

    fixed_header: FixedEventHeader = FixedEventHeader()
    variable_header: tuple[Property, ...] = ()


@dataclass(frozen=True, slots=True)
class StructuredEvent:
    """An event of a channel.

    Attributes:
        header: Its headers.
        filterable_data: Names with values that filters of the channel read; a name may occur once.
        remainder_of_body: The rest; `NULL` for none.
    """

    header: EventHeader = EventHeader()
    filterable_data: tuple[Property, ...] = ()
    remainder_of_body: Any_ = NULL

    def field(self, name: str) -> Any_ | None:
        """Return the value of an item of the variable header, or None."""
        return next((each.value for each in self.header.variable_header if each.name == name), None)

    def data(self, name: str) -> Any_ | None:
        """Return the value of a filterable item, or None."""
        return next((each.value for each in self.filterable_data if each.name == name), None)


def event(
    domain: str = "",
    type_: str = "",
    name: str = "",
    *,
    header: Mapping[str, Any_] | None = None,
    data: Mapping[str, Any_] | None = None,
    body: Any_ = NULL,
) -> StructuredEvent:
    """Return an event by its parts.

    Args:
        domain: `domain_name` of its type.
        type_: `type_name` of its type.
        name: `event_name`.
        header: The variable header, by name.
        data: The filterable data, by name.
        body: The rest of the body.
    """
    fixed = FixedEventHeader(EventType(domain, type_), name)
    items, fields = (tuple(Property(each, value) for each, value in (given or {}).items()) for given in (header, data))
    return StructuredEvent(EventHeader(fixed, items), fields, body)
