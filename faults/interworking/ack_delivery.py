"""Faults of the stand-in channel in reliable delivery: what is repeated, when, how often, and what the properties say."""

import contextlib
from dataclasses import replace

from faults.interworking.kit import *


def _both(rows, title, **names):
    """Declare as a fault what both sides do otherwise: attributes of `Side`."""
    kept, heard = type("Kept", (Kept,), dict(names)), type("Heard", (Heard,), dict(names))
    mixins = {Supplying: type("S", (), {"keeping": kept}), Consuming: type("C", (), {"hearing": heard})}
    declare(rows, title, channel_mixins=mixins)


def _terms(**changes):
    """Return other terms than those of the proxy."""

    def changed(side):
        terms = Side.terms.fget(side)
        return replace(terms, **{name: change(terms) for name, change in changes.items()})

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


@declare("iw-4.2.3.2-3", "a pull removes the event", by=lambda made: keeping(made, Pulled))
class _(Kept):
    def pull(self, take, now):
        given = super().pull(take, now)
        self.items.clear()
        return given


@declare("iw-4.2.4-2", "untyped events leave the channel without numbers", by=keeping)
class _(Kept):
    def stamp(self, item):
        events = tuple(each.event for each in item.waiting)
        untyped = events[0].header.fixed_header.event_type.type_name == "%ANY"
        return events if untyped else super().stamp(item)


@declare("iw-4.2.4-1", "batches cannot be acknowledged", by=lambda made: keeping(made, SequencePushing, SequencePulled))
class _(Kept):
    def acknowledge(self, numbers):
        pass


@declare("iw-4.2.4-5", "what one consumer does not acknowledge is sent to all again", by=keeping)
class _(Kept):
    def tried(self, item, *, failed):
        again = item.due > 0
        super().tried(item, failed=failed)
        if again and item in self.items:
            for sink in self.core.sinks:
                if isinstance(sink, Supplying) and sink.kept is not self and sink.kept.on:
                    sink.kept.add(item.waiting)


@declare("iw-4.2.7.1-1", "a push that raises is not repeated", by=keeping)
class _(Kept):
    def tried(self, item, *, failed):
        super().tried(item, failed=failed)
        if failed:
            self.items = [each for each in self.items if each is not item]


@declare("iw-4.2.7.1-2", "the supplier side waits for an acknowledgment for ever", by=keeping)
class _(Kept):
    def tried(self, item, *, failed):
        super().tried(item, failed=failed)
        if not failed:
            item.due = 2**50


@declare("iw-4.2.7-1 iw-4.2.7.2-1", "what fails in pulling is not repaired", by=hearing)
class _(Heard):
    def _failed(self, operation, error):
        super()._failed(operation, error)
        if operation == "pull":
            self.stopped = True


@declare("iw-4.2.7.1-8", "a success does not reset the count of retries", by=keeping)
class _(Kept):
    def acknowledge(self, numbers):
        retried = self.retried
        super().acknowledge(numbers)
        self.retried = retried


@declare("iw-4.2.7.2-7", "failures of pull and acknowledge are counted together", by=hearing)
class _(Heard):
    def _count(self, operation):
        super()._count(operation)
        return self._failed_pulls + self._failed_acknowledgments


@declare("iw-4.2.7.2-8", "a success does not reset the counts", by=hearing)
class _(Heard):
    def _reset(self):
        pass

    def pulled_nothing(self):
        pulls = self._failed_pulls
        super().pulled_nothing()
        self._failed_pulls = pulls


class _GoesOn(Kept):
    def give_up(self, operation):
        super().give_up(operation)
        del self.items[:1]
        self.stopped, self.retried = False, 0

    def next_call(self, collect, hand, now):
        return super().next_call(collect, hand, now) or super().next_call(collect, hand, now)


class _BridgeGoesOn(acknowledging.Supplying):
    def push(self, *given):
        with contextlib.suppress(acknowledging.GaveUp):
            super().push(*given)


declare(
    "iw-4.2.7.3-1",
    "after all retries the next event is sent",
    parts=standing(_BridgeGoesOn),
    channel_mixins={Supplying: type("Keeping", (), {"keeping": _GoesOn})},
)


@declare("iw-4.2.7.3-4", "a recovery forgets what came", by=hearing)
class _(Heard):
    def resume(self):
        super().resume()
        self.seen = Repetitions()
        self.owed.clear()


# -- the properties ------------------------------------------------------------------------------------------------


@declare("iw-4.2.8.1-1", "any DeliveryReliability but 0 is taken for 1", by=into(StandInProxy))
class _(StandInProxy):
    def set_qos(self, qos):
        super().set_qos({name: min(value, 1) if name == DELIVERY_RELIABILITY else value for name, value in qos.items()})


@declare("iw-4.2.8.1-4", "a crash loses what is kept", by=keeping)
class _(Kept):
    def recover(self):
        self.items.clear()


@declare("iw-4.2.8.4-2", "the item of an event switches acknowledgment on", by=into(Supplying))
class _(Supplying):
    def offer(self, event, number, now, most):
        if event.field(DELIVERY_RELIABILITY) is not None:
            self.qos.set({DELIVERY_RELIABILITY: ACKNOWLEDGMENT})
        super().offer(event, number, now, most)


@declare("iw-4.2.8.4-3", "what is set on the channel holds everywhere", by=keeping)
class _(Kept):
    @property
    def on(self):
        return self.core.qos[DELIVERY_RELIABILITY] == ACKNOWLEDGMENT


@declare("iw-4.2.8.4-1", "channels refuse DeliveryReliability", by=each_channel)
def _(channel):
    given = channel.set_qos

    def refuse(qos):
        if DELIVERY_RELIABILITY in qos:
            raise UnsupportedQoS(PropertyError(QoSErrorCode.UNAVAILABLE_PROPERTY, DELIVERY_RELIABILITY))
        given(qos)

    channel.set_qos = refuse
