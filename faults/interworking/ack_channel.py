"""Faults of the stand-in channel in event acknowledgment: of the numbers, of what is kept, and of what is heard."""

from dataclasses import replace

from faults.interworking.kit import *


def _bare(events):
    """Return the first event of a batch without its number."""
    return with_header(events[0], lambda items: tuple(each for each in items if each.name != SEQUENCE_NUMBER))


# -- the numbers ---------------------------------------------------------------------------------------------------


@declare("iw-4.2-1", "the item is called sequence_number", by=keeping)
class _(Kept):
    def stamp(self, item):
        first, *rest = super().stamp(item)
        named = with_header(
            first,
            lambda items: tuple(
                replace(each, name="sequence_number") if each.name == SEQUENCE_NUMBER else each for each in items
            ),
        )
        return (named, *rest)


@declare("iw-4.2.1-1", "the item is an unsigned long", by=keeping)
class _(Kept):
    def stamp(self, item):
        first, *rest = super().stamp(item)
        value = Property(SEQUENCE_NUMBER, Any_.of(Kind.ULONG, item.number))
        return (with_header(_bare((first,)), lambda items: (*items, value)), *rest)


@declare("iw-4.2.5-1", "the item is in the filterable data too", by=keeping)
class _(Kept):
    def stamp(self, item):
        first, *rest = super().stamp(item)
        value = Property(SEQUENCE_NUMBER, Any_.of(Kind.LONG, item.number))
        return (with_data(first, lambda items: (*items, value)), *rest)


@declare("iw-4.2.5-2 iw-4.2.3.1-1", "every second event or batch has no number", by=keeping)
class _(Kept):
    def stamp(self, item):
        first, *rest = super().stamp(item)
        return (_bare((first,)) if item.number % 2 else first, *rest)


@declare("iw-4.2.3.2-1", "what is pulled has no number", by=lambda made: keeping(made, Pulled))
class _(Kept):
    def stamp(self, item):
        first, *rest = super().stamp(item)
        return (_bare((first,)), *rest)


@declare("iw-4.2.5-3", "every event of a batch has a number", by=keeping)
class _(Kept):
    def stamp(self, item):
        return tuple(with_number((each,), item.number)[0] for each in super().stamp(item))


@declare("iw-4.2.5-4", "a second item of the name is added", by=keeping)
class _(Kept):
    def stamp(self, item):
        value = Property(SEQUENCE_NUMBER, Any_.of(Kind.LONG, item.number))
        first = with_header(item.waiting[0].event, lambda items: (*items, value))
        return (first, *(each.event for each in item.waiting[1:]))


@declare("iw-4.2.5.1-4", "the number of the first hop is passed through", by=keeping)
class _(Kept):
    def add(self, waiting):
        item = super().add(waiting)
        before = number_of([waiting[0].event])
        item.number = item.number if before is None else before
        return item


class _Overrun(Series):
    def give(self):
        given = self.upcoming
        self.upcoming = -LAST_NUMBER - 1 if given == LAST_NUMBER else given + 1
        return given


class _FromOne(Series):
    def give(self):
        return super().give() + 1


class _ByTwo(Series):
    def give(self):
        given = super().give()
        self.upcoming += 1
        return given


class _ZeroOnce(Series):
    def give(self):
        given = super().give()
        self.upcoming = self.upcoming or 1
        return given


def _counts(rows, title, series):
    """Declare another series of numbers as a fault."""

    @declare(rows, title, by=keeping)
    class _(Kept):
        def __init__(self, *given):
            super().__init__(*given)
            self.series = series()


_counts("iw-4.2.5-5", "the number after the last is negative", _Overrun)
_counts("iw-4.2.5-6", "the first number is 1", _FromOne)
_counts("iw-4.2.5-7", "numbers grow by two", _ByTwo)
_counts("iw-4.2.5-8", "the number after the last is 1", _ZeroOnce)


@declare("iw-4.2.5-9 iw-4.2.5.1-2", "all connections of a channel share their numbers", by=keeping)
class _(Kept):
    def __init__(self, *given):
        super().__init__(*given)
        shared = self.core.__dict__.setdefault("series", self.series)
        self.series = shared


