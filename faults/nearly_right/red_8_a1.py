"""Red round 8, first half: faults of reliability, of common interfaces and of exceptions, written without sight of the suite.

Declared by `nearly_right`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from faults.kit.declaring import nearly_right
from faults.kit.patch import Patch
from reference_provider import fault_points
from reference_provider.broker.broker import Broker
from reference_provider.broker.delivery import Delivery
from reference_provider.broker.physical_destinations import PhysicalDestination, StoredDeliveryQueue
from reference_provider.broker.stored_message import StoredMessage
from reference_provider.broker.transactions import Work
from reference_provider.client.domain_specific import ReferencePublisher, ReferenceSender
from reference_provider.client.producers import ReferenceProducer
from reference_provider.client.sessions import ReferenceSession
from reference_provider.client.simplified import ReferenceJMSProducer
from reference_provider.client.temporary_destinations import TemporaryDestinations
from reference_provider.destinations import ReferenceDestination
from reference_provider.java import utf
from reference_provider.messages.bytes_message import ReferenceBytesMessage
from reference_provider.messages.message import ReferenceMessage
from reference_provider.server import Server
from tck.api import (
    OMITTED,
    DeliveryMode,
    InvalidDestinationException,
    JMSException,
    Message,
    MessageEOFException,
    ResourceAllocationException,
    TransactionRolledBackException,
    UnsupportedOperationException,
)

_LARGE = 100 * 1024


def _is_large(entry: StoredMessage) -> bool:
    body = entry.snapshot.body
    return isinstance(body, str | bytes) and len(body) > _LARGE


# --- 9 Reliability and common interfaces ------------------------------------------------------------------------------


@nearly_right(
    "large-message-in-the-place-of-a-consumed-one-is-not-stored",
    "a PERSISTENT message of more than 100 KiB does not survive the provider if a large one of its destination was consumed before",
    "9.1-1",
)
def _large_not_stored(patch: Patch) -> None:
    emptied: set[ReferenceDestination] = set()

    def remove_from_queue(original: Callable[[Delivery], None], delivery: Delivery) -> None:
        original(delivery)
        if _is_large(delivery.entry):
            emptied.add(delivery.source.physical.destination)

    def stores(
        original: Callable[..., bool],
        physical: PhysicalDestination,
        entry: StoredMessage,
        delivery_queues: list[StoredDeliveryQueue],
    ) -> bool:
        in_a_used_place = _is_large(entry) and physical.destination in emptied
        return original(physical, entry, delivery_queues) and not in_a_used_place

    patch.at(fault_points.REMOVED, remove_from_queue)
    patch.at(fault_points.STORED, stores)


@nearly_right(
    "message-consumed-by-a-transaction-that-sends-to-its-queue-comes-again",
    "what a transaction has received from a destination to which it also sends is delivered again after a restart",
    "9.1-2",
)
def _comes_again(patch: Patch) -> None:
    original = Work.statements

    def statements(self: Work) -> list[Any]:
        found = original(self)
        for ack in self.acks:
            if ack.stored and any(ack.source in delivery_queues for _, _, delivery_queues in self.routed_sends):
                found = [one for one in found if one not in ack.forget_statements()]
        return found

    patch.replace(Work, "statements", statements)


@nearly_right(
    "acknowledged-non-persistent-messages-come-again-after-a-severed-link",
    "the last NON_PERSISTENT messages that a client has acknowledged are delivered again if its link breaks afterwards",
    "9.1-3",
)
def _acknowledged_come_again(patch: Patch) -> None:
    on_the_way: dict[ReferenceSession, list[Delivery]] = {}

    def acknowledge_all(original: Callable[[ReferenceSession], None], session: ReferenceSession) -> None:
        session.state.acknowledge(on_the_way.pop(session, []), durable=False)
        with session.broker.lock:
            owed = session.state.unacknowledged
            kept_back = [one for one in owed if one.entry.delivery_mode == DeliveryMode.NON_PERSISTENT]
            session.state.unacknowledged = [one for one in owed if one not in kept_back]
        on_the_way[session] = kept_back
        original(session)

    def drop_unfinished(original: Callable[[ReferenceSession], None], session: ReferenceSession) -> None:
        kept_back = on_the_way.pop(session, [])
        if getattr(session.connection, "lost", None) is None:
            session.state.acknowledge(kept_back, durable=False)
        else:
            session.broker.redelivery.redeliver(kept_back)
        original(session)

    patch.at(fault_points.ACKNOWLEDGED, acknowledge_all)
    patch.at(fault_points.SESSION_ENDED, drop_unfinished)


@nearly_right(
    "null-destination-with-options-is-unsupported",
    "a QueueSender or TopicPublisher without destination refuses null with UnsupportedOperationException if delivery options follow",
    "9.2-27",
    "10.3-21",
)
def _null_unsupported(patch: Patch) -> None:
    original = ReferenceProducer.send

    def send(self: ReferenceProducer, message: Message, *, destination: Any = OMITTED, **options: Any) -> None:
        given = options.get("delivery_mode", OMITTED) is not OMITTED
        if given and destination is None and isinstance(self, ReferenceSender | ReferencePublisher):
            self.check_open()
            raise UnsupportedOperationException("the destination of the producer is null: name one with each send")
        original(self, message, destination=destination, **options)

    patch.replace(ReferenceProducer, "send", send)


# --- 10 Exceptions ----------------------------------------------------------------------------------------------------


@nearly_right(
    "commit-refused-by-a-destination-raises-its-own-exception",
    "a commit that is rolled back because a destination refuses a message raises ResourceAllocationException",
    "10.3-48",
    "10.3-49",
    noticed=False,
)
def _own_exception(patch: Patch) -> None:
    def commit(original: Callable[[ReferenceSession], None], session: ReferenceSession) -> None:
        try:
            original(session)
        except TransactionRolledBackException as error:
            if isinstance(error.linked_exception, ResourceAllocationException):
                raise error.linked_exception from None
            raise

    patch.at(fault_points.COMMIT, commit)


@nearly_right(
    "temporary-destination-that-ended-with-its-connection-takes-messages",
    "a send to a temporary destination whose connection was closed succeeds; after delete() it is refused",
    "10.3-23",
    "10.3-24",
)
def _takes_messages(patch: Patch) -> None:
    ended: set[ReferenceDestination] = set()
    delete_all = TemporaryDestinations.delete_all
    physical_destination = Broker.physical_destination

    def recording(self: TemporaryDestinations) -> None:
        ended.update(self._physical)
        delete_all(self)

    def recreating(self: Broker, destination: Any) -> PhysicalDestination:
        try:
            return physical_destination(self, destination)
        except InvalidDestinationException:
            for identity in ended:
                if identity == destination:
                    return self.add_physical_destination(identity, self.next_row(), temporary=True)
            raise

    patch.replace(TemporaryDestinations, "delete_all", recording)
    patch.replace(Broker, "physical_destination", recreating)


@nearly_right(
    "unknown-users-are-no-matter-of-security",
    "a user who is unknown is refused with a plain JMSException; one with a wrong password with JMSSecurityException",
    "10.3-15",
    "10.3-16",
    "10.3-17",
    "11.3.1-5",
)
def _unknown_users(patch: Patch) -> None:
    original = Server.authenticate

    def authenticate(self: Server, user: str | None, password: str | None) -> None:
        if self.users and user is not None and user not in self.users:
            raise JMSException(f"there is no user {user!r}", "NO_USER")
        original(self, user, password)

    patch.replace(Server, "authenticate", authenticate)


@nearly_right(
    "read-utf-beyond-the-end-gives-what-is-left",
    "readUTF of a bytes message returns a shorter text if fewer bytes are left than its length says",
    "10.3-28",
)
def _what_is_left(patch: Patch) -> None:
    original = ReferenceBytesMessage.read_utf

    def read_utf(self: ReferenceBytesMessage) -> str:
        try:
            return original(self)
        except MessageEOFException:
            left = self._data[self._position + 2 :]
            if not left:
                raise
            self._position = len(self._data)
            return utf.decode(left)

    patch.replace(ReferenceBytesMessage, "read_utf", read_utf)


@nearly_right(
    "producer-replaces-the-properties-of-a-received-message",
    "a JMSProducer with a property sends a received message that has a property of this name, with the producer's value",
    "10.3-43",
)
def _replaces(patch: Patch) -> None:
    def overlay(original: Callable[..., None], producer: ReferenceJMSProducer, message: Message) -> None:
        names = set(producer._carrier.get_property_names())
        if not isinstance(message, ReferenceMessage) or not names or not names <= message._properties.keys():
            original(producer, message)
            return
        writable, message._properties_writable = message._properties_writable, True
        try:
            original(producer, message)
        finally:
            message._properties_writable = writable

    patch.at(fault_points.PRODUCER_APPLIED, overlay)
