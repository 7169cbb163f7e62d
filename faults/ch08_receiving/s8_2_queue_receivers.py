"""Faults in 8.2: consumers of a queue."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from typing import Any

from faults.kit.common import around, null_refused, session_of
from faults.kit.declaring import nearly_right, saboteur
from faults.kit.patch import Patch
from faults.kit.subscriptions import put_again
from reference_provider import fault_points
from reference_provider.broker.delivery import Delivery
from reference_provider.broker.physical_destinations import PhysicalQueue
from reference_provider.broker.stored_message import StoredMessage
from reference_provider.client.consumers import ReferenceConsumer, ReferenceReceiver
from reference_provider.client.context import ReferenceContext
from reference_provider.client.domain_specific import ReferenceQueueSession
from reference_provider.client.session_state import SessionState
from reference_provider.client.sessions import ReferenceSession
from tck.api import Queue, Session


def _leaves_one(patch: Patch, wanted: Callable[[ReferenceConsumer], bool]) -> None:
    """Put the third message back that a consumer of a queue received in AUTO_ACKNOWLEDGE, once it is closed."""
    settled: defaultdict[object, list[StoredMessage]] = defaultdict(list)

    def settle(original: Callable[[SessionState, Delivery], None], state: SessionState, delivery: Delivery) -> None:
        original(state, delivery)
        if state.mode == Session.AUTO_ACKNOWLEDGE:
            settled[delivery.consumer].append(delivery.entry)

    def detach(original: Callable[[ReferenceConsumer], None], consumer: ReferenceConsumer) -> None:
        if len(settled[consumer]) == 3 and isinstance(consumer.receiver.physical, PhysicalQueue) and wanted(consumer):
            put_again(consumer.receiver, settled[consumer][-1:])
        original(consumer)

    patch.at(fault_points.SETTLED, settle)
    patch.at(fault_points.CONSUMER_CLOSED, detach)


def _leaves_the_last(patch: Patch, wanted: Callable[[ReferenceConsumer], bool]) -> None:
    """Put the last message back that a consumer of a queue received, once it is closed."""
    last: dict[object, StoredMessage] = {}

    def remove(original: Callable[[Delivery], None], delivery: Delivery) -> None:
        original(delivery)
        last[delivery.consumer] = delivery.entry

    def detach(original: Callable[[ReferenceConsumer], None], consumer: ReferenceConsumer) -> None:
        if consumer in last and isinstance(consumer.receiver.physical, PhysicalQueue) and wanted(consumer):
            put_again(consumer.receiver, [last[consumer]])
        original(consumer)

    patch.at(fault_points.REMOVED, remove)
    patch.at(fault_points.CONSUMER_CLOSED, detach)


def _of_contexts(patch: Patch) -> set[ReferenceSession]:
    """Return the sessions of contexts that have consumers, kept up to date."""
    sessions = set[ReferenceSession]()

    def create(original: Callable[..., Any], context: ReferenceContext, *arguments: Any, **named: Any) -> Any:
        sessions.add(context.session)
        return original(context, *arguments, **named)

    around(patch, ReferenceContext, "create_consumer", create)
    return sessions


@saboteur("8.2-1", "the last message that a MessageConsumer receives is on the queue again later")
def _(patch: Patch) -> None:
    contexts = _of_contexts(patch)
    _leaves_the_last(
        patch, lambda consumer: session_of(consumer) not in contexts and not isinstance(consumer, ReferenceReceiver)
    )


@nearly_right(
    "third-message-of-a-selecting-consumer-is-back",
    "the third message that a MessageConsumer with a selector receives is on the queue again later",
    "8.2-1",
)
def _(patch: Patch) -> None:
    contexts = _of_contexts(patch)
    _leaves_one(
        patch,
        lambda consumer: (
            consumer.receiver.selector is not None
            and session_of(consumer) not in contexts
            and not isinstance(consumer, ReferenceReceiver)
        ),
    )


@saboteur("8.2-2", "the last message that a JMSConsumer receives is on the queue again later")
def _(patch: Patch) -> None:
    contexts = _of_contexts(patch)
    _leaves_the_last(patch, lambda consumer: session_of(consumer) in contexts)


@nearly_right(
    "third-message-of-a-selecting-jms-consumer-is-back",
    "the third message that a JMSConsumer with a selector receives is on the queue again later",
    "8.2-2",
)
def _(patch: Patch) -> None:
    contexts = _of_contexts(patch)
    _leaves_one(patch, lambda consumer: consumer.receiver.selector is not None and session_of(consumer) in contexts)


@saboteur(
    "8.2-3",
    "the last message that a QueueReceiver receives is on the queue again later",
    collateral=dict.fromkeys(("8.2-4", "8.2-9"), "its receivers take messages off a queue"),
)
def _(patch: Patch) -> None:
    _leaves_the_last(patch, lambda consumer: isinstance(consumer, ReferenceReceiver))


@nearly_right(
    "third-message-of-a-receiver-is-back",
    "the third message that a QueueReceiver without a selector receives is on the queue again later",
    "8.2-3",
)
def _(patch: Patch) -> None:
    _leaves_one(patch, lambda consumer: consumer.receiver.selector is None and isinstance(consumer, ReferenceReceiver))


def _received(
    patch: Patch, wanted: Callable[[object], bool], matches: Callable[[object], bool] | None, *, least: int = 0
) -> None:
    """Let receivers with some selectors of a queue that has so many messages choose by `matches`."""

    def create(
        original: Callable[..., Any], session: ReferenceQueueSession, queue: Queue, *selector: Any, **named: Any
    ) -> Any:
        made = original(session, queue, *selector, **named)
        given = [*selector, *named.values()]
        if given and wanted(given[0]) and len(made.receiver.delivery_queue) >= least:
            made.receiver.matches = matches
        return made

    around(patch, ReferenceQueueSession, "create_receiver", create)


@saboteur("8.2-4", "createReceiver() ignores its selector")
def _(patch: Patch) -> None:
    _received(patch, bool, None)


@nearly_right(
    "receiver-of-a-filled-queue-ignores-its-selector",
    "createReceiver() ignores its selector if the queue has five messages or more already",
    "8.2-4",
)
def _(patch: Patch) -> None:
    _received(patch, bool, None, least=5)


@saboteur("8.2-9", "createReceiver() takes the empty string for a selector that never matches")
def _(patch: Patch) -> None:
    _received(patch, lambda selector: isinstance(selector, str) and not selector, lambda _: False)


@nearly_right(
    "empty-selector-never-matches-on-a-filled-queue",
    "createReceiver() takes the empty string for a selector that never matches on a queue of five messages",
    "8.2-9",
)
def _(patch: Patch) -> None:
    _received(patch, lambda selector: isinstance(selector, str) and not selector, lambda _: False, least=5)


@saboteur("8.2-6", "getQueue() of a receiver returns null")
def _(patch: Patch) -> None:
    patch.replace(ReferenceReceiver, "queue", property(lambda self: None))


@saboteur("8.2-7", "createReceiver(null) raises NullPointerException")
def _(patch: Patch) -> None:
    null_refused(patch, ReferenceQueueSession, "create_receiver")
