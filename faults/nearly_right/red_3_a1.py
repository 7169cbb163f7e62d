"""Red round 3a, second part: faults of objects used again, asynchronous sends, listeners and groups."""

from __future__ import annotations

from typing import Any

from faults.kit.declaring import nearly_right
from faults.kit.patch import Patch
from reference_provider.broker.delivery import Delivery
from reference_provider.broker.physical_destinations import Override
from reference_provider.client import producers
from reference_provider.client.producers import ReferenceProducer
from reference_provider.client.sessions import ReferenceSession
from reference_provider.messages.message import ReferenceMessage
from reference_provider.messages.stream_message import ReferenceStreamMessage
from tck.api import OMITTED, Int, Session, Topic


def _on_asynchronous_prepare(patch: Patch, header: str, *, foreign_only: bool) -> None:
    """Leave one header of the sender's message as it was when it is sent asynchronously."""
    send_later, prepare = ReferenceProducer.send_later, ReferenceProducer.prepare
    asynchronous: set[int] = set()

    def later(self: ReferenceProducer, *arguments: Any) -> None:
        asynchronous.add(id(self))
        try:
            send_later(self, *arguments)
        finally:
            asynchronous.discard(id(self))

    def prepared(self: ReferenceProducer, message: Any, destination: Any, options: Any) -> Any:
        before = getattr(message, header, None)
        made = prepare(self, message, destination, options)
        if id(self) in asynchronous and not (foreign_only and isinstance(message, ReferenceMessage)):
            setattr(message, header, before)
        return made

    patch.replace(ReferenceProducer, "send_later", later)
    patch.replace(ReferenceProducer, "prepare", prepared)


@nearly_right(
    "asynchronous-send-leaves-expiration",
    "after an asynchronous send JMSExpiration of the sender's message is what it was before",
    "3.4.11-2",
    "3.4.9-1",
)
def _no_expiration(patch: Patch) -> None:
    _on_asynchronous_prepare(patch, "jms_expiration", foreign_only=False)


@nearly_right(
    "asynchronous-send-leaves-foreign-id",
    "an asynchronous send does not set JMSMessageID on a message of another implementation",
    "3.4.11-9",
    "3.4.11-2",
)
def _foreign_id(patch: Patch) -> None:
    """Seen in clients that send a copy of a foreign message and write headers back in the synchronous path only."""
    _on_asynchronous_prepare(patch, "jms_message_id", foreign_only=True)


@nearly_right(
    "failed-listener-gets-its-own-changes",
    "a message that is delivered again because its listener failed has the body the listener left",
    "3.10-4",
)
def _own_changes(patch: Patch) -> None:
    """Seen in ActiveMQ: the client delivers the same message object once more."""
    original = ReferenceSession.message_of
    last: dict[ReferenceSession, tuple[Delivery, ReferenceMessage]] = {}

    def message_of(self: ReferenceSession, delivery: Delivery) -> Any:
        message: Any = original(self, delivery)
        if self.dispatcher is None or self.dispatcher.current is not delivery:
            return message
        if self in last and last[self][0] is delivery:
            message._restore_body(last[self][1]._frozen_body())
        last[self] = delivery, message
        return message

    patch.replace(ReferenceSession, "message_of", message_of)


@nearly_right(
    "stream-not-reset-after-rollback",
    "a stream message that a transaction gives back is redelivered to its session where reading had stopped",
    "3.11-11",
)
def _not_reset(patch: Patch) -> None:
    """Seen in clients that keep the message object; snowdrop/spring-cloud-stream-binder-artemis #13 works around it."""
    original = ReferenceSession.message_of
    read: dict[tuple[ReferenceSession, Any], Any] = {}

    def message_of(self: ReferenceSession, delivery: Delivery) -> Any:
        message = original(self, delivery)
        if isinstance(message, ReferenceStreamMessage) and self.mode == Session.SESSION_TRANSACTED:
            previous = read.get((self, delivery.entry))
            if previous is not None:
                message._position = previous._position
            read[self, delivery.entry] = message
        return message

    patch.replace(ReferenceSession, "message_of", message_of)