@declare("iw-4.2.5.1-1", "suspension resets the numbers", by=into(Pushing))
class _(Pushing):
    def suspend_connection(self):
        super().suspend_connection()
        self.kept.series.upcoming = 0


@declare("iw-4.2.5.1-3", "a crash resets the numbers", by=keeping)
class _(Kept):
    def recover(self):
        super().recover()
        self.series.upcoming = 0


@declare("iw-4.2.5.2-1", "what is pushed again has a new number", by=keeping)
class _(Kept):
    def tried(self, item, *, failed):
        super().tried(item, failed=failed)
        item.number = self.series.give()


# -- the interfaces ------------------------------------------------------------------------------------------------


@declare("iw-4.2.1-2", "acknowledge takes one number", by=keeping)
class _(Kept):
    def acknowledge(self, numbers):
        [number] = numbers
        super().acknowledge((number,))


class _Deaf(Heard):
    def serve(self, client):
        return False


for _row, _kind in (
    ("iw-4.2.1-6", StructuredTaking),
    ("iw-4.2.1-7", StructuredPulling),
    ("iw-4.2.1-8", SequenceTaking),
    ("iw-4.2.1-9", SequencePulling),
):
    declare(_row, f"{_kind.__name__} calls no acknowledge", hearing(_Deaf, _kind))


class _Base:
    def acknowledge(self, sequence_numbers):
        raise AttributeError("no acknowledge")


for _row, _base in (
    ("iw-4.2.2-1", StructuredPushing),
    ("iw-4.2.2-2", StructuredPulled),
    ("iw-4.2.2-3", SequencePushing),
    ("iw-4.2.2-4", SequencePulled),
):
    declare(_row, f"{_base.__name__} has no acknowledge", into(_base)(_Base))


@declare("iw-4.2.1-10", "an event without number is acknowledged as number 0", by=hearing)
class _(Heard):
    def stored(self, events):
        super().stored(events)
        if number_of(events) is None and self.on:
            self._owe(0)


# -- the properties ------------------------------------------------------------------------------------------------


def _refuses(rows, title, refused, code):
    """Declare as a fault that proxies refuse quality of service: that for which a function gives a name."""

    @declare(rows, title, by=into(StandInProxy))
    class _(StandInProxy):
        def set_qos(self, qos):
            if name := refused(qos):
                raise UnsupportedQoS(PropertyError(code, name))
            super().set_qos(qos)


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


@declare("iw-4.2.1-3", "acknowledgment is on with 0, and off with 1", by=keeping)
class _(Kept):
    @property
    def on(self):
        return not super().on


# -- what is kept --------------------------------------------------------------------------------------------------


@declare("iw-4.2.5.2-3 iw-4.2.3.1-3", "the return of a push removes the event", by=keeping)
class _(Kept):
    def tried(self, item, *, failed):
        super().tried(item, failed=failed)
        if not failed:
            self.items = [each for each in self.items if each is not item]


@declare("iw-4.2.5.2-6", "acknowledge removes the oldest, whatever its number", by=keeping)
class _(Kept):
    def acknowledge(self, numbers):
        for _ in numbers:
            super().acknowledge([each.number for each in self.items[:1]])


@declare("iw-4.2.6-1", "acknowledge removes all up to the greatest number", by=keeping)
class _(Kept):
    def acknowledge(self, numbers):
        super().acknowledge([each.number for each in self.items if each.number <= max(numbers)])


@declare("iw-4.2.7.2-4", "acknowledge removes all that was sent", by=keeping)
class _(Kept):
    def acknowledge(self, numbers):
        super().acknowledge([each.number for each in self.items])


# -- what is heard -------------------------------------------------------------------------------------------------


@declare("iw-4.2.5.2-5 iw-4.2.7.2-6", "a failed acknowledgment is forgotten", by=hearing)
class _(Heard):
    def _failed(self, operation, error):
        super()._failed(operation, error)
        if operation == "acknowledge":
            self.owed.clear()
