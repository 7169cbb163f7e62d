"""Faults in 3.4 to 3.4.3 and 3.4.5 to 3.4.8: destination, mode, ids, reply-to, redelivered, type."""

from __future__ import annotations

import dataclasses
import itertools
from typing import Any

from reference_provider.broker.delivery import Delivery
from reference_provider.broker.stored_message import Stamp, StoredMessage
from reference_provider.client import producers
from reference_provider.client.producers import Options, ReferenceProducer
from reference_provider.client.session_factories import SessionConnection
from reference_provider.client.sessions import ReferenceSession
from reference_provider.destinations import ReferenceQueue, ReferenceTopic
from reference_provider.messages import ReferenceMessage
from reference_provider.saboteurs.faults import after_send, as_received, never_sent, received, with_preset
from reference_provider.saboteurs.registry import Patch, saboteur
from tck.api import DeliveryMode, Destination, Message, Session

SENDERS_ID = "the case reads the id on the sender's message"
SENDERS_DESTINATION = "the case reads JMSDestination on the sender's message"


@saboteur("3.4-1", "JMSCorrelationID is delivered to the first who sees the message only")
def _(patch: Patch) -> None:
    seen: dict[int, StoredMessage] = {}

    def fault(message: Message, delivery: Delivery) -> None:
        if id(delivery.entry) in seen:
            message.jms_correlation_id = None
        seen[id(delivery.entry)] = delivery.entry

    as_received(patch, fault)


@saboteur("3.4.1-1", "the producer routes by a JMSDestination that was set on the message")
def _(patch: Patch) -> None:
    original = ReferenceProducer.prepare

    def prepare(self: ReferenceProducer, message: Message, destination: Destination, options: Options) -> Any:
        preset = message.jms_destination if never_sent(message) else None
        return original(self, message, preset or destination, options)

    patch.replace(ReferenceProducer, "prepare", prepare)


@saboteur("3.4.1-2", "JMSDestination stays null on the sender's message", collateral={"3.4.1-1": SENDERS_DESTINATION})
def _(patch: Patch) -> None:
    def fault(sender: ReferenceProducer, message: Message, entry: StoredMessage, options: Options) -> None:
        message.jms_destination = None

    after_send(patch, fault)


@saboteur("3.4.1-3", "messages received from a topic report a queue of the same name")
def _(patch: Patch) -> None:
    def destination(delivery: Delivery) -> Destination:
        sent_to = delivery.entry.destination
        return ReferenceQueue(sent_to.name) if isinstance(sent_to, ReferenceTopic) else sent_to

    received(patch, "destination", destination)


@saboteur("3.4.2-1", "a delivery mode set on the message wins over the producer's")
def _(patch: Patch) -> None:
    def fault(sender: ReferenceProducer, message: Message, entry: StoredMessage, preset: int) -> None:
        entry.delivery_mode = message.jms_delivery_mode = preset

    def when(sender: ReferenceProducer, message: Message, options: Options) -> bool:
        return never_sent(message) and message.jms_delivery_mode != Message.DEFAULT_DELIVERY_MODE

    with_preset(patch, "jms_delivery_mode", fault, when=when)


@saboteur("3.4.2-2", "a delivery mode given as an argument is ignored in favour of the producer's")
def _(patch: Patch) -> None:
    original = ReferenceProducer.options

    def options(self: ReferenceProducer, delivery_mode: Any, priority: Any, time_to_live: Any) -> Options:
        chosen = original(self, delivery_mode, priority, time_to_live)
        return dataclasses.replace(chosen, delivery_mode=self.delivery_mode)

    patch.replace(ReferenceProducer, "options", options)


@saboteur(
    "3.4.2-3",
    "every received message reports PERSISTENT",
    collateral={"3.4.2-1": "the case reads the mode at the receiver too"},
)
def _(patch: Patch) -> None:
    received(patch, "delivery_mode", lambda delivery: DeliveryMode.PERSISTENT)


@saboteur("3.4.3-1", "an id supplied by the client is kept")
def _(patch: Patch) -> None:
    def fault(sender: ReferenceProducer, message: Message, entry: StoredMessage, preset: str) -> None:
        entry.message_id = message.jms_message_id = preset

    def when(sender: ReferenceProducer, message: Message, options: Options) -> bool:
        return message.jms_timestamp == 0

    with_preset(patch, "jms_message_id", fault, when=when)