@nearly_right(
    "topic-copies-share-their-properties",
    "clearProperties of a message received from a topic empties the properties of all other copies",
    "3.5.3-1",
    "3.10-5",
)
def _shared_properties(patch: Patch) -> None:
    """Seen in ActiveMQ with the vm transport, where all consumers of a topic share one unmarshalled message."""
    restore, clear_properties = ReferenceMessage.restore, ReferenceMessage.clear_properties

    def share(self: ReferenceMessage, snapshot: Any, delivery: Any, model: Any) -> None:
        restore(self, snapshot, delivery, model)
        if isinstance(delivery.destination, Topic):
            self._properties = snapshot.properties

    def clear(self: ReferenceMessage) -> None:
        self._properties.clear()
        clear_properties(self)

    patch.replace(ReferenceMessage, "restore", share)
    patch.replace(ReferenceMessage, "clear_properties", clear)


@nearly_right(
    "override-of-zero-ignored",
    "an administrator's priority 0 or time to live 0 counts as no prescription",
    "3.4.12-2",
)
def _zero_ignored(patch: Patch) -> None:
    original = producers.overridden

    def overridden(override: Override, options: Any) -> Any:
        names = ("delivery_mode", "priority", "time_to_live", "delivery_delay")
        values = {name: getattr(override, name) for name in names}
        effective = {name: OMITTED if value is OMITTED or not value else value for name, value in values.items()}
        return original(Override(**effective), options)

    patch.replace(producers, "overridden", overridden)


@nearly_right("group-sequence-zero-is-none", "a JMSXGroupSeq of 0 does not arrive", "3.5.9-5")
def _no_sequence(patch: Patch) -> None:
    """Around ARTEMIS-2142 (apache/artemis #2387, #2418): converters confuse group sequence 0 with none."""
    original = ReferenceMessage.restore

    def restore(self: ReferenceMessage, snapshot: Any, delivery: Any, model: Any) -> None:
        original(self, snapshot, delivery, model)
        if self._properties.get("JMSXGroupSeq") == Int(0):
            del self._properties["JMSXGroupSeq"]

    patch.replace(ReferenceMessage, "restore", restore)


@nearly_right(
    "producer-transaction-of-first-send",
    "a message sent again in a later transaction keeps the JMSXProducerTXID of the first",
    "3.5.9-11",
)
def _first_transaction(patch: Patch) -> None:
    original = producers.assign_send_properties  # type: ignore[attr-defined]
    name = "JMSXProducerTXID"

    def assign(message: Any, properties: Any) -> None:
        if isinstance(message, ReferenceMessage) and name in properties and name in message._provider_properties:
            properties = {**properties, name: message._provider_properties[name]}
        original(message, properties)

    patch.replace(producers, "assign_send_properties", assign)


@nearly_right(
    "transaction-sends-object-as-last-seen",
    "an object sent several times in one transaction arrives each time with its last contents",
    "3.9-1",
    "3.9-2",
    "3.9-4",
)
def _last_seen(patch: Patch) -> None:
    """Seen in clients that collect references to messages until commit instead of copies."""
    original = ReferenceProducer.freeze
    sent: dict[Any, list[tuple[Any, Any]]] = {}  # by transaction

    def freeze(self: ReferenceProducer, message: Any, stamp: Any, properties: Any) -> Any:
        entry = original(self, message, stamp, properties)
        state = self.session.state
        if state.mode == Session.SESSION_TRANSACTED:
            for earlier, same in sent.setdefault(state.work, []):
                if earlier is message:
                    same.snapshot = entry.snapshot
            sent[state.work].append((message, entry))
        return entry

    patch.replace(ReferenceProducer, "freeze", freeze)


@nearly_right(
    "no-timestamp-never-expires",
    "a message of a producer that disables timestamps has no JMSExpiration and never expires",
    "3.4.9-1",
)
def _no_timestamp(patch: Patch) -> None:
    """As ActiveMQSession.send of ActiveMQ 5: the expiration is computed only if timestamps are not disabled."""
    original = ReferenceProducer.expiration

    def expiration(self: ReferenceProducer, now: int, time_to_live: int) -> int:
        return 0 if self._disable_message_timestamp else original(self, now, time_to_live)

    patch.replace(ReferenceProducer, "expiration", expiration)
