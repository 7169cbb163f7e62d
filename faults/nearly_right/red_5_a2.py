"""Red round 5, first group: faults in bodies and selectors, written without sight of the suite."""

from faults.kit import *

# --- bodies -----------------------------------------------------------------------------------------------------------


@of_round(5)(
    "bytes-read-in-part-are-sent-on-without-the-part",
    "a bytes message that has been read in part is sent on with the bytes not yet read only",
    "3.11.4-3",
    "3.11-7",
    "3.11-11",
)
def _rest_only(patch):
    original = ReferenceBytesMessage._frozen_body

    def frozen(self):
        return original(self) if self._written is not None else self._data[self._position :]

    patch.replace(ReferenceBytesMessage, "_frozen_body", frozen)


@of_round(5)(
    "new-object-message-copies-its-object-at-the-send",
    "the object given to createObjectMessage is copied only when the message is sent; setObject copies at once",
    "3.12-8",
)
def _copied_late(patch):
    kept = {}
    create = ReferenceSession.create_object_message
    encode = ReferenceObjectMessage._encode
    empty = ReferenceObjectMessage._empty_body
    freeze = ReferenceObjectMessage._frozen_body

    def create_object_message(self, value=OMITTED):
        message = create(self, value)
        if value is not OMITTED and isinstance(message, ReferenceObjectMessage):
            kept[id(message)] = (message, value)
        return message

    def encode_at_once(self, value):
        kept.pop(id(self), None)
        return encode(self, value)

    def empty_body(self):
        kept.pop(id(self), None)
        empty(self)

    def frozen_body(self):
        if id(self) in kept:
            self._encoded = encode(self, kept.pop(id(self))[1])
        return freeze(self)

    patch.replace(ReferenceSession, "create_object_message", create_object_message)
    patch.replace(ReferenceObjectMessage, "_encode", encode_at_once)
    patch.replace(ReferenceObjectMessage, "_empty_body", empty_body)
    patch.replace(ReferenceObjectMessage, "_frozen_body", frozen_body)


@of_round(5)(
    "subscribers-share-the-read-position-of-bytes",
    "a NON_PERSISTENT bytes message of a topic goes on, for the next subscriber, where the one before stopped reading",
    "4.2.2-7",
    "3.11-11",
    "3.11-7",
)
def _shared_position(patch):
    last = {}
    original = ReferenceBytesMessage.restore

    def restore(self, snapshot, delivery, model):
        original(self, snapshot, delivery, model)
        if delivery.delivery_mode != DeliveryMode.NON_PERSISTENT or not isinstance(delivery.destination, Topic):
            return
        earlier = last.get(id(snapshot))
        if earlier is not None and earlier[1] is not delivery.source:
            self._position = earlier[2]._position
        last[id(snapshot)] = (snapshot, delivery.source, self)

    patch.replace(ReferenceBytesMessage, "restore", restore)


@of_round(5)(
    "reset-stays-within-an-open-array",
    "reset of a stream message does nothing while readBytes has not come to the end of a byte array",
    "3.11-10",
)
def _no_way_back(patch):
    original = ReferenceStreamMessage.reset

    def reset(self):
        if getattr(self, "_offset", None) is None:
            original(self)

    patch.replace(ReferenceStreamMessage, "reset", reset)


@of_round(5)(
    "read-bytes-of-a-string-moves-on",
    "readBytes of a stream message fails for a String as it must, but the String is then lost",
    "3.11.3-15",
)
def _moves_on(patch):
    original = ReferenceStreamMessage.read_bytes

    def read_bytes(self, buffer):
        try:
            return original(self, buffer)
        except MessageFormatException:
            if isinstance(self._items[self._position], str):
                self._position += 1
            raise

    patch.replace(ReferenceStreamMessage, "read_bytes", read_bytes)


@of_round(5)(
    "empty-text-is-null-after-a-restart",
    "a text message with the empty String that was stored before a restart has no text afterwards",
    "3.11-5",
    "3.11.4-3",
)
def _no_text(patch):
    original = Broker.load_numbers

    def load_numbers(self, numbers):
        entries = original(self, numbers)
        for entry in entries:
            if entry.snapshot.kind == "text" and entry.snapshot.body == "":
                entry.snapshot = entry.snapshot._replace(body=None)
        return entries

    patch.replace(Broker, "load_numbers", load_numbers)


@of_round(5)(
    "empty-foreign-map-is-a-plain-message",
    "a map message of another provider that has no entries arrives as a message without a body",
    "3.12-2",
    "3.11.4-2",
    "3.12-1",
)
def _no_map(patch):
    original = snapshots.foreign_snapshot

    def foreign_snapshot(message, model, *sent):
        made = original(message, model, *sent)
        return made._replace(kind="message", body=None) if made.kind == "map" and not made.body else made

    patch.replace(snapshots, "foreign_snapshot", foreign_snapshot)


# --- selectors --------------------------------------------------------------------------------------------------------


@of_round(5)(
    "selector-sees-correlated-ids-without-prefix",
    "a selector sees a JMSCorrelationID that is a message id without its 'ID:'",
    "3.8.1.1-38",
    at=fault_points.VALUES_SELECTED,
)
def _(original, entry):
    view = original(entry)
    correlation = view.get("JMSCorrelationID", "")
    if not correlation.startswith("ID:"):
        return view
    return {**view, "JMSCorrelationID": correlation.removeprefix("ID:")}


@of_round(5)(
    "selector-sees-the-delivery-mode-of-the-producer",
    "a selector sees the producer's JMSDeliveryMode even if the send was given another one as argument",
    "3.8.1.1-34",
    "3.8.1.3-1",
    by=after_send,
)
def _(producer, _, entry, options):
    if options.delivery_mode != producer._delivery_mode:
        view = entry.selection()
        entry._selection = {**view, "JMSDeliveryMode": MODE_NAMES[producer._delivery_mode]}


@of_round(5)(
    "empty-selector-begins-a-durable-subscription-anew",
    "a durable subscription made without a selector is replaced when its consumer comes back with an empty one",
    "3.8.1.1-1",
    "4.2.2-22",
    at=fault_points.SUBSCRIPTION_STORED,
)
def _(original, factory, topic, key, selector, no_local, *, shared):
    found = factory.broker.subscriptions.durable(key)
    if selector == "" and found is not None and found.selector is None and not found.consumers:
        factory.broker.subscriptions.delete(found)
    return original(factory, topic, key, selector, no_local, shared=shared)