@saboteur(
    "3.4.3-2",
    "the id is given by the broker and stays null on the sender's message",
    collateral=dict.fromkeys(("3.4.3-1", "3.4.3-3", "3.4.3-4", "3.4.3-5", "3.4.3-7"), SENDERS_ID),
)
def _(patch: Patch) -> None:
    def fault(sender: ReferenceProducer, message: Message, entry: StoredMessage, options: Options) -> None:
        message.jms_message_id = None

    after_send(patch, fault)


def _other_ids(patch: Patch, make: Any) -> None:  # a function of the producer
    original = ReferenceProducer.message_id

    def message_id(self: ReferenceProducer) -> str | None:
        given = original(self)
        return None if given is None else str(make(self, given))

    patch.replace(ReferenceProducer, "message_id", message_id)


@saboteur("3.4.3-3", "ids lack the prefix")
def _(patch: Patch) -> None:
    _other_ids(patch, lambda sender, given: given.removeprefix("ID:"))


@saboteur("3.4.3-4", "the id counter starts again for each session of a connection")
def _(patch: Patch) -> None:
    counters: dict[int, tuple[object, Any]] = {}

    def make(sender: ReferenceProducer, given: str) -> str:
        _, counter = counters.setdefault(id(sender.session), (sender.session, itertools.count(1)))
        return f"ID:{sender.session.connection.identity}-{next(counter)}"

    _other_ids(patch, make)


@saboteur("3.4.3-5", "the id is a slot of the connection and a counter, and slots are used again")
def _(patch: Patch) -> None:
    slots: dict[int, tuple[SessionConnection, int, Any]] = {}

    def make(sender: ReferenceProducer, given: str) -> str:
        connection = sender.session.connection
        for key, (other, _, _) in list(slots.items()):
            if other.is_down():
                del slots[key]
        if id(connection) not in slots:
            used = {slot for _, slot, _ in slots.values()}
            free = next(slot for slot in itertools.count(1) if slot not in used)
            slots[id(connection)] = (connection, free, itertools.count(1))
        _, slot, counter = slots[id(connection)]
        return f"ID:client{slot}-{next(counter)}"

    _other_ids(patch, make)


@saboteur("3.4.3-7", "the receiving client makes an id of its own")
def _(patch: Patch) -> None:
    numbers = itertools.count(1)
    received(
        patch,
        "message_id",
        lambda delivery: None if delivery.entry.message_id is None else f"ID:receiver-{next(numbers)}",
    )


@saboteur("3.4.3-8", "disabled ids come out as the empty string")
def _(patch: Patch) -> None:
    original = ReferenceProducer.message_id
    patch.replace(ReferenceProducer, "message_id", lambda self: original(self) or "")


@saboteur("3.4.3-9", "with the hint on, every message carries the same id")
def _(patch: Patch) -> None:
    original = ReferenceProducer.message_id
    patch.replace(ReferenceProducer, "message_id", lambda self: original(self) or "ID:disabled")


@saboteur("3.4.5-1", "values that begin with ID: lose the prefix on their way")
def _(patch: Patch) -> None:
    def fault(message: Message, delivery: Delivery) -> None:
        text = delivery.entry.snapshot.correlation
        if isinstance(text, str) and text.startswith("ID:"):
            message.jms_correlation_id = text.removeprefix("ID:")

    as_received(patch, fault)


@saboteur("3.4.5-2", "strings of the application are cut after 24 bytes")
def _(patch: Patch) -> None:
    def fault(message: Message, delivery: Delivery) -> None:
        text = delivery.entry.snapshot.correlation
        if isinstance(text, str) and not text.startswith("ID:"):
            message.jms_correlation_id = text.encode()[:24].decode(errors="ignore")

    as_received(patch, fault)


@saboteur("3.4.5-3", "a correlation id that was not set is the message id")
def _(patch: Patch) -> None:
    def fault(message: Message, delivery: Delivery) -> None:
        if delivery.entry.snapshot.correlation is None:
            message.jms_correlation_id = delivery.entry.message_id

    as_received(patch, fault)


@saboteur("3.4.5-4", "a byte array is accepted and the receiver gets null")
def _(patch: Patch) -> None:
    def fault(message: Message, delivery: Delivery) -> None:
        if isinstance(delivery.entry.snapshot.correlation, bytes):
            message.jms_correlation_id_as_bytes = None

    as_received(patch, fault)


