"""Faults of bridges in event acknowledgment; where a row binds the channel as well, the channel has the fault too."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from typing import Any

from faults.interworking.registry import Faults, declare
from reference_bridge.acknowledging import Consuming, Supplying
from reference_bridge.channel import consumers, suppliers
from reference_bridge.channel.acknowledged import Heard, Item, Kept
from reference_bridge.reliable import Repetitions, number_of
from tck.interworking import EVENT_RELIABILITY, PERSISTENT
from tck.interworking.channel import Channel
from tck.interworking.clients import Batch
from tck.interworking.qos import CONNECTION_RELIABILITY, ChannelError


def _declare(
    rows: str,
    title: str,
    *,
    consuming: type[Consuming] = Consuming,
    supplying: type[Supplying] = Supplying,
    kept: type[Kept] = Kept,
    heard: type[Heard] = Heard,
) -> None:
    """Declare what bridge and channel have on either side as a fault."""
    mixins: dict[type, type] = {
        suppliers.Supplying: type("Keeping", (), {"keeping": kept}),
        consumers.Consuming: type("Hearing", (), {"hearing": heard}),
    }
    mixin = type("Acknowledging", (), {"consuming": consuming, "supplying": supplying})
    declare(rows, title, Faults(mixin=mixin, channel_mixins=mixins))


class _Always(Consuming):
    def take(self, events: Batch) -> None:
        super().take(events)
        if not self.terms.on:
            self.proxy.acknowledge((0,))


class _Silent(Consuming):
    def stored(self, number: int) -> None:
        pass


class _Once(Supplying):
    def _push(
        self, number: int, events: Batch, hand: Callable[[Batch], None], stored: Any, wanted: Callable[[], bool]
    ) -> None:
        with contextlib.suppress(ChannelError):
            hand(events)


class _KeptOnce(Kept):
    def tried(self, item: Item, *, failed: bool) -> None:
        super().tried(item, failed=failed)
        self.items = [each for each in self.items if each is not item]


class _Never(Repetitions):
    def has(self, number: int) -> bool:
        return False


class _Unchecked(Consuming):
    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        self.seen = _Never()


class _HeardUnchecked(Heard):
    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        self.seen = _Never()


class _HeardEarly(Heard):
    """Acknowledges before anything is stored."""

    def repeated(self, events: Batch) -> bool:
        if super().repeated(events):
            return True
        self.stored(events)
        self.seen = Repetitions()
        return False


class _Early(Consuming):
    def _taken(self, events: Batch) -> int | None:
        number = number_of(events) if self.terms.on else None
        if number is not None:
            self.stored(number)
        return super()._taken(events)


class _HeardSilent(Heard):
    def repeated(self, events: Batch) -> bool:
        owed = list(self.owed)
        found = super().repeated(events)
        self.owed = owed
        return found


class _SilentOnRepetition(Consuming):
    def _taken(self, events: Batch) -> int | None:
        number = number_of(events) if self.terms.on else None
        repeated = number is not None and self.seen.has(number)
        return None if repeated else super()._taken(events)


class _Behind(Kept):
    def tried(self, item: Item, *, failed: bool) -> None:
        super().tried(item, failed=False)


class _Plain(Supplying):
    def agree(self, channel: Channel) -> None:
        pass


class _ConnectionOnly(Consuming):
    def persist(self, channel: Channel) -> None:
        self.proxy.set_qos({CONNECTION_RELIABILITY: PERSISTENT})


class _EventsOnly(Consuming):
    def persist(self, channel: Channel) -> None:
        channel.set_qos({EVENT_RELIABILITY: PERSISTENT})


_declare("iw-2.5.3-1 iw-2.6.1-4 iw-2.6.2-2", "acknowledge is called without acknowledgment too", consuming=_Always)
_declare("iw-2.5.3-2 iw-2.6.2-1 iw-2.6.2-3 iw-2.6.2-4 iw-2.6.2-19", "the bridge never acknowledges", consuming=_Silent)
_declare("iw-2.6.1-1 iw-2.6.1-7 iw-4.2.4-4", "nothing is sent again", supplying=_Once, kept=_KeptOnce)
_declare(
    "iw-2.6.1-2 iw-2.6.1-6 iw-4.2.5.2-2 iw-4.2.7.1-5",
    "repetitions are carried again",
    consuming=_Unchecked,
    heard=_HeardUnchecked,
)
_declare("iw-2.6.1-3", "what is sent again comes behind what is newer", kept=_Behind)
_declare("iw-2.6.1-5", "the bridge cannot be acknowledged to", supplying=_Plain)
_declare("iw-2.6.2-17", "events are not made persistent", consuming=_ConnectionOnly)
_declare("iw-2.6.2-18", "the connection is not made persistent", consuming=_EventsOnly)
_declare("iw-4.2.3.1-2 iw-4.2.3.2-2", "acknowledged before it is stored", consuming=_Early, heard=_HeardEarly)
_declare("iw-4.2.7.1-6", "repetitions are not acknowledged", consuming=_SilentOnRepetition, heard=_HeardSilent)
