"""Red round 5, first group: faults in bodies and selectors, written without sight of the suite."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from faults.kit.common import after_send
from faults.kit.declaring import nearly_right
from faults.kit.patch import Patch
from reference_provider import fault_points
from reference_provider.broker.broker import Broker
from reference_provider.broker.stored_message import StoredMessage
from reference_provider.broker.subscriptions import Key
from reference_provider.client.consumer_factory import ConsumerFactory
from reference_provider.client.producers import Options, ReferenceProducer
from reference_provider.client.receivers import Receiver
from reference_provider.client.sessions import ReferenceSession
from reference_provider.messages import Body, MessageModel, PropertyValue, Snapshot, snapshots
from reference_provider.messages.bytes_message import ReferenceBytesMessage
from reference_provider.messages.object_message import ReferenceObjectMessage
from reference_provider.messages.selection import MODE_NAMES
from reference_provider.messages.stream_message import ReferenceStreamMessage
from tck.api import OMITTED, DeliveryMode, Message, MessageFormatException, ObjectMessage, Omitted, Topic

# --- bodies -----------------------------------------------------------------------------------------------------------


@nearly_right(
    "bytes-read-in-part-are-sent-on-without-the-part",
    "a bytes message that has been read in part is sent on with the bytes not yet read only",
    "3.11.4-3",
    "3.11-7",
    "3.11-11",
)
def _rest_only(patch: Patch) -> None:
    original = ReferenceBytesMessage._frozen_body

    def frozen(self: ReferenceBytesMessage) -> Body:
        return original(self) if self._written is not None else self._data[self._position :]

    patch.replace(ReferenceBytesMessage, "_frozen_body", frozen)


@nearly_right(
    "new-object-message-copies-its-object-at-the-send",
    "the object given to createObjectMessage is copied only when the message is sent; setObject copies at once",
    "3.12-8",
)
def _copied_late(patch: Patch) -> None:
    kept: dict[int, tuple[ReferenceObjectMessage, Any]] = {}
    create = ReferenceSession.create_object_message
    encode = ReferenceObjectMessage._encode
    empty = ReferenceObjectMessage._empty_body
    freeze = ReferenceObjectMessage._frozen_body

    def create_object_message(self: ReferenceSession, value: object = OMITTED) -> ObjectMessage:
        message = create(self, value)
        if value is not OMITTED and isinstance(message, ReferenceObjectMessage):
            kept[id(message)] = (message, value)
        return message

    def encode_at_once(self: ReferenceObjectMessage, value: Any) -> bytes | None:
        kept.pop(id(self), None)
        return encode(self, value)

    def empty_body(self: ReferenceObjectMessage) -> None:
        kept.pop(id(self), None)
        empty(self)

    def frozen_body(self: ReferenceObjectMessage) -> Body:
        if id(self) in kept:
            self._encoded = encode(self, kept.pop(id(self))[1])
        return freeze(self)

    patch.replace(ReferenceSession, "create_object_message", create_object_message)
    patch.replace(ReferenceObjectMessage, "_encode", encode_at_once)
    patch.replace(ReferenceObjectMessage, "_empty_body", empty_body)
    patch.replace(ReferenceObjectMessage, "_frozen_body", frozen_body)


@nearly_right(
    "subscribers-share-the-read-position-of-bytes",
    "a NON_PERSISTENT bytes message of a topic goes on, for the next subscriber, where the one before stopped reading",
    "4.2.2-7",
    "3.11-11",
    "3.11-7",
)
def _shared_position(patch: Patch) -> None:
    last: dict[int, tuple[Snapshot, object, ReferenceBytesMessage]] = {}
    original = ReferenceBytesMessage.restore

    def restore(self: ReferenceBytesMessage, snapshot: Snapshot, delivery: Any, model: MessageModel) -> None:
        original(self, snapshot, delivery, model)
        if delivery.delivery_mode != DeliveryMode.NON_PERSISTENT or not isinstance(delivery.destination, Topic):
            return
        earlier = last.get(id(snapshot))
        if earlier is not None and earlier[1] is not delivery.source:
            self._position = earlier[2]._position
        last[id(snapshot)] = (snapshot, delivery.source, self)

    patch.replace(ReferenceBytesMessage, "restore", restore)


@nearly_right(
    "reset-stays-within-an-open-array",
    "reset of a stream message does nothing while readBytes has not come to the end of a byte array",
    "3.11-10",
)
def _no_way_back(patch: Patch) -> None:
    original = ReferenceStreamMessage.reset

    def reset(self: ReferenceStreamMessage) -> None:
        if getattr(self, "_offset", None) is None:
            original(self)

    patch.replace(ReferenceStreamMessage, "reset", reset)


@nearly_right(
    "read-bytes-of-a-string-moves-on",
    "readBytes of a stream message fails for a String as it must, but the String is then lost",
    "3.11.3-15",
)
def _moves_on(patch: Patch) -> None:
    original = ReferenceStreamMessage.read_bytes

    def read_bytes(self: ReferenceStreamMessage, buffer: bytearray) -> int:
        try:
            return original(self, buffer)
        except MessageFormatException:
            if isinstance(self._items[self._position], str):
                self._position += 1
            raise

    patch.replace(ReferenceStreamMessage, "read_bytes", read_bytes)


@nearly_right(
    "empty-text-is-null-after-a-restart",
    "a text message with the empty String that was stored before a restart has no text afterwards",
    "3.11-5",
    "3.11.4-3",
)
def _no_text(patch: Patch) -> None:
    original = Broker.load_numbers

    def load_numbers(self: Broker, numbers: Iterable[int]) -> list[StoredMessage]:
        entries = original(self, numbers)
        for entry in entries:
            if entry.snapshot.kind == "text" and entry.snapshot.body == "":
                entry.snapshot = entry.snapshot._replace(body=None)
        return entries

    patch.replace(Broker, "load_numbers", load_numbers)


@nearly_right(
    "empty-foreign-map-is-a-plain-message",
    "a map message of another provider that has no entries arrives as a message without a body",
    "3.12-2",
    "3.11.4-2",
    "3.12-1",
)
def _no_map(patch: Patch) -> None:
    original = snapshots.foreign_snapshot

    def foreign_snapshot(message: Message, model: MessageModel, *sent: Any) -> Snapshot:
        made = original(message, model, *sent)
        return made._replace(kind="message", body=None) if made.kind == "map" and not made.body else made

    patch.replace(snapshots, "foreign_snapshot", foreign_snapshot)


# --- selectors --------------------------------------------------------------------------------------------------------


@nearly_right(
    "selector-sees-correlated-ids-without-prefix",
    "a selector sees a JMSCorrelationID that is a message id without its 'ID:'",
    "3.8.1.1-38",
)
def _without_prefix(patch: Patch) -> None:
    def selection(original: Callable[[StoredMessage], dict[str, Any]], entry: StoredMessage) -> dict[str, Any]:
        view = original(entry)
        correlation = view.get("JMSCorrelationID", "")
        if not correlation.startswith("ID:"):
            return view
        return {**view, "JMSCorrelationID": correlation.removeprefix("ID:")}

    patch.at(fault_points.VALUES_SELECTED, selection)


@nearly_right(
    "selector-sees-the-delivery-mode-of-the-producer",
    "a selector sees the producer's JMSDeliveryMode even if the send was given another one as argument",
    "3.8.1.1-34",
    "3.8.1.3-1",
)
def _mode_of_the_producer(patch: Patch) -> None:
    def fault(producer: ReferenceProducer, _: Message, entry: StoredMessage, options: Options) -> None:
        if options.delivery_mode != producer._delivery_mode:
            view: dict[str, PropertyValue] = entry.selection()
            entry._selection = {**view, "JMSDeliveryMode": MODE_NAMES[producer._delivery_mode]}

    after_send(patch, fault)


@nearly_right(
    "empty-selector-begins-a-durable-subscription-anew",
    "a durable subscription made without a selector is replaced when its consumer comes back with an empty one",
    "3.8.1.1-1",
    "4.2.2-22",
)
def _anew(patch: Patch) -> None:
    def open_stored(
        original: Callable[..., Receiver],
        factory: ConsumerFactory,
        topic: Topic | None,
        key: Key,
        selector: str | Omitted | None,
        no_local: str | None,
        *,
        shared: bool,
    ) -> Receiver:
        found = factory.broker.subscriptions.durable(key)
        if selector == "" and found is not None and found.selector is None and not found.consumers:
            factory.broker.subscriptions.delete(found)
        return original(factory, topic, key, selector, no_local, shared=shared)

    patch.at(fault_points.SUBSCRIPTION_STORED, open_stored)
