"""Narrow faults of bridges and channels in event acknowledgment."""

import contextlib

from faults.interworking.kit import *


@round_12(
    "bridge-channel-acknowledges-ranges",
    "takes an acknowledge with several numbers for one of all numbers from the least to the greatest",
    "iw-4.2.3.1-3",
    "iw-4.2.6-1",
    "iw-2.6.1-1",
    by=keeping,
)
class _(Kept):
    def acknowledge(self, numbers):
        super().acknowledge(range(min(numbers), max(numbers) + 1) if len(numbers) > 1 else numbers)


class _Eight(Repetitions):
    def has(self, number):
        recent = self._last is not None and (self._last - number) % (LAST_NUMBER + 1) < 8
        return recent and super().has(number)


@round_12(
    "bridge-channel-remembers-eight",
    "knows the last eight numbers of a supplier only, and publishes an older one again where it is repeated",
    "iw-4.2.7.1-5",
    "iw-4.2.5.2-2",
    "iw-2.6.1-2",
    by=hearing,
)
class _(Heard):
    def __init__(self, core, qos, proxy):
        super().__init__(core, qos, proxy)
        self.seen = _Eight()


@round_12(
    "bridge-channel-counts-until-idle",
    "sets the count of retries back only by an acknowledge that leaves nothing unacknowledged",
    "iw-4.2.7.1-8",
    by=keeping,
)
class _(Kept):
    def acknowledge(self, numbers):
        before = self.retried
        super().acknowledge(numbers)
        if self.items:
            self.retried = before


@round_12(
    "bridge-channel-renumbers-on-recovery",
    "gives what was not acknowledged new numbers when delivery is taken up again after all retries had failed",
    "iw-4.2.7.3-4",
    "iw-2.6.1-2",
    by=keeping,
)
class _(Kept):
    def resume(self):
        for each in self.items:
            each.number = self.series.give()
        super().resume()


@round_12(
    "bridge-channel-leaves-old-numbers",
    "leaves the numbers of an earlier hop in all events of a batch but the first",
    "iw-4.2.5-3",
    "iw-4.2.5-4",
    by=keeping,
)
class _(Kept):
    def stamp(self, item):
        events = tuple(each.event for each in item.waiting)
        return (*with_number(events[:1], item.number), *events[1:])


@round_12(
    "bridge-channel-forgets-numbers-in-a-crash",
    "does not know after a crash of the channel which numbers of a persistent connection it has stored",
    "iw-2.6.1-2",
    "iw-4.2.7.1-5",
    "iw-4.2.5.1-3",
    by=hearing,
)
class _(Heard):
    def recover(self):
        super().recover()
        self.seen = Repetitions()


@round_12(
    "bridge-channel-first-retry-at-once",
    "pushes again at once after the first push of an item has raised; the later retries keep RetryInterval",
    "iw-4.2.7.1-4",
    "iw-4.2.8.3-1",
    by=keeping,
)
class _(Kept):
    def tried(self, item, *, failed):
        super().tried(item, failed=failed)
        if failed and not self.retried:
            item.due = self.core.clock.now()


@round_12(
    "bridge-next-pull-acknowledges",
    "takes a pull of something new for the acknowledgment of what was pulled before",
    "iw-4.2.3.2-3",
    "iw-2.6.1-1",
)
class _(acknowledging.Supplying):
    def answer(self, take):
        before = len(self._given)
        found = super().answer(take)
        with self._lock:
            if len(self._given) > before:
                self._given = self._given[-1:]
        return found


@round_12(
    "bridge-acknowledges-after-the-first",
    "acknowledges a batch once its first event was sent, before it sends the others",
    "iw-4.2.3.1-2",
    "iw-2.6.1-1",
)
class _(acknowledging.Consuming):
    def take(self, events):
        number = number_of(events) if self.terms.on else None
        if number is not None and len(events) > 1 and not self.seen.has(number) and self._part[0] != number:
            self.hand(events[0])
            self._part = number, 1
            with contextlib.suppress(ChannelError):
                self.stored(number)
        super().take(events)


@round_12(
    "bridge-last-retry-not-awaited",
    "gives up right after the last retry of a push, without RetryInterval for its acknowledgment",
    "iw-4.2.7.1-2",
    "iw-4.2.7.1-3",
)
class _(acknowledging.Supplying):
    def _push(self, number, events, hand, stored, wanted):
        for left in range(self.terms.retries, -1, -1):
            try:
                hand(events)
            except Disconnected:
                raise
            except ChannelError:
                pass
            if self.terms.retries and not left:
                break
            if stored.wait(self.terms.interval):
                return
        raise self.gave_up(f"push of {number}")


@round_13(
    "bridge-channel-repeated-batch-unanswered",
    "The channel ignores a repeated batch of several events without acknowledging it again.",
    "iw-4.2.7.1-6",
    "iw-4.2.7-1",
    by=hearing,
)
class _(Heard):
    def repeated(self, events):
        before = len(self.owed)
        again = super().repeated(events)
        if again and len(events) > 1:
            del self.owed[before:]
        return again


@round_13(
    "bridge-application-acknowledges-the-last",
    "When an application acknowledges several messages at once, only the number of the last one reaches the channel.",
    "iw-2.6.2-16",
    "iw-2.6.2-5",
)
class _(Awaiting):
    def settled(self, awaited, message_ids):
        numbers = super().settled(awaited, message_ids)
        for each in numbers[:-1]:
            awaited[each] = {""}  # taken to be covered by the last one
        return numbers[-1:]
