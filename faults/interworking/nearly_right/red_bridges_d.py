"""Red round 13: faults of bridges by somebody who has not seen the suite."""

from __future__ import annotations

from typing import Any

from faults.interworking.nearly_right.registry import nearly_right
from faults.interworking.registry import Faults
from reference_bridge.acknowledging import Consuming, Supplying
from reference_bridge.applications import Awaiting
from reference_bridge.channel import StandInFactory, consumers, suppliers
from reference_bridge.channel.acknowledged import Heard, Kept
from reference_bridge.channel.filtering import EtclFilters
from reference_bridge.channel.proxies import StandInProxy
from reference_bridge.channel.settings import RELIABILITIES, Settings
from reference_bridge.channel.transacted import Stored
from reference_bridge.etcl import MappingFilter
from reference_bridge.factory import ReferenceFactory
from reference_bridge.reliable import Repetitions
from reference_bridge.transacting import Transacting
from tck.interworking import Any_, StructuredEvent
from tck.interworking.acknowledgment import ACKNOWLEDGMENT, DELIVERY_RELIABILITY
from tck.interworking.channel import Channel
from tck.interworking.clients import Batch
from tck.interworking.qos import MAXIMUM_BATCH_SIZE

# -- acknowledgment ----------------------------------------------------------------------------------------------------


class _Straight(Repetitions):
    def has(self, number: int) -> bool:
        return self._last is not None and number <= self._last and number not in self._missing


class _StraightConsuming(Consuming):
    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        self.seen = _Straight()


class _Straightly:
    consuming = _StraightConsuming


nearly_right(
    "bridge-zero-after-the-wrap-is-a-repetition",
    "After number 2^31 - 1 the bridge takes 0 for a repetition: it acknowledges the event and sends no message.",
    "iw-4.2.7.1-5 iw-4.2.5-8 iw-2.6.1-1",
    Faults(mixin=_Straightly),
    noticed=False,
)


class _Counting(Kept):
    def acknowledge(self, numbers: Any) -> None:
        known = {each.number for each in self.items}
        named = [each for each in numbers if each in known]
        super().acknowledge(numbers)
        del self.items[: len(named) - len(set(named))]


class _KeptByCount:
    keeping = _Counting


nearly_right(
    "bridge-channel-number-named-twice",
    "A number that one acknowledge names twice removes the event that follows too.",
    "iw-4.2.5.2-6 iw-2.6.1-1",
    Faults(channel_mixins={suppliers.Supplying: _KeptByCount}),
    noticed=False,
)


class _OfTheChannel:
    def agree(self, channel: Channel) -> None:
        if channel.get_qos().get(DELIVERY_RELIABILITY) == ACKNOWLEDGMENT:
            super().agree(channel)  # type: ignore[misc]


class _ConsumingOfChannel(_OfTheChannel, Consuming):
    pass


class _SupplyingOfChannel(_OfTheChannel, Supplying):
    pass


class _AskingTheChannel:
    consuming = _ConsumingOfChannel
    supplying = _SupplyingOfChannel


nearly_right(
    "bridge-acknowledgment-of-channels-only",
    "A bridge heeds DeliveryReliability Acknowledgment of the channel, not that of an admin or of its proxy.",
    "iw-2.6.1-4 iw-4.2.8.4-1 iw-4.2.8.4-3",
    Faults(mixin=_AskingTheChannel),
    noticed=False,
)


class _SilentOnBatches(Heard):
    def repeated(self, events: Batch) -> bool:
        before = len(self.owed)
        again = super().repeated(events)
        if again and len(events) > 1:
            del self.owed[before:]
        return again


class _HeardOnce:
    hearing = _SilentOnBatches


nearly_right(
    "bridge-channel-repeated-batch-unanswered",
    "The channel ignores a repeated batch of several events without acknowledging it again.",
    "iw-4.2.7.1-6 iw-4.2.7-1",
    Faults(channel_mixins={consumers.Consuming: _HeardOnce}),
)


