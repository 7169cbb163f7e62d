"""Faults in 8.6: receiveBody in its three forms."""

import inspect

from faults.kit import *

CLIENT, TRANSACTED = Session.CLIENT_ACKNOWLEDGE, Session.SESSION_TRANSACTED


def _bodies(patch, fault):
    """Return another body from receiveBody; `fault` gets the message, the type and a function that reads the honest body."""

    def hand_out_body(original, consumer, delivery, read):
        body_type = inspect.getclosurevars(read).nonlocals["body_type"]
        return original(consumer, delivery, lambda message: fault(message, body_type, lambda: read(message)))

    patch.at(fault_points.BODY_RECEIVED, hand_out_body)


def _refuse(patch, kind, *types):
    """Refuse the bodies of a kind of message as some types."""

    def fault(message, body_type, read):
        if isinstance(message, kind) and body_type in types:
            raise MessageFormatException("not as this type")
        return read()

    _bodies(patch, fault)


def _null_instead(patch, applies):
    """Return null for some bodies that cannot be read."""

    def fault(message, body_type, read):
        try:
            return read()
        except MessageFormatException:
            if applies(message, body_type):
                return None
            raise

    _bodies(patch, fault)


@saboteur(
    "8.6-1",
    "receiveBody(type) without a timeout skips a message if two wait",
    around=(ReferenceJMSConsumer, "receive_body"),
)
def _(original, self, body_type, timeout=OMITTED):
    if timeout is OMITTED and len(list(self._consumer.receiver.delivery_queue.free_entries())) > 1:
        self._consumer.receive(1)
    return original(self, body_type, timeout)


@saboteur(
    "8.6-2",
    "a receiveBody that waited for its message returns it only at its timeout",
    around=(ReferenceJMSConsumer, "receive_body"),
)
def _(original, self, body_type, timeout=OMITTED):
    clock = self._consumer.session.broker.clock
    began = clock.now()
    body = original(self, body_type, timeout)
    if timeout is not OMITTED and body is not None and clock.now() > began:
        clock.event().wait(began + timeout - clock.now())
    return body


saboteur(
    "8.6-3",
    "receiveBodyNoWait(type) always returns null",
    lambda patch: patch.replace(ReferenceJMSConsumer, "receive_body_no_wait", lambda self, body_type: None),
    collateral=dict.fromkeys(
        ("8.6-7", "8.6-10", "8.6-11", "8.6-12", "8.6-13", "8.6-14", "8.6-15", "8.6-16", "8.6-17", "8.6-18", "8.6-20"),
        "the case tries all three forms",
    ),
)


@saboteur(
    "8.6-5",
    "receiveBody(type, timeout) raises an exception at its timeout",
    around=(ReferenceJMSConsumer, "receive_body"),
)
def _(original, self, body_type, timeout=OMITTED):
    body = original(self, body_type, timeout)
    if body is None and timeout is not OMITTED:
        raise MessageFormatRuntimeException("nothing came")
    return body


@saboteur("8.6-6", "receiveBody(type, 0) does not wait", around=(ReferenceJMSConsumer, "receive_body"))
def _(original, self, body_type, timeout=OMITTED):
    return original(self, body_type, 1 if timeout == 0 else timeout)


saboteur(
    "8.6-7",
    "receiveBodyNoWait(type) waits for a message",
    lambda patch: patch.replace(
        ReferenceJMSConsumer, "receive_body_no_wait", lambda self, body_type: self.receive_body(body_type)
    ),
)


@saboteur(
    "8.6-8",
    "receiveBody raises an exception when its consumer is closed",
    around=(ReferenceJMSConsumer, "receive_body"),
)
def _(original, self, body_type, timeout=OMITTED):
    body = original(self, body_type, timeout)
    if body is None and self._consumer.closed:
        raise JMSRuntimeException("closed")
    return body


saboteur(
    "8.6-9",
    "receiveBody in a transaction acknowledges at once",
    lambda patch: settled_by_receive_body(patch, TRANSACTED, failed=False),
)


@saboteur("8.6-10", "receiveBodyNoWait(String) returns bytes", around=(ReferenceJMSConsumer, "receive_body_no_wait"))
def _(original, self, body_type):
    body = original(self, body_type)
    return body.encode() if isinstance(body, str) and body == "x" and body_type is str else body


@saboteur("8.6-11", "receiveBody returns a text as String only", by=_bodies)
def _(message, body_type, read):
    if isinstance(message, TextMessage) and body_type is not str:
        raise MessageFormatException("not as this type")
    return read()


@saboteur("8.6-12", "receiveBody returns an object as Serializable only", by=_bodies)
def _(message, body_type, read):
    if isinstance(message, ObjectMessage) and body_type is not SERIALIZABLE:
        raise MessageFormatException("not as this type")
    return read()


saboteur("8.6-13", "receiveBody refuses a map as Object", lambda patch: _refuse(patch, MapMessage, OBJECT))
saboteur("8.6-14", "receiveBody refuses bytes as Object", lambda patch: _refuse(patch, BytesMessage, OBJECT))


@saboteur("8.6-15", "receiveBody returns the first item of a stream", by=_bodies)
def _(message, body_type, read):
    return message.read_object() if isinstance(message, StreamMessage) else read()


@saboteur("8.6-16", "receiveBody returns null for a plain message")
def _(patch):
    bodied = (TextMessage, ObjectMessage, MapMessage, BytesMessage, StreamMessage)
    _null_instead(patch, lambda message, body_type: not isinstance(message, bodied))


@saboteur("8.6-17", "receiveBody returns null for a text as Map", by=_null_instead)
def _(message, body_type):
    return isinstance(message, TextMessage) and body_type is dict


@saboteur("8.6-18", "receiveBody returns null for a text or object that was never set", by=_bodies)
def _(message, body_type, read):
    empty = isinstance(message, TextMessage) and message.text is None
    if empty or (isinstance(message, ObjectMessage) and message._encoded is None):
        return None
    return read()


@saboteur("8.6-20", "receiveBody raises a plain runtime exception for an object that cannot be built", by=_bodies)
def _(message, body_type, read):
    try:
        return read()
    except MessageFormatException as error:
        if isinstance(message, ObjectMessage) and "cannot be built" in str(error):
            raise JMSRuntimeException(str(error)) from error
        raise
