"""Faults of repeated deliveries; see `tck.check.properties.repeat`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from faults.kit.declaring import breaks
from faults.kit.patch import Patch
from faults.kit.striking import now_and_then
from reference_provider import fault_points
from reference_provider.broker.delivery import Delivery
from reference_provider.broker.physical_destinations import StoredDeliveryQueue
from reference_provider.broker.stored_message import StoredMessage
from reference_provider.broker.transactions import SingleAcknowledgement
from reference_provider.client.session_state import SessionState
from reference_provider.client.sessions import ReferenceSession
from tck.api import Session


@breaks("count-rises")
def _count_stays(patch: Patch) -> None:
    def open_delivery(original: Callable[..., Delivery], *arguments: Any) -> Delivery:
        delivery = original(*arguments)
        delivery.count = min(delivery.count, 2)
        return delivery

    patch.at(fault_points.HANDED_OVER, open_delivery)


@breaks("one-holder")
def _held_twice(patch: Patch) -> None:
    strikes = now_and_then()

    def open_delivery(
        original: Callable[..., Delivery],
        state: SessionState,
        consumer: object,
        delivery_queue: StoredDeliveryQueue,
        entry: StoredMessage,
    ) -> Delivery:
        delivery = original(state, consumer, delivery_queue, entry)
        broker = state.broker

        def free_again() -> None:
            with broker.lock:
                if entry.number in delivery_queue.numbers():
                    delivery_queue.put_back(entry, 1)

        if delivery.count == 1 and state.mode == Session.CLIENT_ACKNOWLEDGE and strikes():
            broker.clock.call_at(broker.clock.now() + 1, free_again)
        return delivery

    patch.at(fault_points.HANDED_OVER, open_delivery)


@breaks("settled-survives-restart")
def _forgotten_by_the_file(patch: Patch) -> None:
    patch.replace(Delivery, "forget_statements", lambda self: [])


@breaks("auto-last-only")
def _acknowledged_at_the_end(patch: Patch) -> None:
    kept: dict[int, tuple[SessionState, list[Delivery]]] = {}
    left, shut = ReferenceSession.abandon, ReferenceSession.shut

    def settle(original: Callable[..., None], state: SessionState, delivery: Delivery) -> None:
        if state.mode == Session.AUTO_ACKNOWLEDGE:
            kept.setdefault(id(state), (state, []))[1].append(delivery)
        else:
            original(state, delivery)

    def abandon(self: ReferenceSession) -> None:
        _, deliveries = kept.pop(id(self.state), (None, []))
        left(self)
        self.broker.redelivery.redeliver(deliveries)

    def shut_(self: ReferenceSession) -> bool:
        done = shut(self)
        _, deliveries = kept.pop(id(self.state), (None, []))
        for delivery in deliveries:
            SingleAcknowledgement(self.broker, delivery, durable=True).perform()
        return done

    patch.at(fault_points.SETTLED, settle)
    patch.replace(ReferenceSession, "abandon", abandon)
    patch.replace(ReferenceSession, "shut", shut_)