class _LastOnly(Awaiting):
    def settled(self, awaited: dict[int, set[str]], message_ids: set[str]) -> tuple[int, ...]:
        numbers = super().settled(awaited, message_ids)
        for each in numbers[:-1]:
            awaited[each] = {""}  # taken to be covered by the last one
        return numbers[-1:]


def _cumulative(factory: ReferenceFactory) -> None:
    factory.awaiting = _LastOnly


nearly_right(
    "bridge-application-acknowledges-the-last",
    "When an application acknowledges several messages at once, only the number of the last one reaches the channel.",
    "iw-2.6.2-16 iw-2.6.2-5",
    Faults(of_factory=_cumulative),
)

# -- transactions ------------------------------------------------------------------------------------------------------


class _CountingEvents:
    def _set(self: Any, events: int, timeout: int) -> None:
        if self._sequences:
            events = max(1, events // self._proxy.get_qos()[MAXIMUM_BATCH_SIZE])
        super()._set(events, timeout)  # type: ignore[misc]


nearly_right(
    "bridge-batches-counted-as-events",
    "With sequences and MaximumBatchSize above 1 the argument of enable_transaction is divided by it.",
    "iw-3.2.1.1-5 iw-3.2.1.1-6",
    Faults(mixin=_CountingEvents),
)


class _LastPull(Stored):
    _last = 0

    def add(self, events: Any) -> None:
        self._last = len(events)
        super().add(events)

    def undo(self) -> None:
        stay = self.events[: len(self.events) - self._last]
        if stay and not self.core.crashed:
            self.core.publish(stay, promised=True)
        super().undo()


def _last_pull(factory: StandInFactory) -> None:
    factory.kinds[Stored] = _LastPull


nearly_right(
    "bridge-channel-undoes-the-last-pull",
    "When a transaction of several pulls is rolled back, the channel deletes only what the last pull brought.",
    "iw-2.7.3.2-4 iw-2.7.1-4",
    Faults(of_channels=_last_pull),
)


class _OwnFirst(Settings):
    __slots__ = ()

    def __getitem__(self, name: str) -> int:
        return self._own[name] if name in RELIABILITIES and name in self._own else super().__getitem__(name)


class _OwnReliability:
    def __init__(self: Any, *given: Any) -> None:
        super().__init__(*given)
        self.qos.__class__ = _OwnFirst


nearly_right(
    "bridge-channel-own-reliability-stays",
    "EnableTransaction makes no connection persistent whose proxy has BestEffort of its own, set or left by disabling.",
    "iw-2.7.6.1-11 iw-4.3-1",
    Faults(channel_mixins={StandInProxy: _OwnReliability}),
    noticed=False,
)


class _PlainAgain:
    def start_bridge(self: Any) -> None:
        with self._life:
            if isinstance(self, Transacting) and self._enabled and self._connected and not self._active:
                self._session = self._plain_session
                self._reopen()
            super().start_bridge()  # type: ignore[misc]


nearly_right(
    "bridge-restarts-on-the-plain-session",
    "A bridge with transactions that is stopped and started works on its plain session, outside the transaction.",
    "iw-2.7.5.1-2 iw-2.7.5.2-3 iw-2.7.5-2",
    Faults(mixin=_PlainAgain),
    noticed=False,
)

# -- filters -----------------------------------------------------------------------------------------------------------


class _ZeroIsNothing(MappingFilter):
    def match_structured(self, event: StructuredEvent) -> tuple[bool, Any_]:
        found, value = super().match_structured(event)
        return (found, value) if value.value else (False, self.default_value)


class _ZeroFilters(EtclFilters):
    def create_mapping_filter(self, constraint_grammar: str, default_value: Any_) -> MappingFilter:
        super().create_mapping_filter(constraint_grammar, default_value)
        return _ZeroIsNothing(default_value, self._clock.now)


def _zero(factory: StandInFactory) -> None:
    factory.filters = _ZeroFilters


nearly_right(
    "bridge-filter-value-zero-is-none",
    "A mapping filter whose constraint matches with the value 0 answers as if it had not matched.",
    "iw-4.1-1 iw-4.1-6",
    Faults(of_channels=_zero),
)
