"""Small pieces that several saboteurs are made of."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

from reference_provider import fault_points
from reference_provider.broker.delivery import Delivery
from reference_provider.broker.physical_destinations import PhysicalDestination
from reference_provider.broker.stored_message import StoredMessage
from reference_provider.client.connections import ReferenceConnection
from reference_provider.client.consumer_factory import ConsumerFactory
from reference_provider.client.consumers import ReferenceConsumer
from reference_provider.client.dispatch import Dispatcher
from reference_provider.client.producers import Options, ReferenceProducer
from reference_provider.client.sessions import ReferenceSession
from reference_provider.saboteurs.registry import Patch
from tck.api import Destination, Message, Session

AfterSend = Callable[[ReferenceProducer, Message, StoredMessage, Options], None]
Prepare = Callable[[ReferenceProducer, Message, Destination, Options], tuple[PhysicalDestination, StoredMessage]]
Submit = Callable[[ReferenceSession, PhysicalDestination, StoredMessage], None]


def after_send(patch: Patch, fault: AfterSend) -> None:
    """Run `fault` at the end of each preparation of a send: the sender's message is stamped, the entry is frozen."""

    def prepare(
        original: Prepare, producer: ReferenceProducer, message: Message, destination: Destination, options: Options
    ) -> tuple[PhysicalDestination, StoredMessage]:
        physical, entry = original(producer, message, destination, options)
        fault(producer, message, entry, options)
        return physical, entry

    patch.at(fault_points.SEND_PREPARED, prepare)


def with_preset(
    patch: Patch,
    header: str,
    fault: Callable[[ReferenceProducer, Message, StoredMessage, Any], None],
    *,
    when: Callable[[ReferenceProducer, Message, Options], bool],
) -> None:
    """Run `fault` after a send whose message carried a telling value in `header` beforehand; it is given the value.

    A message that was sent before carries what that send left in it; only messages never sent count.
    """

    def prepare(
        original: Prepare, producer: ReferenceProducer, message: Message, destination: Destination, options: Options
    ) -> tuple[PhysicalDestination, StoredMessage]:
        preset = getattr(message, header) if when(producer, message, options) else None
        physical, entry = original(producer, message, destination, options)
        if preset is not None:
            fault(producer, message, entry, preset)
        return physical, entry

    patch.at(fault_points.SEND_PREPARED, prepare)


def never_sent(message: Message) -> bool:
    """Whether no send has touched the message yet."""
    return message.jms_timestamp == 0 and message.jms_message_id is None


def as_received(patch: Patch, fault: Callable[[Message, Delivery], None]) -> None:
    """Run `fault` on each message object that is about to be given to a client."""

    def message_of(
        original: Callable[[ReferenceSession, Delivery], Message], session: ReferenceSession, delivery: Delivery
    ) -> Message:
        message = original(session, delivery)
        fault(message, delivery)
        return message

    patch.at(fault_points.MESSAGE_MADE, message_of)


def received(patch: Patch, name: str, value: Callable[[Delivery], object]) -> None:
    """Have deliveries show another value for a header."""
    patch.replace(Delivery, name, property(value))


def before_commit(patch: Patch, fault: Callable[[ReferenceSession], None]) -> None:
    """Run `fault` before each commit of a transacted session."""

    def commit(original: Callable[[ReferenceSession], None], session: ReferenceSession) -> None:
        if session.mode == Session.SESSION_TRANSACTED:
            fault(session)
        original(session)

    patch.at(fault_points.COMMIT, commit)


def session_of(part: ReferenceConsumer | Dispatcher) -> ReferenceSession:
    """Return the session of a consumer or dispatcher, with all that faults reach for."""
    return cast("ReferenceSession", part.session)


def connection_of(part: ReferenceSession | ConsumerFactory) -> ReferenceConnection:
    """Return the connection of a session or consumer factory, with all that faults reach for."""
    return cast("ReferenceConnection", part.connection)


class Marked:
    """Entries remembered by identity; kept alive, so that no identity is used twice."""

    def __init__(self) -> None:
        self._entries: dict[int, StoredMessage] = {}

    def add(self, entry: StoredMessage) -> None:
        """Remember an entry."""
        self._entries[id(entry)] = entry

    def __contains__(self, entry: StoredMessage) -> bool:
        return id(entry) in self._entries


def sent_outside_transactions(patch: Patch) -> Marked:
    """Remember what sessions that are not transacted send."""
    marked = Marked()

    def submit(
        original: Submit, session: ReferenceSession, physical: PhysicalDestination, entry: StoredMessage
    ) -> None:
        if session.mode != Session.SESSION_TRANSACTED:
            marked.add(entry)
        original(session, physical, entry)

    patch.at(fault_points.SEND_SUBMITTED, submit)
    return marked
