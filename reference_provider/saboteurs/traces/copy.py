"""Faults of copies: losses, and identifiers that are not unique; see `tck.check.properties.copy`."""

from __future__ import annotations

from collections.abc import Callable

from reference_provider.broker.broker import Broker
from reference_provider.broker.delivery import Delivery
from reference_provider.broker.physical_destinations import PhysicalQueue, PhysicalTopic, StoredDeliveryQueue
from reference_provider.broker.stored_message import StoredMessage
from reference_provider.client.producers import Options, ReferenceProducer
from reference_provider.client.session_state import SessionState
from reference_provider.saboteurs.faults import after_send
from reference_provider.saboteurs.registry import Patch
from reference_provider.saboteurs.traces.registry import breaks, now_and_then
from tck.api import DeliveryMode, Message


@breaks("message-id-unique")
def _same_id(patch: Patch) -> None:
    strikes, last = now_and_then(), list[str | None]()

    def fault(sender: ReferenceProducer, message: Message, entry: StoredMessage, options: Options) -> None:
        if last and strikes():
            entry.message_id = message.jms_message_id = last[-1]
        last.append(entry.message_id)

    after_send(patch, fault)


@breaks("acknowledge-leaves-others")
def _acknowledges_for_all(patch: Patch) -> None:
    original, entered = SessionState.acknowledge_owed, SessionState.enter
    ledgers: dict[int, SessionState] = {}

    def enter(self: SessionState, delivery: Delivery) -> None:
        ledgers[id(self)] = self
        entered(self, delivery)

    def acknowledge_owed(self: SessionState, check_open: Callable[[], None]) -> None:
        for other in list(ledgers.values()):
            if other is not self:
                original(other, check_open)
        original(self, check_open)

    patch.replace(SessionState, "enter", enter)
    patch.replace(SessionState, "acknowledge_owed", acknowledge_owed)


def _lose(name: str, wanted: Callable[[StoredDeliveryQueue, StoredMessage], bool]) -> None:
    """Lose some of the messages that arrive in certain streams."""

    def fault(patch: Patch) -> None:
        original, strikes = Broker.admit, now_and_then()

        def admit(self: Broker, stream: StoredDeliveryQueue, entry: StoredMessage) -> None:
            if not (wanted(stream, entry) and strikes()):
                original(self, stream, entry)

        patch.replace(Broker, "admit", admit)

    breaks(name)(fault)


def _persistent(entry: StoredMessage) -> bool:
    return entry.delivery_mode == DeliveryMode.PERSISTENT


_lose("no-loss-persistent", lambda stream, entry: isinstance(stream.place, PhysicalQueue) and _persistent(entry))


_lose("durable-complete", lambda stream, entry: stream.subscription is not None and _persistent(entry))


_lose(
    "nondurable-complete-while-open",
    lambda stream, entry: (
        isinstance(stream.place, PhysicalTopic) and stream.subscription is None and _persistent(entry)
    ),
)


_lose("nonpersistent-kept-without-failure", lambda _, entry: not _persistent(entry))
