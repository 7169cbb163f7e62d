# ruff: noqa: N818 - the exceptions have the names of the IDL
"""Names and values of a channel's quality of service and administrative properties, and the errors that refuse them.

Values are plain Python: whole numbers, and a bool for `REJECT_NEW_EVENTS`. Times are `TimeT`, in units of 100 ns. The names that an
event may carry too (`PRIORITY` and others) are those of `tck.interworking.events`. Imports this package's values only.
"""

from __future__ import annotations

import enum
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, TypeAlias

Properties: TypeAlias = Mapping[str, int]
"""Quality of service or administrative properties, by name."""

CONNECTION_RELIABILITY: Final = "ConnectionReliability"
"""`BEST_EFFORT` or `PERSISTENT`; a persistent connection outlives a crash of the channel."""
START_TIME: Final = "StartTime"
"""Of an event only: a struct UtcT, before which no consumer gets the event."""
ORDER_POLICY: Final = "OrderPolicy"
"""In which order a consumer gets its events: `ANY_ORDER` to `DEADLINE_ORDER`."""
DISCARD_POLICY: Final = "DiscardPolicy"
"""Which event goes when a queue overflows: `ANY_ORDER` to `LIFO_ORDER`."""
MAXIMUM_BATCH_SIZE: Final = "MaximumBatchSize"
"""The most events that a sequence consumer is handed in one call, from 1."""
PACING_INTERVAL: Final = "PacingInterval"
"""How long events are collected for a batch that is not full, in units of 100 ns; the rhythm in which suppliers are pulled."""
MAX_EVENTS_PER_CONSUMER: Final = "MaxEventsPerConsumer"
"""The most events that wait for one consumer; 0 for no limit."""

MAX_QUEUE_LENGTH: Final = "MaxQueueLength"
"""Administrative: the most events that the channel keeps; 0 for no limit."""
MAX_CONSUMERS: Final = "MaxConsumers"
"""Administrative: the most consumers of the channel; 0 for no limit."""
MAX_SUPPLIERS: Final = "MaxSuppliers"
"""Administrative: the most suppliers of the channel; 0 for no limit."""
REJECT_NEW_EVENTS: Final = "RejectNewEvents"
"""Administrative: whether a full channel refuses an event; otherwise it discards one."""

ANY_ORDER: Final = 0
FIFO_ORDER: Final = 1
PRIORITY_ORDER: Final = 2
DEADLINE_ORDER: Final = 3
LIFO_ORDER: Final = 4


class QoSErrorCode(enum.IntEnum):
    """Why a property is refused, numbered as in the IDL."""

    UNSUPPORTED_PROPERTY = 0
    UNAVAILABLE_PROPERTY = 1
    UNSUPPORTED_VALUE = 2
    UNAVAILABLE_VALUE = 3
    BAD_PROPERTY = 4
    BAD_TYPE = 5
    BAD_VALUE = 6


@dataclass(frozen=True, slots=True)
class PropertyError:
    """One refused property.

    Attributes:
        code: Why it is refused.
        name: Its name.
        low: The least value that is taken; 0 where no value is.
        high: The greatest value that is taken.
    """

    code: QoSErrorCode
    name: str
    low: int = 0
    high: int = 0

    def __str__(self) -> str:
        taken = f", {self.low} to {self.high} are taken" if self.high else ""
        return f"{self.name}: {self.code.name}{taken}"


class ChannelError(Exception):
    """A channel refuses a call; the subclasses have the names of the IDL.

    ```
    ChannelError
    ├── PropertiesRefused
    │   ├── UnsupportedQoS, UnsupportedAdmin
    ├── AlreadyConnected, NotConnected, Disconnected
    ├── ConnectionAlreadyActive, ConnectionAlreadyInactive
    ├── ChannelNotFound, AdminNotFound, ProxyNotFound, FilterNotFound
    ├── AdminLimitExceeded
    └── ImpLimit, ObjectNotExist, CommFailure   (system exceptions)
    ```
    """


class PropertiesRefused(ChannelError):
    """Properties are refused; none of the call has been set.

    Attributes:
        errors: One for each refused property.
    """

    def __init__(self, *errors: PropertyError) -> None:
        super().__init__("; ".join(map(str, errors)))
        self.errors = errors


class UnsupportedQoS(PropertiesRefused):
    """Quality of service that cannot be given."""


class UnsupportedAdmin(PropertiesRefused):
    """Administrative properties that cannot be set."""


class AlreadyConnected(ChannelError):
    """A client is connected to the proxy."""


class NotConnected(ChannelError):
    """A connection is to be suspended or resumed, and no client is connected."""


class Disconnected(ChannelError):
    """An event is pushed or pulled, and nobody is connected; raised by a client it ends its connection."""


class ConnectionAlreadyActive(ChannelError):
    """A connection is to be resumed that is not suspended."""


class ConnectionAlreadyInactive(ChannelError):
    """A connection is to be suspended that is suspended."""


class ChannelNotFound(ChannelError):
    """No channel has the id."""


class AdminNotFound(ChannelError):
    """No admin has the id."""


class ProxyNotFound(ChannelError):
    """No proxy of the admin has the id."""


class FilterNotFound(ChannelError):
    """No filter of the object has the id."""


class AdminLimitExceeded(ChannelError):
    """The channel has as many consumers or suppliers as it may have."""


class ImpLimit(ChannelError):
    """The channel is full and rejects new events: IMP_LIMIT."""


class ObjectNotExist(ChannelError):
    """The channel, admin or proxy has been destroyed: OBJECT_NOT_EXIST."""


class CommFailure(ChannelError):
    """The channel does not answer, as after a crash: COMM_FAILURE."""
