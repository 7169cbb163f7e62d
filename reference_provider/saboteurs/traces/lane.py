"""Faults in the order and the mutual exclusion of calls of a session; see `tck.check.properties.lane`."""

from __future__ import annotations

from typing import Final

from reference_provider.broker.broker import Broker
from reference_provider.broker.delivery import Delivery
from reference_provider.client.connections import ReferenceConnection
from reference_provider.client.dispatch import Dispatcher
from reference_provider.client.receivers import Receiver
from reference_provider.client.sessions import ReferenceSession
from reference_provider.saboteurs.registry import Patch
from reference_provider.saboteurs.traces.registry import breaks, now_and_then
from tck.api import Message, MessageListener

LATER_MS: Final = 50
"""Milliseconds, on the provider's clock, after which a closed session calls its listener again."""


@breaks("order-per-stream")
def _swapped(patch: Patch) -> None:
    original, strikes = Receiver.take, now_and_then(3)

    def take(self: Receiver) -> Delivery | None:
        delivery_queue = self.delivery_queue
        first = delivery_queue.take(self) if strikes() else None
        if first is None:
            return original(self)
        second = delivery_queue.take(self) if not delivery_queue.counts.get(first.number) else None
        if second is None:
            delivery_queue.put_back(first, delivery_queue.counts.get(first.number, 0))
            return original(self)
        delivery_queue.put_back(first, delivery_queue.counts.get(first.number, 0))
        return self.deliver(delivery_queue, second)

    patch.replace(Receiver, "take", take)


@breaks("listener-serial")
def _two_at_once(patch: Patch) -> None:
    original = Dispatcher.deliver

    def deliver(self: Dispatcher, delivery: Delivery) -> None:
        self.session.broker.clock.spawn(lambda: original(self, delivery), "second-thread-of-a-session")

    patch.replace(Dispatcher, "deliver", deliver)


@breaks("nothing-after-close")
def _after_close(patch: Patch) -> None:
    last: dict[int, tuple[ReferenceSession, MessageListener, Message]] = {}
    heard, closed = Dispatcher.call_listener, ReferenceConnection.close

    def on_message(self: Dispatcher, listener: MessageListener, delivery: Delivery) -> bool:
        last[id(self.session)] = (self.session, listener, self.session.message_of(delivery))
        return heard(self, listener, delivery)

    def close(self: ReferenceConnection) -> None:
        sessions = list(self.sessions)
        closed(self)
        for session in sessions:
            if id(session) in last:
                _, listener, message = last.pop(id(session))
                self.broker.clock.spawn(lambda: _later(self.broker, listener, message), "late-listener")  # noqa: B023 - runs with these

    def _later(broker: Broker, listener: MessageListener, message: Message) -> None:
        broker.clock.event().wait(LATER_MS)
        listener.on_message(message)

    patch.replace(Dispatcher, "call_listener", on_message)
    patch.replace(ReferenceConnection, "close", close)


@breaks("nothing-while-stopped")
def _deaf_to_stop(patch: Patch) -> None:
    patch.replace(ReferenceConnection, "stop", lambda self: self.use())


@breaks("exception-listener-serial")
def _told_twice(patch: Patch) -> None:
    original = ReferenceConnection.report_loss

    def report(self: ReferenceConnection, why: str) -> None:
        original(self, why)
        original(self, why)

    patch.replace(ReferenceConnection, "report_loss", report)
