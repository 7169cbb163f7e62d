"""Faults in 8.8: the close of a consumer, its messages, its calls that wait, and its listener."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from faults.kit.common import around, session_of
from faults.kit.declaring import nearly_right, saboteur
from faults.kit.patch import Patch
from reference_provider import fault_points
from reference_provider.broker.delivery import Delivery
from reference_provider.broker.physical_destinations import PhysicalQueue
from reference_provider.client.consumers import ReferenceConsumer
from reference_provider.client.dispatch import Dispatcher
from reference_provider.clock import Waiter
from tck.api import IllegalStateException, Session

Close = Callable[[ReferenceConsumer], None]


@saboteur("8.8-1", "closing a consumer closes the other consumers of its session")
def _(patch: Patch) -> None:
    def close(original: Close, consumer: ReferenceConsumer) -> None:
        others = [one for one in session_of(consumer).consumers if one is not consumer]
        original(consumer)
        for one in others:
            original(one)

    around(patch, ReferenceConsumer, "close", close)


@saboteur(
    "8.8-2",
    "the listener of a consumer is called after the close of the consumer",
    collateral=dict.fromkeys(("8.8-11", "8.8-18"), "it closes a consumer with a listener"),
)
def _(patch: Patch) -> None:
    def close(original: Close, consumer: ReferenceConsumer) -> None:
        dispatcher = consumer.session.dispatcher
        if consumer.listener is None or dispatcher is None or dispatcher.current is not None:
            original(consumer)

    around(patch, ReferenceConsumer, "close", close)


@nearly_right(
    "listener-of-a-closed-subscriber-is-called",
    "the listener of a non-durable subscriber is called after the close of the subscriber",
    "8.8-2",
)
def _(patch: Patch) -> None:
    def close(original: Close, consumer: ReferenceConsumer) -> None:
        dispatcher = consumer.session.dispatcher
        subscription = consumer.receiver.subscription
        idle = consumer.listener is not None and dispatcher is not None and dispatcher.current is None
        if not (idle and subscription is not None and subscription.key is None):
            original(consumer)

    around(patch, ReferenceConsumer, "close", close)


def _queue(consumer: ReferenceConsumer) -> bool:
    return isinstance(consumer.receiver.physical, PhysicalQueue)


@saboteur(
    "8.8-3",
    "closing a consumer loses the next message of its queue",
    collateral=dict.fromkeys(
        ("8.8-10", "8.8-11", "8.8-13", "8.8-14", "8.8-15", "8.8-16"), "messages are left when its consumer is closed"
    ),
)
def _(patch: Patch) -> None:
    counts: dict[ReferenceConsumer, int] = {}

    def opened(original: Callable[..., Delivery], state: Any, consumer: ReferenceConsumer, *arguments: Any) -> Delivery:
        counts[consumer] = counts.get(consumer, 0) + 1
        return original(state, consumer, *arguments)

    def detach(original: Close, consumer: ReferenceConsumer) -> None:
        original(consumer)
        queue = consumer.receiver.delivery_queue
        if counts.get(consumer) and _queue(consumer) and not consumer.session.closing:
            for entry in list(queue.free_entries())[:1]:
                queue.remove(entry.number, entry.priority)

    patch.at(fault_points.HANDED_OVER, opened)
    patch.at(fault_points.CONSUMER_CLOSED, detach)


@nearly_right(
    "close-after-three-messages-loses-the-next",
    "closing a consumer that got three messages loses the next one of its queue",
    "8.8-3",
)
def _(patch: Patch) -> None:
    counts: dict[ReferenceConsumer, int] = {}

    def opened(original: Callable[..., Delivery], state: Any, consumer: ReferenceConsumer, *arguments: Any) -> Delivery:
        counts[consumer] = counts.get(consumer, 0) + 1
        return original(state, consumer, *arguments)

    def detach(original: Close, consumer: ReferenceConsumer) -> None:
        original(consumer)
        queue = consumer.receiver.delivery_queue
        if counts.get(consumer) == 3 and _queue(consumer) and not consumer.session.closing:
            for entry in list(queue.free_entries())[:1]:
                queue.remove(entry.number, entry.priority)

    patch.at(fault_points.HANDED_OVER, opened)
    patch.at(fault_points.CONSUMER_CLOSED, detach)


@saboteur(
    "8.8-4",
    "close of a consumer is refused while another thread receives, or runs a listener of the session",
    collateral={"8.8-7": "it closes a consumer whose listener runs"},
)
def _(patch: Patch) -> None:
    def close(original: Close, consumer: ReferenceConsumer) -> None:
        dispatcher = consumer.session.dispatcher
        runs = dispatcher is not None and dispatcher.current is not None and not dispatcher.is_current_thread()
        if runs or (consumer.receiver.slot.blocked and consumer.listener is None):
            raise IllegalStateException("the session is used by another thread", "WRONG_THREAD")
        original(consumer)

    around(patch, ReferenceConsumer, "close", close)


@nearly_right(
    "transacted-consumer-that-receives-cannot-be-closed",
    "a transacted session refuses the close of a consumer that receives on another thread",
    "8.8-4",
)
def _(patch: Patch) -> None:
    def close(original: Close, consumer: ReferenceConsumer) -> None:
        if (
            consumer.receiver.slot.blocked
            and consumer.session.mode == Session.SESSION_TRANSACTED
            and consumer.listener is None
        ):
            raise IllegalStateException("the session is used by another thread", "WRONG_THREAD")
        original(consumer)

    around(patch, ReferenceConsumer, "close", close)


@saboteur("8.8-5", "close returns at once, and the receive that another thread waits in some time later")
def _(patch: Patch) -> None:
    def close(original: Close, consumer: ReferenceConsumer) -> None:
        clock = consumer.session.broker.clock
        if not consumer.receiver.slot.blocked or consumer.listener is not None:
            original(consumer)
            return

        def later() -> None:
            clock.wait(Waiter(), LATER_MS)
            original(consumer)

        clock.spawn(later, "late-close")

    around(patch, ReferenceConsumer, "close", close)


LATER_MS = 3_000
"""How long after the close a waiting receive returns, in milliseconds."""


@saboteur("8.8-6", "a receive with a timeout raises IllegalStateException when its consumer is closed")
def _(patch: Patch) -> None:
    def next_delivery(
        original: Callable[..., Delivery | None], consumer: ReferenceConsumer, timeout: int | None
    ) -> Delivery | None:
        delivery = original(consumer, timeout)
        if delivery is None and timeout and consumer.closed and not consumer.session.closing:
            raise IllegalStateException("the consumer was closed", "CONSUMER_CLOSED")
        return delivery

    patch.at(fault_points.MESSAGE_AWAITED, next_delivery)


@saboteur("8.8-7", "close of a consumer does not wait for its listener")
def _(patch: Patch) -> None:
    def wait(original: Callable[..., None], dispatcher: Dispatcher, consumer: object = None) -> None:
        if consumer is None:
            original(dispatcher, consumer)

    around(patch, Dispatcher, "wait_until_idle", wait)


def _in_own_listener(consumer: ReferenceConsumer) -> bool:
    dispatcher = consumer.session.dispatcher
    current = dispatcher.current if dispatcher is not None else None
    return (
        dispatcher is not None
        and dispatcher.is_current_thread()
        and current is not None
        and current.consumer is consumer
    )


@saboteur(
    "8.8-8", "a listener must not close its own consumer", collateral={"8.8-10": "its listener closes the consumer"}
)
def _(patch: Patch) -> None:
    def close(original: Close, consumer: ReferenceConsumer) -> None:
        refused = _in_own_listener(consumer)
        original(consumer)
        if refused:
            raise IllegalStateException("a listener must not close its own consumer", "OWN_LISTENER")

    around(patch, ReferenceConsumer, "close", close)


@nearly_right(
    "client-acknowledge-listener-cannot-close-its-consumer",
    "in a session with CLIENT_ACKNOWLEDGE a listener must not close its own consumer",
    "8.8-8",
)
def _(patch: Patch) -> None:
    def close(original: Close, consumer: ReferenceConsumer) -> None:
        if _in_own_listener(consumer) and consumer.session.mode == Session.CLIENT_ACKNOWLEDGE:
            original(consumer)
            raise IllegalStateException("a listener must not close its own consumer", "OWN_LISTENER")
        original(consumer)

    around(patch, ReferenceConsumer, "close", close)


@saboteur("8.8-9", "after a listener closed its own consumer its session sends nothing until it returns")
def _(patch: Patch) -> None:
    def submit(original: Callable[..., None], session: Any, *arguments: Any) -> None:
        dispatcher = session.dispatcher
        current = dispatcher.current if dispatcher is not None else None
        if current is not None and dispatcher.is_current_thread() and current.consumer.closed:
            raise IllegalStateException("the consumer of this listener is closed", "CONSUMER_CLOSED")
        original(session, *arguments)

    patch.at(fault_points.SEND_SUBMITTED, submit)
