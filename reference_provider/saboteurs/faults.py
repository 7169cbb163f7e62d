"""Small pieces that several saboteurs are made of."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from reference_provider.broker.delivery import Delivery
from reference_provider.broker.physical_destinations import PhysicalDestination
from reference_provider.broker.stored_message import StoredMessage
from reference_provider.client.producers import Options, ReferenceProducer
from reference_provider.client.sessions import ReferenceSession
from reference_provider.saboteurs.registry import Patch
from tck.api import Destination, Message, Session

AfterSend = Callable[[ReferenceProducer, Message, StoredMessage, Options], None]


def after_send(patch: Patch, fault: AfterSend) -> None:
    """Run `fault` at the end of each preparation of a send: the sender's message is stamped, the entry is frozen."""
    original = ReferenceProducer.prepare

    def prepare(
        self: ReferenceProducer, message: Message, destination: Destination, options: Options
    ) -> tuple[PhysicalDestination, StoredMessage]:
        place, entry = original(self, message, destination, options)
        fault(self, message, entry, options)
        return place, entry

    patch.replace(ReferenceProducer, "prepare", prepare)


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
    original = ReferenceProducer.prepare

    def prepare(
        self: ReferenceProducer, message: Message, destination: Destination, options: Options
    ) -> tuple[PhysicalDestination, StoredMessage]:
        preset = getattr(message, header) if when(self, message, options) else None
        place, entry = original(self, message, destination, options)
        if preset is not None:
            fault(self, message, entry, preset)
        return place, entry

    patch.replace(ReferenceProducer, "prepare", prepare)


def never_sent(message: Message) -> bool:
    """Whether no send has touched the message yet."""
    return message.jms_timestamp == 0 and message.jms_message_id is None


def as_received(patch: Patch, fault: Callable[[Message, Delivery], None]) -> None:
    """Run `fault` on each message object that is about to be given to a client."""
    original = ReferenceSession.message_of

    def message_of(self: ReferenceSession, delivery: Delivery) -> Message:
        message = original(self, delivery)
        fault(message, delivery)
        return message

    patch.replace(ReferenceSession, "message_of", message_of)


def received(patch: Patch, name: str, value: Callable[[Delivery], object]) -> None:
    """Have deliveries show another value for a header."""
    patch.replace(Delivery, name, property(value))


def before_commit(patch: Patch, fault: Callable[[ReferenceSession], None]) -> None:
    """Run `fault` before each commit of a transacted session."""
    original = ReferenceSession.commit

    def commit(self: ReferenceSession) -> None:
        if self.mode == Session.SESSION_TRANSACTED:
            fault(self)
        original(self)

    patch.replace(ReferenceSession, "commit", commit)


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
    original = ReferenceSession.submit

    def submit(self: ReferenceSession, place: PhysicalDestination, entry: StoredMessage) -> None:
        if self.mode != Session.SESSION_TRANSACTED:
            marked.add(entry)
        original(self, place, entry)

    patch.replace(ReferenceSession, "submit", submit)
    return marked
