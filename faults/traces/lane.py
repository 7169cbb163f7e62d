"""Faults in the order and the mutual exclusion of calls of a session; see `tck.check.properties.lane`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from faults.kit.common import session_of
from faults.kit.declaring import breaks
from faults.kit.patch import Patch
from faults.kit.striking import now_and_then
from reference_provider import fault_points
from reference_provider.broker.broker import Broker
from reference_provider.broker.delivery import Delivery
from reference_provider.client.connections import ReferenceConnection
from reference_provider.client.dispatch import Dispatcher
from reference_provider.client.receivers import Receiver
from reference_provider.client.sessions import ReferenceSession
from tck.api import Message, MessageListener

LATER_MS: Final = 50
"""Milliseconds, on the provider's clock, after which a closed session calls its listener again."""


@breaks("order-per-stream")
def _swapped(patch: Patch) -> None:
    strikes = now_and_then(3)

    def take(original: Callable[..., Delivery | None], receiver: Receiver) -> Delivery | None:
        delivery_queue = receiver.delivery_queue
        first = delivery_queue.take(receiver) if strikes() else None
        if first is None:
            return original(receiver)
        second = delivery_queue.take(receiver) if not delivery_queue.counts.get(first.number) else None
        if second is None:
            delivery_queue.put_back(first, delivery_queue.counts.get(first.number, 0))
            return original(receiver)
        delivery_queue.put_back(first, delivery_queue.counts.get(first.number, 0))
        return receiver.deliver(delivery_queue, second)

    patch.at(fault_points.MESSAGE_TAKEN, take)


@breaks("listener-serial")
def _two_at_once(patch: Patch) -> None:
    original = Dispatcher.deliver

    def deliver(self: Dispatcher, delivery: Delivery) -> None:
        self.session.broker.clock.spawn(lambda: original(self, delivery), "second-thread-of-a-session")

    patch.replace(Dispatcher, "deliver", deliver)


@breaks("nothing-after-close")
def _after_close(patch: Patch) -> None:
    last: dict[int, tuple[ReferenceSession, MessageListener, Message]] = {}

    def on_message(
        original: Callable[..., bool], dispatcher: Dispatcher, listener: MessageListener, delivery: Delivery
    ) -> bool:
        last[id(dispatcher.session)] = (session_of(dispatcher), listener, dispatcher.session.message_of(delivery))
        return original(dispatcher, listener, delivery)

    def close(original: Callable[..., None], connection: ReferenceConnection) -> None:
        sessions = list(connection.sessions)
        original(connection)
        for session in sessions:
            if id(session) in last:
                _, listener, message = last.pop(id(session))
                connection.broker.clock.spawn(lambda: _later(connection.broker, listener, message), "late-listener")  # noqa: B023 - runs with these

    def _later(broker: Broker, listener: MessageListener, message: Message) -> None:
        broker.clock.event().wait(LATER_MS)
        listener.on_message(message)

    patch.at(fault_points.LISTENER_CALLED, on_message)
    patch.at(fault_points.CONNECTION_CLOSED, close)


@breaks("nothing-while-stopped")
def _deaf_to_stop(patch: Patch) -> None:
    patch.at(fault_points.CONNECTION_STOPPED, lambda original, connection: connection.use())


@breaks("exception-listener-serial")
def _told_twice(patch: Patch) -> None:
    def report(original: Callable[..., None], connection: ReferenceConnection, why: str) -> None:
        original(connection, why)
        original(connection, why)

    patch.at(fault_points.EXCEPTION_REPORTED, report)
