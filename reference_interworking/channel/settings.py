"""Quality of service with inheritance, and administrative properties: names, ranges, defaults, and who may set what.

Guarded by the channel's lock. Imports `tck.interworking` only.
"""

from __future__ import annotations

import enum
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from tck.interworking import BEST_EFFORT, EVENT_RELIABILITY, PERSISTENT, PRIORITY, STOP_TIME, TIMEOUT
from tck.interworking import qos as names
from tck.interworking.acknowledgment import ACKNOWLEDGMENT, DELIVERY_RELIABILITY, NONE, RETRIES, RETRY_INTERVAL
from tck.interworking.qos import Properties, PropertiesRefused, PropertyError, QoSErrorCode
from tck.interworking.transactions import (
    ENABLE_TRANSACTION,
    TRANSACTION_EVENT_SEQUENCES,
    TRANSACTION_EVENTS,
    TRANSACTION_TIMEOUT,
)

TICKS: Final = 10_000
"""Units of 100 ns in a millisecond."""


class Level(enum.Enum):
    """Where properties are set; each level inherits from the one before."""

    CHANNEL = enum.auto()
    ADMIN = enum.auto()
    PROXY = enum.auto()


@dataclass(frozen=True, slots=True)
class Rule:
    """What values a property takes, and where it may be set."""

    default: int
    low: int
    high: int
    levels: frozenset[Level] = frozenset(Level)

    def fault(self, name: str, value: object, level: Level) -> PropertyError | None:
        """Return why a value cannot be set, or None."""
        if level not in self.levels:
            return PropertyError(QoSErrorCode.UNAVAILABLE_PROPERTY, name)
        if type(value) is not type(self.default) or not isinstance(value, int):
            return PropertyError(QoSErrorCode.BAD_TYPE, name, self.low, self.high)
        if not self.low <= value <= self.high:
            return PropertyError(QoSErrorCode.BAD_VALUE, name, self.low, self.high)
        return None


_LONG: Final = 2**31 - 1
_TIME: Final = 2**64 - 1
_OF_EVENTS: Final = Rule(0, 0, 0, frozenset())

QOS: Final[Mapping[str, Rule]] = MappingProxyType(
    {
        EVENT_RELIABILITY: Rule(BEST_EFFORT, BEST_EFFORT, PERSISTENT, frozenset({Level.CHANNEL})),
        names.CONNECTION_RELIABILITY: Rule(BEST_EFFORT, BEST_EFFORT, PERSISTENT),
        PRIORITY: Rule(0, -32767, 32767),
        names.START_TIME: _OF_EVENTS,
        STOP_TIME: _OF_EVENTS,
        TIMEOUT: Rule(0, 0, _TIME),
        names.ORDER_POLICY: Rule(names.PRIORITY_ORDER, names.ANY_ORDER, names.DEADLINE_ORDER),
        names.DISCARD_POLICY: Rule(names.ANY_ORDER, names.ANY_ORDER, names.LIFO_ORDER),
        names.MAXIMUM_BATCH_SIZE: Rule(1, 1, _LONG),
        names.PACING_INTERVAL: Rule(0, 0, _TIME),
        names.MAX_EVENTS_PER_CONSUMER: Rule(0, 0, _LONG),
        DELIVERY_RELIABILITY: Rule(NONE, NONE, ACKNOWLEDGMENT),
        RETRY_INTERVAL: Rule(1_000 * TICKS, 0, _TIME),
        RETRIES: Rule(3, 0, _LONG),
    }
)
"""The known properties; those without a level belong to events only."""

RECOGNISED: Final = frozenset(
    {
        "StartTimeSupported",
        "StopTimeSupported",
        "DeliveryReliability",
        "Retries",
        "RetryInterval",
        "EnableTransaction",
    }
)
"""Standard properties that a channel knows and may not have: a request for one is unsupported, and no bad property (4.1-7)."""

ADMIN: Final[Mapping[str, Rule]] = MappingProxyType(
    {
        names.MAX_QUEUE_LENGTH: Rule(0, 0, _LONG),
        names.MAX_CONSUMERS: Rule(0, 0, _LONG),
        names.MAX_SUPPLIERS: Rule(0, 0, _LONG),
        names.REJECT_NEW_EVENTS: Rule(False, False, True),
    }
)
"""The known administrative properties."""

TRANSACTED_QOS: Final[Mapping[str, Rule]] = MappingProxyType({**QOS, ENABLE_TRANSACTION: Rule(False, False, True)})
"""The known properties of a channel that has a transaction service."""
TRANSACTED_ADMIN: Final[Mapping[str, Rule]] = MappingProxyType(
    {
        **ADMIN,
        TRANSACTION_EVENTS: Rule(1, 1, _LONG),
        TRANSACTION_EVENT_SEQUENCES: Rule(1, 1, _LONG),
        TRANSACTION_TIMEOUT: Rule(0, 0, 2**32 - 1),
    }
)
"""The known administrative properties of such a channel."""

RELIABILITIES: Final = (EVENT_RELIABILITY, names.CONNECTION_RELIABILITY)
"""What EnableTransaction makes persistent, and best effort when it is switched off (section 2.7.6.1)."""


class Settings:
    """Properties of one object. What is not set here is the parent's, also where the parent is changed later."""

    __slots__ = ("_level", "_parent", "_refused", "_rules", "own")

    def __init__(
        self,
        rules: Mapping[str, Rule],
        refused: type[PropertiesRefused],
        level: Level = Level.CHANNEL,
        parent: Settings | None = None,
    ) -> None:
        self._rules = rules
        self._refused = refused
        self._level = level
        self._parent = parent
        self.own: dict[str, int] = {}

    def __getitem__(self, name: str) -> int:
        if name in RELIABILITIES and self.made_reliable():
            return PERSISTENT
        if name in self.own:
            return self.own[name]
        return self._rules[name].default if self._parent is None else self._parent[name]

    def set(self, given: Properties) -> None:
        """Set properties, or raise the error of the kind with all faults, and set none."""
        errors = [fault for name, value in given.items() if (fault := self._fault(name, value))]
        if errors:
            raise self._refused(*errors)
        if ENABLE_TRANSACTION in given and self[ENABLE_TRANSACTION] and not given[ENABLE_TRANSACTION]:
            self.own.update(dict.fromkeys(RELIABILITIES, BEST_EFFORT))
        self.own.update(given)

    def below(self, level: Level) -> Settings:
        """Return properties of an object that inherits these."""
        return Settings(self._rules, self._refused, level, self)

    def made_reliable(self) -> bool:
        """Return whether transactions make events and connections reliable here."""
        return ENABLE_TRANSACTION in self._rules and bool(self[ENABLE_TRANSACTION])

    def knows_transactions(self) -> bool:
        """Return whether EnableTransaction has been set here or above."""
        return ENABLE_TRANSACTION in self.own or (self._parent is not None and self._parent.knows_transactions())

    def _fault(self, name: str, value: object) -> PropertyError | None:
        rule = self._rules.get(name)
        if rule is None:
            known = self._rules is QOS and name in RECOGNISED
            return PropertyError(QoSErrorCode.UNSUPPORTED_PROPERTY if known else QoSErrorCode.BAD_PROPERTY, name)
        return rule.fault(name, value, self._level)

    def all(self) -> dict[str, int]:
        """Return what holds here, of all properties that may be set here."""
        also = RELIABILITIES if self.knows_transactions() else ()
        return {name: self[name] for name, rule in self._rules.items() if self._level in rule.levels or name in also}
