"""Probes on a channel that routes by transactions: clients that note in which transaction they are called."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from tck.interworking import StructuredEvent
from tck.interworking.bridge import FlowStyle
from tck.interworking.channel import ClientType
from tck.interworking.clients import (
    Batch,
    SequencePullSupplier,
    SequencePushConsumer,
    StructuredPullSupplier,
    StructuredPushConsumer,
)
from tck.interworking.qos import Properties
from tck.interworking.transactions import Coordinator, Status
from tck.suite.support.interworking.crossing import PULL
from tck.suite.support.interworking.transacting import EVENTS, Routing, accepted, names

_STEP: Final = 50
"""How long a pull that waits sleeps before it looks again, in ms."""


class Probe:
    """A client that notes in which transaction it is called.

    Args:
        routing: The crossing.
        events: What it has for a channel that pulls.
        delay: How long a call takes, in ms of the provider's clock.
    """

    def __init__(self, routing: Routing, events: Iterable[StructuredEvent] = (), *, delay: int = 0) -> None:
        self._routing, self._events, self._delay = routing, list(events), delay
        self.carried: list[tuple[Coordinator | None, Batch]] = []

    def offer(self, events: Iterable[StructuredEvent]) -> None:
        """Have more events for a channel that pulls."""
        self._events += events

    def within(self, name: str) -> Coordinator | None:
        """Return the transaction in which an event was carried last; None for none. It has been carried."""
        return [within for within, events in self.carried if name in names(events)][-1]

    @property
    def names(self) -> list[str]:
        """The names of the events that were carried without a transaction, or in one that was committed."""
        return [name for _, group in self.groups for name in group]

    @property
    def groups(self) -> list[tuple[bool, list[str]]]:
        """For each committed transaction in order True and the names of its events; False for those of a call without one."""
        found: list[tuple[bool, list[str]]] = []
        last: Coordinator | None = None
        for within, events in list(self.carried):
            if within is not None and within.get_status() != Status.COMMITTED:
                continue
            if within is None or within != last:
                found.append((within is not None, []))
            found[-1][1].extend(names(events))
            last = within
        return found

    def push(self, events: Batch) -> None:
        """Note what is pushed."""
        if self._delay:
            self._routing.case.provider.clock.event().wait(self._delay)
        self.carried.append((self._routing.current.get_coordinator(), events))

    def pull(self, most: int, *, wait: bool) -> Batch:
        """Return the next events, noted; what was rolled back comes no more, as the probe is no resource."""
        while not self._events and wait:
            self._routing.case.provider.clock.event().wait(_STEP)
        found = tuple(self._events[:most])
        del self._events[:most]
        if found:
            self.push(found)
        return found


class _Of:
    """What the interfaces of a probe have in common."""

    def __init__(self, probe: Probe) -> None:
        self.probe = probe

    def end(self) -> None:
        """Learn of the end."""


class _Pushed(_Of, StructuredPushConsumer):
    def push_structured_event(self, event: StructuredEvent) -> None:
        self.probe.push((event,))

    disconnect_structured_push_consumer = _Of.end


class _PushedBatches(_Of, SequencePushConsumer):
    def push_structured_events(self, events: Batch) -> None:
        self.probe.push(events)

    disconnect_sequence_push_consumer = _Of.end


class _Pulled(_Of, StructuredPullSupplier):
    def pull_structured_event(self) -> StructuredEvent:
        return self.probe.pull(1, wait=True)[0]

    def try_pull_structured_event(self) -> StructuredEvent | None:
        return next(iter(self.probe.pull(1, wait=False)), None)

    disconnect_structured_pull_supplier = _Of.end


class _PulledBatches(_Of, SequencePullSupplier):
    def pull_structured_events(self, max_number: int) -> Batch:
        return self.probe.pull(max_number, wait=True)

    def try_pull_structured_events(self, max_number: int) -> Batch:
        return self.probe.pull(max_number, wait=False)

    disconnect_sequence_pull_supplier = _Of.end


def of_client(routing: Routing, probe: Probe, kind: ClientType, style: FlowStyle, qos: Properties | None = None) -> Any:  # noqa: ANN401 - one of four kinds
    """Connect a probe to a proxy that makes the calls, push supplier or pull consumer; return the proxy."""
    if style == PULL:
        made: Any = routing.channel.default_supplier_admin.obtain_notification_pull_consumer(kind)[0]
    else:
        made = routing.channel.default_consumer_admin.obtain_notification_push_supplier(kind)[0]
    if qos:
        accepted(made, qos)
    if kind == EVENTS and style == PULL:
        made.connect_structured_pull_supplier(_Pulled(probe))
    elif kind == EVENTS:
        made.connect_structured_push_consumer(_Pushed(probe))
    elif style == PULL:
        made.connect_sequence_pull_supplier(_PulledBatches(probe))
    else:
        made.connect_sequence_push_consumer(_PushedBatches(probe))
    return made
