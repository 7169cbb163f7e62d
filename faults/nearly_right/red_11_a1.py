"""Red round 11, first part: what one object does to another, in messages, queues and browsers.

Declared by `nearly_right`; written without sight of the suite.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Generic, TypeVar

from faults.kit.common import around
from faults.kit.declaring import nearly_right
from faults.kit.patch import Patch
from reference_provider import fault_points
from reference_provider.broker.delivery import Delivery
from reference_provider.broker.physical_destinations import (
    NO_OVERRIDE,
    PhysicalDestination,
    PhysicalTopic,
)
from reference_provider.broker.redelivery import Redelivery
from reference_provider.broker.stored_message import Stamp, StoredMessage
from reference_provider.client.browsers import BrowsedMessages, ReferenceBrowser
from reference_provider.client.connections import ReferenceConnection
from reference_provider.client.producers import Options, ReferenceProducer
from reference_provider.client.session_state import SessionState
from reference_provider.client.sessions import ReferenceSession
from reference_provider.client.temporary_destinations import TemporaryDestinations
from reference_provider.messages.message import ReferenceMessage
from tck.api import OMITTED, Destination, InvalidDestinationException, JMSException, Message, Session

_T = TypeVar("_T")


class Notes(Generic[_T]):
    """Values by object identity; it keeps the objects alive, so that no identity is used twice."""

    def __init__(self) -> None:
        self._kept: dict[int, tuple[object, _T]] = {}

    def put(self, about: object, value: _T) -> None:
        """Note a value of an object."""
        self._kept[id(about)] = (about, value)

    def get(self, about: object) -> _T | None:
        """Return the value of an object, None if there is none."""
        found = self._kept.get(id(about))
        return None if found is None else found[1]

    def __contains__(self, about: object) -> bool:
        return id(about) in self._kept


# --- chapter 3 --------------------------------------------------------------------------------------------------------


@nearly_right(
    "header-set-on-a-browsed-copy-reaches-the-receiver",
    "JMSCorrelationID set on a message that a browser returned is on the message that a consumer receives later",
    "3.4.5-2",
    "4.1.6-1",
    "3.10-6",
)
def _browsed_copy(patch: Patch) -> None:
    shown: Notes[StoredMessage] = Notes()
    original: Any = ReferenceMessage.jms_correlation_id

    def message_of(made: Callable[..., Message], session: ReferenceSession, delivery: Delivery) -> Message:
        message = made(session, delivery)
        if isinstance(delivery.consumer, ReferenceBrowser):
            shown.put(message, delivery.entry)
        return message

    def change(message: ReferenceMessage, value: str | None) -> None:
        original.fset(message, value)
        entry = shown.get(message)
        if entry is not None:
            entry.snapshot = entry.snapshot._replace(correlation=value)

    patch.at(fault_points.MESSAGE_MADE, message_of)
    patch.replace(ReferenceMessage, "jms_correlation_id", property(original.fget, change))


@nearly_right(
    "second-send-in-a-transaction-rewrites-the-first",
    "a message object sent twice in one transaction and changed in between: the first message has the later contents",
    "3.9-4",
    "3.9-1",
    "3.9-2",
)
def _rewritten(patch: Patch) -> None:
    sent: Notes[Message] = Notes()

    def prepare(
        original: Callable[..., tuple[PhysicalDestination, StoredMessage]],
        producer: ReferenceProducer,
        message: Message,
        destination: Destination,
        options: Options,
    ) -> tuple[PhysicalDestination, StoredMessage]:
        physical, entry = original(producer, message, destination, options)
        state = producer.session.state
        if state.mode == Session.SESSION_TRANSACTED:
            for _, earlier in state.work.sends:
                if sent.get(earlier) is message:
                    earlier.snapshot = entry.snapshot
            sent.put(entry, message)
        return physical, entry

    patch.at(fault_points.SEND_PREPARED, prepare)


@nearly_right(
    "priority-override-of-one-queue-follows-the-producer",
    "a producer that sent to a queue with an administrator's priority sends with it to other queues from then on",
    "3.4.10-2",
    "7.4-2",
)
def _override_follows(patch: Patch) -> None:
    prescribed: Notes[int] = Notes()

    def stamp_for(
        original: Callable[..., Stamp], producer: ReferenceProducer, physical: PhysicalDestination, options: Options
    ) -> Stamp:
        stamp = original(producer, physical, options)
        if physical.override is NO_OVERRIDE:
            priority = prescribed.get(producer)
            return stamp if priority is None else stamp._replace(priority=priority)
        if physical.override.priority is not OMITTED:
            prescribed.put(producer, stamp.priority)
        return stamp

    patch.at(fault_points.HEADERS_COMPUTED, stamp_for)


@nearly_right(
    "failed-send-takes-the-reply-to",
    "a send to a destination that does not exist any more clears JMSReplyTo of the message, which is then sent elsewhere",
    "3.4.11-6",
    "3.4.6-1",
)
def _reply_to_taken(patch: Patch) -> None:
    def prepare(original: Callable[..., Any], producer: ReferenceProducer, message: Message, *others: object) -> Any:
        try:
            return original(producer, message, *others)
        except InvalidDestinationException:
            message.jms_reply_to = None
            raise

    patch.at(fault_points.SEND_PREPARED, prepare)


@nearly_right(
    "consumer-transaction-id-outlives-the-rollback",
    "a message that comes again after rollback has JMSXConsumerTXID of the transaction that was rolled back",
    "3.5.9-12",
)
def _old_transaction(patch: Patch) -> None:
    first: Notes[str] = Notes()

    def open_delivery(
        original: Callable[..., Delivery], state: SessionState, consumer: object, queue: Any, entry: StoredMessage
    ) -> Delivery:
        delivery = original(state, consumer, queue, entry)
        if delivery.transaction is not None:
            if entry not in first:
                first.put(entry, delivery.transaction)
            delivery.transaction = first.get(entry)
        return delivery

    patch.at(fault_points.HANDED_OVER, open_delivery)


@nearly_right(
    "redelivery-releases-delayed-messages",
    "recover or rollback of a message makes all delayed messages of its queue visible before their delivery time",
    "3.4.13-6",
    "7.9-3",
    "3.4.13-7",
)
def _released(patch: Patch) -> None:
    def redeliver(original: Callable[..., None], redelivery: Redelivery, deliveries: Sequence[Delivery]) -> None:
        original(redelivery, deliveries)
        broker: Any = redelivery._broker
        with broker.lock:
            for queue in {one.source for one in deliveries}:
                early = sorted(
                    broker.schedule.waiting_for(queue), key=lambda entry: (entry.delivery_time, entry.number)
                )
                broker.schedule.drop(queue)
                for entry in early:
                    broker.offer(queue, entry)

    patch.at(fault_points.REDELIVERED, redeliver)


# --- chapter 4 --------------------------------------------------------------------------------------------------------


@nearly_right(
    "closed-publisher-takes-its-messages-along",
    "closing a connection removes the messages that it published and that wait in non-durable subscriptions of others",
    "4.2.1-2",
    "4.2.11-4",
    "8.3.1-7",
)
def _taken_along(patch: Patch) -> None:
    def close(original: Callable[..., None], connection: ReferenceConnection) -> None:
        original(connection)
        with connection.broker.lock:
            for physical in connection.broker.physical_destinations():
                for one in physical.subscriptions if isinstance(physical, PhysicalTopic) else []:
                    queue = one.delivery_queue
                    for entry in list(queue.free_entries()):
                        if not one.durable and entry.sender == connection.identity:
                            queue.remove(entry.number, entry.priority)

    patch.at(fault_points.CONNECTION_CLOSED, close)


@nearly_right(
    "refused-delete-shuts-other-connections-out",
    "a delete of a temporary queue that fails, because it has a receiver, makes sends of other connections to it fail",
    "4.1.5-7",
    "6.2.2-5",
)
def _shut_out(patch: Patch) -> None:
    refused: set[Destination] = set()

    def delete(original: Callable[..., None], temporaries: TemporaryDestinations, destination: Destination) -> None:
        try:
            original(temporaries, destination)
        except JMSException:
            refused.add(destination)
            raise

    def physical_destination(
        original: Callable[..., PhysicalDestination], producer: ReferenceProducer, destination: Destination
    ) -> PhysicalDestination:
        physical = original(producer, destination)
        if destination in refused and physical.destination not in producer.session.connection.temporaries._physical:
            raise InvalidDestinationException(f"{destination} is about to be deleted")
        return physical

    around(patch, TemporaryDestinations, "delete", delete)
    around(patch, ReferenceProducer, "physical_destination", physical_destination)


@nearly_right(
    "closing-a-browser-ends-the-enumeration-of-another",
    "closing a browser ends open enumerations of other browsers of the session on that queue before the last message",
    "4.1.6-4",
    "4.1.6-10",
)
def _enumeration_ends(patch: Patch) -> None:
    enumerations: list[BrowsedMessages] = []

    def get_enumeration(original: Callable[..., Any], browser: ReferenceBrowser) -> Any:
        made = original(browser)
        enumerations.append(made)
        return made

    def close(original: Callable[..., None], browser: ReferenceBrowser) -> None:
        original(browser)
        for one in enumerations:
            other: Any = one._browser
            if other.session is browser.session and other._physical is browser._physical:
                one._seen = iter([])

    around(patch, ReferenceBrowser, "get_enumeration", get_enumeration)
    around(patch, ReferenceBrowser, "close", close)
