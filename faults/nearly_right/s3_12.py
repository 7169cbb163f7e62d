"""Narrow faults of section 3.12."""

from faults.kit import *
from faults.nearly_right.shared import *


# rabbitmq-jms-client #24, #27: a foreign bytes message without bytes could not be copied.
@of_round(2)(
    "empty-foreign-bytes-message-refused",
    "a foreign bytes message without bytes cannot be sent",
    "3.12-1",
    around=(snapshots, "foreign_bytes"),
)
def _(original, message):
    copied = original(message)
    if not copied:
        raise JMSException("cannot read the body of the message")
    return copied


@of_round(5)(
    "empty-foreign-map-is-a-plain-message",
    "a map message of another provider that has no entries arrives as a message without a body",
    "3.12-2 3.11.4-2 3.12-1",
    around=(snapshots, "foreign_snapshot"),
)
def _(original, message, model, *sent):
    made = original(message, model, *sent)
    return made._replace(kind="message", body=None) if made.kind == "map" and not made.body else made


@of_round(8)(
    "foreign-stream-ends-at-its-first-null",
    "of a stream message of another provider what follows the first null item is lost",
    "3.12-2 3.12-10",
)
def _(patch):
    def foreign_items(message):
        message.reset()
        items = []
        try:
            while (item := message.read_object()) is not None:
                items.append(values.body_object(item))
            items.append(None)
        except MessageEOFException:
            pass
        message.reset()
        return tuple(items)

    patch.replace(snapshots, "foreign_items", foreign_items)


# rabbitmq-jms-client #146: the mapping of property types forgot Boolean.
@of_round(2)(
    "boolean-properties-of-foreign-messages-lost",
    "boolean properties of a foreign message do not arrive",
    "3.12-3",
    around=(snapshots, "foreign_properties"),
)
def _(original, message, model):
    return {name: value for name, value in original(message, model).items() if type(value) is not bool}


@of_round(7)(
    "null-properties-of-foreign-messages-are-lost",
    "properties that are set to null do not arrive if the message was made by another provider",
    "3.12-3 3.12-12",
    around=(snapshots, "foreign_properties"),
)
def _(original, message, model):
    return {name: value for name, value in original(message, model).items() if value is not None}


class _Deferred:
    """An object that is not serialised yet."""

    def __init__(self, message, value):
        self.message = message
        self.value = value

    def encoded(self):
        return self.message._encode(self.value)


# Seen in ActiveMQ with objectMessageSerializationDefered: serialised by the send, not when it is set.
@of_round(2)(
    "lists-are-serialised-by-the-send",
    "a list set as the body of an object message is copied at the send only",
    "3.12-8",
)
def _(patch):
    plain = ReferenceObjectMessage.object
    read, write = plain.fget, plain.fset

    def settle(self):
        if isinstance(self._encoded, _Deferred):
            self._encoded = self._encoded.encoded()

    def get(self):
        kept = self._encoded
        settle(self)
        value = read(self)
        self._encoded = kept
        return value

    def put(self, value):
        write(self, value)
        if isinstance(value, list):
            self._encoded = _Deferred(self, value)

    def frozen(freeze, self):
        settle(self)
        return freeze(self)

    patch.replace(ReferenceObjectMessage, "object", property(get, put))
    patch.around(ReferenceObjectMessage, "_frozen_body", frozen)


@of_round(5)(
    "new-object-message-copies-its-object-at-the-send",
    "the object given to createObjectMessage is copied only when the message is sent; setObject copies at once",
    "3.12-8",
)
def _(patch):
    kept = {}
    encode = ReferenceObjectMessage._encode

    def create_object_message(create, self, value=OMITTED):
        message = create(self, value)
        if value is not OMITTED and isinstance(message, ReferenceObjectMessage):
            kept[id(message)] = (message, value)
        return message

    def encode_at_once(self, value):
        kept.pop(id(self), None)
        return encode(self, value)

    def empty_body(empty, self):
        kept.pop(id(self), None)
        empty(self)

    def frozen_body(freeze, self):
        if id(self) in kept:
            self._encoded = encode(self, kept.pop(id(self))[1])
        return freeze(self)

    patch.around(ReferenceSession, "create_object_message", create_object_message)
    patch.replace(ReferenceObjectMessage, "_encode", encode_at_once)
    patch.around(ReferenceObjectMessage, "_empty_body", empty_body)
    patch.around(ReferenceObjectMessage, "_frozen_body", frozen_body)
