"""Faults of copies: losses, and identifiers that are not unique; see `tck.check.properties.copy`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from faults.kit.common import after_send
from faults.kit.declaring import breaks
from faults.kit.patch import Patch
from faults.kit.striking import now_and_then
from reference_provider import fault_points
from reference_provider.broker.broker import Broker
from reference_provider.broker.delivery import Delivery
from reference_provider.broker.physical_destinations import PhysicalQueue, PhysicalTopic, StoredDeliveryQueue
from reference_provider.broker.stored_message import StoredMessage
from reference_provider.client.producers import Options, ReferenceProducer
from reference_provider.client.session_state import SessionState
from reference_provider.client.sessions import ReferenceSession
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
    states: dict[int, SessionState] = {}

    def open_delivery(original: Callable[..., Delivery], state: SessionState, *arguments: Any) -> Delivery:
        states[id(state)] = state
        return original(state, *arguments)

    def acknowledge_all(original: Callable[..., None], session: ReferenceSession) -> None:
        for other in list(states.values()):
            if other is not session.state:
                other.acknowledge_all(session.check_open)
        original(session)

    patch.at(fault_points.HANDED_OVER, open_delivery)
    patch.at(fault_points.ACKNOWLEDGED, acknowledge_all)


def _lose(name: str, wanted: Callable[[StoredDeliveryQueue, StoredMessage], bool]) -> None:
    """Lose some of the messages that arrive in certain streams."""

    def fault(patch: Patch) -> None:
        strikes = now_and_then()

        def admit(
            original: Callable[..., None], broker: Broker, delivery_queue: StoredDeliveryQueue, entry: StoredMessage
        ) -> None:
            if not (wanted(delivery_queue, entry) and strikes()):
                original(broker, delivery_queue, entry)

        patch.at(fault_points.ARRIVED, admit)

    breaks(name)(fault)


def _persistent(entry: StoredMessage) -> bool:
    return entry.delivery_mode == DeliveryMode.PERSISTENT


_lose(
    "no-loss-persistent",
    lambda delivery_queue, entry: isinstance(delivery_queue.physical, PhysicalQueue) and _persistent(entry),
)


_lose("durable-complete", lambda delivery_queue, entry: delivery_queue.subscription is not None and _persistent(entry))


_lose(
    "nondurable-complete-while-open",
    lambda delivery_queue, entry: (
        isinstance(delivery_queue.physical, PhysicalTopic)
        and delivery_queue.subscription is None
        and _persistent(entry)
    ),
)


_lose("nonpersistent-kept-without-failure", lambda _, entry: not _persistent(entry))
