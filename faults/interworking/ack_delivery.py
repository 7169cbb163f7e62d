"""Faults of the stand-in channel in reliable delivery: what is repeated, when, how often, and what the properties say."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from faults.interworking.ack_channel import heard_as, kept_as, mixed
from faults.interworking.registry import Faults, declare
from reference_bridge import acknowledging
from reference_bridge.channel import StandInFactory
from reference_bridge.channel.acknowledged import Call, Hand, Heard, Item, Kept, Side
from reference_bridge.channel.consumers import Consuming
from reference_bridge.channel.event_queue import Waiting
from reference_bridge.channel.proxies import StandInProxy
from reference_bridge.channel.suppliers import Pulled, SequencePulled, SequencePushing, Supplying
from reference_bridge.reliable import Repetitions, Terms
from tck.interworking import StructuredEvent
from tck.interworking.acknowledgment import ACKNOWLEDGMENT, DELIVERY_RELIABILITY
from tck.interworking.clients import Batch
from tck.interworking.qos import Properties, PropertyError, QoSErrorCode, UnsupportedQoS


def _both(rows: str, title: str, **names: Any) -> None:
    """Declare as a fault what both sides do otherwise: attributes of `Side`."""
    kept, heard = type("Kept", (Kept,), dict(names)), type("Heard", (Heard,), dict(names))
    mixins: dict[type, type] = {
        Supplying: type("S", (), {"keeping": kept}),
        Consuming: type("C", (), {"hearing": heard}),
    }
    declare(rows, title, Faults(channel_mixins=mixins))


def _terms(**changes: Callable[[Terms], int]) -> property:
    """Return other terms than those of the proxy."""

    def changed(side: Side) -> Terms:
        terms: Terms = Side.terms.fget(side)  # type: ignore[attr-defined]
        return replace(terms, **{name: change(terms) for name, change in changes.items()})  # type: ignore[arg-type]

    return property(changed)


_both("iw-4.2.7.1-4 iw-4.2.7.2-3", "calls are repeated at once", terms=_terms(interval=lambda _: 1))
_both("iw-4.2.8.3-1", "RetryInterval is read as ms", terms=_terms(interval=lambda terms: terms.interval * 10_000))
_both(
    "iw-4.2.7.1-3 iw-4.2.8.2-1",
    "Retries counts the first call too",
    terms=_terms(retries=lambda each: each.retries - 1),
)
_both("iw-4.2.7.2-2", "there is no end of retries", terms=_terms(retries=lambda _: 2**40))
_both("iw-4.2.7.3-2", "delivery stops silently", give_up=lambda self, operation: setattr(self, "stopped", True))


@kept_as("iw-4.2.3.2-3", "a pull removes the event", Pulled)
class GoneAfterPull(Kept):
    def pull(self, take: Callable[[int], tuple[Waiting, ...]], now: int) -> Batch:
        given = super().pull(take, now)
        self.items.clear()
        return given


@kept_as("iw-4.2.4-2", "untyped events leave the channel without numbers")
class Untyped(Kept):
    def stamp(self, item: Item) -> Batch:
        events = tuple(each.event for each in item.waiting)
        untyped = events[0].header.fixed_header.event_type.type_name == "%ANY"
        return events if untyped else super().stamp(item)


class _NoBatches(Kept):
    def acknowledge(self, numbers: Sequence[int]) -> None:
        pass


declare(
    "iw-4.2.4-1",
    "batches cannot be acknowledged",
    Faults(channel_mixins={base: type("S", (), {"keeping": _NoBatches}) for base in (SequencePushing, SequencePulled)}),
)


@kept_as("iw-4.2.4-5", "what one consumer does not acknowledge is sent to all again")
class SentToAll(Kept):
    def tried(self, item: Item, *, failed: bool) -> None:
        again = item.due > 0
        super().tried(item, failed=failed)
        if again and item in self.items:
            for sink in self.core.sinks:
                if isinstance(sink, Supplying) and sink.kept is not self and sink.kept.on:
                    sink.kept.add(item.waiting)


@kept_as("iw-4.2.7.1-1", "a push that raises is not repeated")
class Skipping(Kept):
    def tried(self, item: Item, *, failed: bool) -> None:
        super().tried(item, failed=failed)
        if failed:
            self.items = [each for each in self.items if each is not item]


@kept_as("iw-4.2.7.1-2", "the supplier side waits for an acknowledgment for ever")
class Waits(Kept):
    def tried(self, item: Item, *, failed: bool) -> None:
        super().tried(item, failed=failed)
        if not failed:
            item.due = 2**50


@heard_as("iw-4.2.7-1 iw-4.2.7.2-1", "what fails in pulling is not repaired")
class NotRepaired(Heard):
    def _failed(self, operation: str, error: Exception) -> None:
        super()._failed(operation, error)
        if operation == "pull":
            self.stopped = True


@kept_as("iw-4.2.7.1-8", "a success does not reset the count of retries")
class NeverReset(Kept):
    def acknowledge(self, numbers: Sequence[int]) -> None:
        retried = self.retried
        super().acknowledge(numbers)
        self.retried = retried


@heard_as("iw-4.2.7.2-7", "failures of pull and acknowledge are counted together")
class OneCount(Heard):
    def _count(self, operation: str) -> int:
        super()._count(operation)
        return self._failed_pulls + self._failed_acknowledgments


@heard_as("iw-4.2.7.2-8", "a success does not reset the counts")
class NeverResetEither(Heard):
    def _reset(self) -> None:
        pass

    def pulled_nothing(self) -> None:
        pulls = self._failed_pulls
        super().pulled_nothing()
        self._failed_pulls = pulls


class _GoesOn(Kept):
    def give_up(self, operation: str) -> None:
        super().give_up(operation)
        del self.items[:1]
        self.stopped, self.retried = False, 0

    def next_call(self, collect: Callable[[int], tuple[Waiting, ...]], hand: Hand, now: int) -> Call | None:
        return super().next_call(collect, hand, now) or super().next_call(collect, hand, now)


class _BridgeGoesOn(acknowledging.Supplying):
    def push(self, *given: Any) -> None:
        with contextlib.suppress(acknowledging.GaveUp):
            super().push(*given)


declare(
    "iw-4.2.7.3-1",
    "after all retries the next event is sent",
    Faults(
        mixin=type("Goes", (), {"supplying": _BridgeGoesOn}),
        channel_mixins={Supplying: type("Keeping", (), {"keeping": _GoesOn})},
    ),
)


@heard_as("iw-4.2.7.3-4", "a recovery forgets what came")
class Forgets(Heard):
    def resume(self) -> None:
        super().resume()
        self.seen = Repetitions()
        self.owed.clear()


# -- the properties ------------------------------------------------------------------------------------------------


@mixed("iw-4.2.8.1-1", "any DeliveryReliability but 0 is taken for 1")
class AnyValue(StandInProxy[Any, Any]):
    def set_qos(self, qos: Properties) -> None:
        super().set_qos({name: min(value, 1) if name == DELIVERY_RELIABILITY else value for name, value in qos.items()})


@kept_as("iw-4.2.8.1-4", "a crash loses what is kept")
class LostByCrash(Kept):
    def recover(self) -> None:
        self.items.clear()


@mixed("iw-4.2.8.4-2", "the item of an event switches acknowledgment on", Supplying)
class OfEvent(Supplying[Any]):
    def offer(self, event: StructuredEvent, number: int, now: int, most: int) -> None:
        if event.field(DELIVERY_RELIABILITY) is not None:
            self.qos.set({DELIVERY_RELIABILITY: ACKNOWLEDGMENT})
        super().offer(event, number, now, most)


@kept_as("iw-4.2.8.4-3", "what is set on the channel holds everywhere")
class OfChannel(Kept):
    @property
    def on(self) -> bool:
        return self.core.qos[DELIVERY_RELIABILITY] == ACKNOWLEDGMENT


def _refusing(factory: StandInFactory) -> None:
    create = factory.create_channel

    def make(initial_qos: Properties, initial_admin: Properties) -> Any:
        made, number = create(initial_qos, initial_admin)
        given = made.set_qos

        def refuse(qos: Properties) -> None:
            if DELIVERY_RELIABILITY in qos:
                raise UnsupportedQoS(PropertyError(QoSErrorCode.UNAVAILABLE_PROPERTY, DELIVERY_RELIABILITY))
            given(qos)

        made.set_qos = refuse  # type: ignore[method-assign]
        return made, number

    factory.create_channel = make  # type: ignore[method-assign]


declare("iw-4.2.8.4-1", "channels refuse DeliveryReliability", Faults(of_channels=_refusing))