@saboteur("3.4.5-6", "the reference to the byte array is stored")
def _(patch: Patch) -> None:
    honest: Any = ReferenceMessage.jms_correlation_id_as_bytes

    def store(self: ReferenceMessage, value: Any) -> None:  # an array of any kind
        self._correlation = value

    patch.replace(ReferenceMessage, "jms_correlation_id_as_bytes", property(honest.fget, store))
    frozen = ReferenceMessage.frozen

    def freeze(self: ReferenceMessage) -> Any:  # a snapshot
        stored: Any = self._correlation
        self._correlation = bytes(stored) if isinstance(stored, bytearray) else stored
        return frozen(self)

    patch.replace(ReferenceMessage, "frozen", freeze)


@saboteur(
    "3.4.6-1",
    "topics in JMSReplyTo arrive as queues",
    collateral={"3.4.6-2": "a reply to the wrong kind of destination does not arrive"},
)
def _(patch: Patch) -> None:
    def fault(message: Message, delivery: Delivery) -> None:
        reply_to = message.jms_reply_to
        if isinstance(reply_to, ReferenceTopic):
            message.jms_reply_to = ReferenceQueue(reply_to.name)

    as_received(patch, fault)


class _DetourQueue(ReferenceQueue):
    """A queue that shows one name and leads to another."""

    @property
    def queue_name(self) -> str:
        return self.name.removesuffix(".copy")


class _DetourTopic(ReferenceTopic):
    """A topic that shows one name and leads to another."""

    @property
    def topic_name(self) -> str:
        return self.name.removesuffix(".copy")


@saboteur("3.4.6-2", "the received JMSReplyTo is a copy that leads elsewhere")
def _(patch: Patch) -> None:
    def fault(message: Message, delivery: Delivery) -> None:
        reply_to = message.jms_reply_to
        if isinstance(reply_to, ReferenceQueue) and reply_to.kind == "queue":
            message.jms_reply_to = _DetourQueue(f"{reply_to.name}.copy")
        elif isinstance(reply_to, ReferenceTopic) and reply_to.kind == "topic":
            message.jms_reply_to = _DetourTopic(f"{reply_to.name}.copy")

    as_received(patch, fault)


@saboteur("3.4.6-3", "a JMSReplyTo that was not set is a default queue")
def _(patch: Patch) -> None:
    def fault(message: Message, delivery: Delivery) -> None:
        if message.jms_reply_to is None:
            message.jms_reply_to = ReferenceQueue("default.reply")

    as_received(patch, fault)


@saboteur("3.4.6-4", "acknowledging a message sends a receipt to its JMSReplyTo")
def _(patch: Patch) -> None:
    original = ReferenceSession.acknowledge_all

    def acknowledge_all(self: ReferenceSession) -> None:
        targets = [delivery.entry.snapshot.reply_to for delivery in self.state.unacknowledged]
        original(self)
        for target in targets:
            if target is not None:
                ReferenceProducer(self, target).send(self.create_text_message("receipt"))

    patch.replace(ReferenceSession, "acknowledge_all", acknowledge_all)


@saboteur("3.4.7-1", "the flag is set after a rollback, and not after a recover")
def _(patch: Patch) -> None:
    original = ReferenceSession.recover

    def recover(self: ReferenceSession) -> None:
        if self.mode == Session.CLIENT_ACKNOWLEDGE:
            with self.broker.lock:
                unacknowledged, self.state.unacknowledged = self.state.unacknowledged, []
                for delivery in unacknowledged:
                    delivery.undo()
        original(self)

    patch.replace(ReferenceSession, "recover", recover)


@saboteur("3.4.7-2", "what is known of earlier deliveries goes with the session that had them")
def _(patch: Patch) -> None:
    def drop_unfinished(self: ReferenceSession) -> None:
        with self.broker.lock:
            for delivery in (*self.state.work.acks, *self.state.unacknowledged):
                delivery.undo()
            self.state.work.acks, self.state.unacknowledged = [], []

    patch.replace(ReferenceSession, "drop_unfinished", drop_unfinished)


@saboteur("3.4.7-4", "send sets the flag on the sender's message")
def _(patch: Patch) -> None:
    original = producers.write_headers

    def write_headers(message: Message, stamp: Stamp) -> None:
        original(message, stamp)
        message.jms_redelivered = True

    patch.replace(producers, "write_headers", write_headers)


@saboteur("3.4.8-1", "JMSType arrives as the name of the message's class")
def _(patch: Patch) -> None:
    def fault(message: Message, delivery: Delivery) -> None:
        if message.jms_type is not None:
            message.jms_type = type(message).__name__

    as_received(patch, fault)


@saboteur("3.4.8-2", "a JMSType that was not set arrives as the empty string")
def _(patch: Patch) -> None:
    def fault(message: Message, delivery: Delivery) -> None:
        if message.jms_type is None:
            message.jms_type = ""

    as_received(patch, fault)
