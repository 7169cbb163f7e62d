"""Faults of quality of service, of what the send of a message makes, and of the calls that a bridge makes to JMS."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from faults.interworking.registry import Faults, changed, declare, with_header
from faults.interworking.running import OtherName
from reference_bridge.bridges import ReferenceBridge
from tck.interworking import BEST_EFFORT, PRIORITY, StructuredEvent
from tck.interworking.bridge import DestinationType
from tck.interworking.qos import CONNECTION_RELIABILITY, ORDER_POLICY, PRIORITY_ORDER


def _mixed(rows: str, title: str) -> Callable[[type], type]:
    """Declare a class that is mixed into every bridge as a fault."""

    def note(mixin: type) -> type:
        declare(rows, title, Faults(mixin=mixin))
        return mixin

    return note


@_mixed("iw-2.5.2-1 iw-2.5.2-2", "the connection of a bridge on a queue is BestEffort")
class ShortLived(ReferenceBridge):
    def _quality(self) -> dict[str, int]:
        queue = self._place.type == DestinationType.QUEUE
        return super()._quality() | ({CONNECTION_RELIABILITY: BEST_EFFORT} if queue else {})


@_mixed("iw-2.5.2-3", "every topic has a durable subscriber")
class AlwaysDurable(ReferenceBridge):
    @property
    def _durable(self) -> bool:
        return self._source.connector == self._place and self._place.type == DestinationType.TOPIC


@_mixed("iw-2.5.2-4", "no topic has a durable subscriber")
class NeverDurable(ReferenceBridge):
    @property
    def _durable(self) -> bool:
        return False


@_mixed("iw-2.5.6-3 iw-2.5.6-4", "the order is the one that the channel asks for")
class AsAsked(ReferenceBridge):
    def _quality(self) -> dict[str, int]:
        return {name: value for name, value in super()._quality().items() if name != ORDER_POLICY}


@_mixed("iw-2.5.6-7", "PriorityOrder is used whatever the channel makes of it")
class AlwaysPriority(ReferenceBridge):
    def _quality(self) -> dict[str, int]:
        return super()._quality() | {ORDER_POLICY: PRIORITY_ORDER}


@_mixed("iw-2.1-2", "a bridge opens a JMSContext, which JMS 1.1 has not")
class OfJms2(ReferenceBridge):
    def _prepare(self) -> None:
        super()._prepare()  # type: ignore[safe-super]
        self._provider.connection_factory().create_context().close()


@_mixed("iw-2.4.2-18", "messages have no identifier")
class NoIds(ReferenceBridge):
    def _prepare(self) -> None:
        super()._prepare()  # type: ignore[safe-super]
        if producer := getattr(self, "_producer", None):
            producer.disable_message_id = True


@_mixed("iw-2.4.2-20", "messages have no timestamp")
class NoTimestamps(ReferenceBridge):
    def _prepare(self) -> None:
        super()._prepare()  # type: ignore[safe-super]
        if producer := getattr(self, "_producer", None):
            producer.disable_message_timestamp = True


@_mixed("iw-2.4-2", "events that were untyped are carried twice")
class Twice(ReferenceBridge):
    def carry(self, item: Any) -> None:
        super().carry(item)  # type: ignore[misc]
        if isinstance(item, StructuredEvent) and item.header.fixed_header.event_type.type_name == "%ANY":
            super().carry(item)  # type: ignore[misc]


declare("iw-2.4.2-21", "the message goes to another destination", Faults(mixin=OtherName))
declare(
    "iw-2.5-1",
    "events have no quality of service",
    Faults(of_event=lambda message, made: with_header(made, lambda items: ())),
)
declare(
    "iw-2.4.1-17",
    "events have no priority",
    Faults(of_event=lambda message, made: with_header(made, changed(PRIORITY, lambda value: None))),
)
