"""Faults of bridges in event acknowledgment; where a row binds the channel as well, the channel has the fault too."""

import contextlib

from faults.interworking.kit import *


def _declare(
    rows, title, *, consuming=acknowledging.Consuming, supplying=acknowledging.Supplying, kept=Kept, heard=Heard
):
    """Declare what bridge and channel have on either side as a fault."""
    mixins = {Supplying: type("Keeping", (), {"keeping": kept}), Consuming: type("Hearing", (), {"hearing": heard})}
    declare(rows, title, parts=standing(consuming, supplying), channel_mixins=mixins)


@declare("iw-2.5.3-1 iw-2.6.1-4 iw-2.6.2-2", "acknowledge is called without acknowledgment too")
class _(acknowledging.Consuming):
    def take(self, events):
        super().take(events)
        if not self.terms.on:
            self.proxy.acknowledge((0,))


@declare("iw-2.5.3-2 iw-2.6.2-1 iw-2.6.2-3 iw-2.6.2-4 iw-2.6.2-19", "the bridge never acknowledges")
class _(acknowledging.Consuming):
    def stored(self, number):
        pass


class _Once(acknowledging.Supplying):
    def _push(self, number, events, hand, stored, wanted):
        with contextlib.suppress(ChannelError):
            hand(events)


class _KeptOnce(Kept):
    def tried(self, item, *, failed):
        super().tried(item, failed=failed)
        self.items = [each for each in self.items if each is not item]


class _Never(Repetitions):
    def has(self, number):
        return False


class _Unchecked(acknowledging.Consuming):
    def __init__(self, *given):
        super().__init__(*given)
        self.seen = _Never()


class _HeardUnchecked(Heard):
    def __init__(self, *given):
        super().__init__(*given)
        self.seen = _Never()


class _HeardEarly(Heard):
    """Acknowledges before anything is stored."""

    def repeated(self, events):
        if super().repeated(events):
            return True
        self.stored(events)
        self.seen = Repetitions()
        return False


class _Early(acknowledging.Consuming):
    def _taken(self, events):
        number = number_of(events) if self.terms.on else None
        if number is not None:
            self.stored(number)
        return super()._taken(events)


class _HeardSilent(Heard):
    def repeated(self, events):
        owed = list(self.owed)
        found = super().repeated(events)
        self.owed = owed
        return found


class _SilentOnRepetition(acknowledging.Consuming):
    def _taken(self, events):
        number = number_of(events) if self.terms.on else None
        repeated = number is not None and self.seen.has(number)
        return None if repeated else super()._taken(events)


@declare("iw-2.6.1-3", "what is sent again comes behind what is newer", by=keeping)
class _(Kept):
    def tried(self, item, *, failed):
        super().tried(item, failed=False)


@declare("iw-2.6.1-5", "the bridge cannot be acknowledged to")
class _(acknowledging.Supplying):
    def agree(self, channel):
        pass


@declare("iw-2.6.2-17", "events are not made persistent")
class _(acknowledging.Consuming):
    def persist(self, channel):
        self.proxy.set_qos({CONNECTION_RELIABILITY: PERSISTENT})


@declare("iw-2.6.2-18", "the connection is not made persistent")
class _(acknowledging.Consuming):
    def persist(self, channel):
        channel.set_qos({EVENT_RELIABILITY: PERSISTENT})


_declare("iw-2.6.1-1 iw-2.6.1-7 iw-4.2.4-4", "nothing is sent again", supplying=_Once, kept=_KeptOnce)
_declare(
    "iw-2.6.1-2 iw-2.6.1-6 iw-4.2.5.2-2 iw-4.2.7.1-5",
    "repetitions are carried again",
    consuming=_Unchecked,
    heard=_HeardUnchecked,
)
_declare("iw-4.2.3.1-2 iw-4.2.3.2-2", "acknowledged before it is stored", consuming=_Early, heard=_HeardEarly)
_declare("iw-4.2.7.1-6", "repetitions are not acknowledged", consuming=_SilentOnRepetition, heard=_HeardSilent)
