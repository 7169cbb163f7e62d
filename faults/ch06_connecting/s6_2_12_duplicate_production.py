"""Faults in 6.2.12: one send makes two messages."""

from __future__ import annotations

from collections.abc import Callable

from faults.kit.common import after_send, before_commit
from faults.kit.copies import put_copy, send_copy
from faults.kit.declaring import nearly_right, saboteur
from faults.kit.patch import Patch
from reference_provider import fault_points
from reference_provider.broker.broker import Broker
from reference_provider.broker.delivery import Delivery
from reference_provider.broker.physical_destinations import (
    PhysicalDestination,
    PhysicalQueue,
    PhysicalTopic,
    StoredDeliveryQueue,
)
from reference_provider.broker.stored_message import StoredMessage
from reference_provider.client.completions import Completion, Completions
from reference_provider.client.connections import ReferenceConnection
from reference_provider.client.consumers import ReferenceConsumer
from reference_provider.client.producers import Options, ReferenceProducer
from reference_provider.client.sessions import ReferenceSession
from tck.api import Message, Session


@saboteur(
    "6.2.12-1",
    "the first message of a queue that is acknowledged is dispatched once more",
    collateral={"6.2.12-4": "its receiver acknowledges messages of a queue and then looks for second ones"},
)
def _(patch: Patch) -> None:
    _dispatched_again(patch, 1)


@nearly_right(
    "four-consumers-get-a-message-twice",
    "the first message acknowledged while a queue has more than three consumers is dispatched once more",
    "6.2.12-1",
)
def _(patch: Patch) -> None:
    _dispatched_again(patch, 4)


def _dispatched_again(patch: Patch, consumers: int) -> None:
    """Dispatch a message once more when it is acknowledged, the first of a queue that has so many consumers."""
    doubled: set[PhysicalDestination] = set()

    def remove_from_queue(original: Callable[..., None], delivery: Delivery) -> None:
        original(delivery)
        physical = delivery.source.physical
        if not isinstance(physical, PhysicalQueue) or physical.consumers < consumers or physical in doubled:
            return
        if isinstance(delivery.consumer, ReferenceConsumer):
            doubled.add(physical)
            put_copy(delivery.consumer.session.broker, delivery.source, delivery.entry)

    patch.at(fault_points.REMOVED, remove_from_queue)


@saboteur(
    "6.2.12-2",
    "each subscription of a topic gets each message twice",
    collateral=dict.fromkeys(("6.2.12-3", "6.2.12-4"), "some of its cases receive what was sent to a topic"),
)
def _(patch: Patch) -> None:
    _arrives_twice(patch, lambda _physical, _delivery_queue: True)


@nearly_right(
    "durable-subscription-beside-others-gets-messages-twice",
    "a durable subscription beside three others of its topic gets each message twice",
    "6.2.12-2",
)
def _(patch: Patch) -> None:
    _arrives_twice(patch, lambda physical, delivery_queue: delivery_queue.in_file and len(physical.subscriptions) > 3)


def _arrives_twice(patch: Patch, applies: Callable[[PhysicalTopic, StoredDeliveryQueue], bool]) -> None:
    """Let messages reach some subscriptions of topics twice."""

    def offer(
        original: Callable[..., None], broker: Broker, delivery_queue: StoredDeliveryQueue, entry: StoredMessage
    ) -> None:
        original(broker, delivery_queue, entry)
        physical = delivery_queue.physical
        if isinstance(physical, PhysicalTopic) and not delivery_queue.gone and applies(physical, delivery_queue):
            put_copy(broker, delivery_queue, entry)

    patch.at(fault_points.OFFERED, offer)


@saboteur("6.2.12-3", "the loss of a link repeats the last send of each session, or the last of its last commit")
def _(patch: Patch) -> None:
    sent: dict[ReferenceSession, StoredMessage] = {}

    def submit(
        original: Callable[..., None], session: ReferenceSession, physical: PhysicalDestination, entry: StoredMessage
    ) -> None:
        original(session, physical, entry)
        if session.mode != Session.SESSION_TRANSACTED:
            sent[session] = entry

    def committed(session: ReferenceSession) -> None:
        sent.update((session, entry) for _, entry in session.state.work.sends[-1:])

    def sever(original: Callable[..., None], connection: ReferenceConnection, why: str) -> None:
        sessions = list(connection.sessions)
        original(connection, why)
        for session in sessions:
            if session in sent:
                send_copy(session.broker, sent[session])

    before_commit(patch, committed)
    patch.at(fault_points.SEND_SUBMITTED, submit)
    patch.at(fault_points.LINK_LOST, sever)


@nearly_right(
    "lost-link-repeats-the-last-of-many-sends",
    "the loss of a link repeats the last of more than four sends of each session that is not transacted",
    "6.2.12-3",
)
def _(patch: Patch) -> None:
    sent: dict[ReferenceSession, tuple[int, StoredMessage]] = {}

    def submit(
        original: Callable[..., None], session: ReferenceSession, physical: PhysicalDestination, entry: StoredMessage
    ) -> None:
        original(session, physical, entry)
        if session.mode != Session.SESSION_TRANSACTED:
            sent[session] = (sent[session][0] + 1 if session in sent else 1, entry)

    def sever(original: Callable[..., None], connection: ReferenceConnection, why: str) -> None:
        sessions = list(connection.sessions)
        original(connection, why)
        for session in sessions:
            count, entry = sent.get(session, (0, None))
            if count > 4 and entry is not None:
                send_copy(session.broker, entry)

    patch.at(fault_points.SEND_SUBMITTED, submit)
    patch.at(fault_points.LINK_LOST, sever)


@saboteur("6.2.12-4", "an exception of a completion listener makes the library send the message again")
def _(patch: Patch) -> None:
    sent: dict[int, tuple[Message, Broker, StoredMessage]] = {}

    def remember(producer: ReferenceProducer, message: Message, entry: StoredMessage, _options: Options) -> None:
        sent[id(message)] = (message, producer.session.broker, entry)

    def call_listener(original: Callable[..., None], completions: Completions, completion: Completion) -> None:
        if completion.error is not None:
            original(completions, completion)
            return
        try:
            completion.listener.on_completion(completion.message)
        except Exception:  # noqa: BLE001 # the client's listener failed
            _, broker, entry = sent[id(completion.message)]
            send_copy(broker, entry)

    after_send(patch, remember)
    patch.at(fault_points.COMPLETION_CALLED, call_listener)
