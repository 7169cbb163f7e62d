"""Faults of the stand-in channel in event acknowledgment: of the numbers, of what is kept, and of what is heard."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, Final

from faults.interworking.registry import Faults, declare, with_data, with_header
from reference_bridge.channel.acknowledged import Heard, Item, Kept
from reference_bridge.channel.consumers import (
    Consuming,
    SequencePulling,
    SequenceTaking,
    StructuredPulling,
    StructuredTaking,
)
from reference_bridge.channel.event_queue import Waiting
from reference_bridge.channel.proxies import StandInProxy
from reference_bridge.channel.suppliers import (
    Pulled,
    Pushing,
    SequencePulled,
    SequencePushing,
    StructuredPulled,
    StructuredPushing,
    Supplying,
)
from reference_bridge.reliable import Series, number_of, with_number
from tck.interworking import Any_, Kind, Property, StructuredEvent
from tck.interworking.acknowledgment import LAST_NUMBER, RETRIES, RETRY_INTERVAL, SEQUENCE_NUMBER
from tck.interworking.clients import Batch
from tck.interworking.qos import Properties, PropertyError, QoSErrorCode, UnsupportedQoS

_FOR_EVER: Final = 2**50


def kept_as(rows: str, title: str, base: type = Supplying) -> Callable[[type[Kept]], type[Kept]]:
    """Declare a supplier side as a fault of the proxies of a kind."""

    def note(keeping: type[Kept]) -> type[Kept]:
        declare(rows, title, Faults(channel_mixins={base: type("Keeping", (), {"keeping": keeping})}))
        return keeping

    return note


def heard_as(rows: str, title: str, base: type = Consuming) -> Callable[[type[Heard]], type[Heard]]:
    """Declare a consumer side as a fault of the proxies of a kind."""

    def note(hearing: type[Heard]) -> type[Heard]:
        declare(rows, title, Faults(channel_mixins={base: type("Hearing", (), {"hearing": hearing})}))
        return hearing

    return note


def mixed(rows: str, title: str, base: type = StandInProxy) -> Callable[[type], type]:
    """Declare a class that is mixed into proxies of a kind as a fault."""

    def note(mixin: type) -> type:
        declare(rows, title, Faults(channel_mixins={base: mixin}))
        return mixin

    return note


def _bare(events: Batch) -> StructuredEvent:
    """Return the first event of a batch without its number."""
    return with_header(events[0], lambda items: tuple(each for each in items if each.name != SEQUENCE_NUMBER))


# -- the numbers ---------------------------------------------------------------------------------------------------


@kept_as("iw-4.2-1", "the item is called sequence_number")
class OtherName(Kept):
    def stamp(self, item: Item) -> Batch:
        first, *rest = super().stamp(item)
        named = with_header(
            first,
            lambda items: tuple(
                replace(each, name="sequence_number") if each.name == SEQUENCE_NUMBER else each for each in items
            ),
        )
        return (named, *rest)


@kept_as("iw-4.2.1-1", "the item is an unsigned long")
class Unsigned(Kept):
    def stamp(self, item: Item) -> Batch:
        first, *rest = super().stamp(item)
        value = Property(SEQUENCE_NUMBER, Any_.of(Kind.ULONG, item.number))
        return (with_header(_bare((first,)), lambda items: (*items, value)), *rest)


@kept_as("iw-4.2.5-1", "the item is in the filterable data too")
class Filterable(Kept):
    def stamp(self, item: Item) -> Batch:
        first, *rest = super().stamp(item)
        value = Property(SEQUENCE_NUMBER, Any_.of(Kind.LONG, item.number))
        return (with_data(first, lambda items: (*items, value)), *rest)


@kept_as("iw-4.2.5-2 iw-4.2.3.1-1", "every second event or batch has no number")
class EverySecond(Kept):
    def stamp(self, item: Item) -> Batch:
        first, *rest = super().stamp(item)
        return (_bare((first,)) if item.number % 2 else first, *rest)


@kept_as("iw-4.2.3.2-1", "what is pulled has no number", Pulled)
class NoneWhenPulled(Kept):
    def stamp(self, item: Item) -> Batch:
        first, *rest = super().stamp(item)
        return (_bare((first,)), *rest)


@kept_as("iw-4.2.5-3", "every event of a batch has a number")
class EveryEvent(Kept):
    def stamp(self, item: Item) -> Batch:
        return tuple(with_number((each,), item.number)[0] for each in super().stamp(item))


@kept_as("iw-4.2.5-4", "a second item of the name is added")
class SecondItem(Kept):
    def stamp(self, item: Item) -> Batch:
        value = Property(SEQUENCE_NUMBER, Any_.of(Kind.LONG, item.number))
        first = with_header(item.waiting[0].event, lambda items: (*items, value))
        return (first, *(each.event for each in item.waiting[1:]))


@kept_as("iw-4.2.5.1-4", "the number of the first hop is passed through")
class PassedThrough(Kept):
    def add(self, waiting: tuple[Waiting, ...]) -> Item:
        item = super().add(waiting)
        before = number_of([waiting[0].event])
        item.number = item.number if before is None else before
        return item


class _Overrun(Series):
    def give(self) -> int:
        given = self.upcoming
        self.upcoming = -LAST_NUMBER - 1 if given == LAST_NUMBER else given + 1
        return given


class _FromOne(Series):
    def give(self) -> int:
        return super().give() + 1


class _ByTwo(Series):
    def give(self) -> int:
        given = super().give()
        self.upcoming += 1
        return given


class _ZeroOnce(Series):
    def give(self) -> int:
        given = super().give()
        self.upcoming = self.upcoming or 1
        return given


def _counts(rows: str, title: str, series: type[Series]) -> None:
    """Declare another series of numbers as a fault."""

    class Counting(Kept):
        def __init__(self, *given: Any) -> None:
            super().__init__(*given)
            self.series = series()

    kept_as(rows, title)(Counting)


_counts("iw-4.2.5-5", "the number after the last is negative", _Overrun)
_counts("iw-4.2.5-6", "the first number is 1", _FromOne)
_counts("iw-4.2.5-7", "numbers grow by two", _ByTwo)
_counts("iw-4.2.5-8", "the number after the last is 1", _ZeroOnce)


@kept_as("iw-4.2.5-9 iw-4.2.5.1-2", "all connections of a channel share their numbers")
class OneSeries(Kept):
    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        shared = self.core.__dict__.setdefault("series", self.series)
        self.series = shared


@mixed("iw-4.2.5.1-1", "suspension resets the numbers", Pushing)
class ResetBySuspension(Pushing[Any]):
    def suspend_connection(self) -> None:
        super().suspend_connection()
        self.kept.series.upcoming = 0


@kept_as("iw-4.2.5.1-3", "a crash resets the numbers")
class ResetByCrash(Kept):
    def recover(self) -> None:
        super().recover()
        self.series.upcoming = 0


@kept_as("iw-4.2.5.2-1", "what is pushed again has a new number")
class NewNumber(Kept):
    def tried(self, item: Item, *, failed: bool) -> None:
        super().tried(item, failed=failed)
        item.number = self.series.give()


# -- the interfaces ------------------------------------------------------------------------------------------------


@kept_as("iw-4.2.1-2", "acknowledge takes one number")
class OneNumber(Kept):
    def acknowledge(self, numbers: Sequence[int]) -> None:
        [number] = numbers
        super().acknowledge((number,))


class _Deaf(Heard):
    def serve(self, client: object) -> bool:
        return False


for _row, _kind in (
    ("iw-4.2.1-6", StructuredTaking),
    ("iw-4.2.1-7", StructuredPulling),
    ("iw-4.2.1-8", SequenceTaking),
    ("iw-4.2.1-9", SequencePulling),
):
    heard_as(_row, f"{_kind.__name__} calls no acknowledge", _kind)(_Deaf)


class _Base:
    def acknowledge(self, sequence_numbers: tuple[int, ...]) -> None:
        raise AttributeError("no acknowledge")


for _row, _base in (
    ("iw-4.2.2-1", StructuredPushing),
    ("iw-4.2.2-2", StructuredPulled),
    ("iw-4.2.2-3", SequencePushing),
    ("iw-4.2.2-4", SequencePulled),
):
    mixed(_row, f"{_base.__name__} has no acknowledge", _base)(type(f"No{_base.__name__}", (_Base,), {}))


@heard_as("iw-4.2.1-10", "an event without number is acknowledged as number 0")
class Zero(Heard):
    def stored(self, events: Batch) -> None:
        super().stored(events)
        if number_of(events) is None and self.on:
            self._owe(0)


# -- the properties ------------------------------------------------------------------------------------------------


def _refuses(rows: str, title: str, refused: Callable[[Properties], str | None], code: QoSErrorCode) -> None:
    """Declare as a fault that proxies refuse quality of service: that for which a function gives a name."""

    class Refusing(StandInProxy[Any, Any]):
        def set_qos(self, qos: Properties) -> None:
            if name := refused(qos):
                raise UnsupportedQoS(PropertyError(code, name))
            super().set_qos(qos)

    mixed(rows, title)(Refusing)


_refuses(
    "iw-4.2.1-4",
    "RetryInterval takes a long",
    lambda qos: RETRY_INTERVAL if qos.get(RETRY_INTERVAL, 0) > LAST_NUMBER else None,
    QoSErrorCode.BAD_TYPE,
)
_refuses(
    "iw-4.2.1-5",
    "Retries takes a short",
    lambda qos: RETRIES if qos.get(RETRIES, 0) > 2**15 - 1 else None,
    QoSErrorCode.BAD_TYPE,
)


@kept_as("iw-4.2.1-3", "acknowledgment is on with 0, and off with 1")
class Inverse(Kept):
    @property
    def on(self) -> bool:
        return not super().on


# -- what is kept --------------------------------------------------------------------------------------------------


@kept_as("iw-4.2.5.2-3 iw-4.2.3.1-3", "the return of a push removes the event")
class GoneAfterPush(Kept):
    def tried(self, item: Item, *, failed: bool) -> None:
        super().tried(item, failed=failed)
        if not failed:
            self.items = [each for each in self.items if each is not item]


@kept_as("iw-4.2.5.2-6", "acknowledge removes the oldest, whatever its number")
class Oldest(Kept):
    def acknowledge(self, numbers: Sequence[int]) -> None:
        for _ in numbers:
            super().acknowledge([each.number for each in self.items[:1]])


@kept_as("iw-4.2.6-1", "acknowledge removes all up to the greatest number")
class AllBefore(Kept):
    def acknowledge(self, numbers: Sequence[int]) -> None:
        super().acknowledge([each.number for each in self.items if each.number <= max(numbers)])


@kept_as("iw-4.2.7.2-4", "acknowledge removes all that was sent")
class All(Kept):
    def acknowledge(self, numbers: Sequence[int]) -> None:
        super().acknowledge([each.number for each in self.items])


# -- what is heard -------------------------------------------------------------------------------------------------


@heard_as("iw-4.2.5.2-5 iw-4.2.7.2-6", "a failed acknowledgment is forgotten")
class Forgetting(Heard):
    def _failed(self, operation: str, error: Exception) -> None:
        super()._failed(operation, error)
        if operation == "acknowledge":
            self.owed.clear()
