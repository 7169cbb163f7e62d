"""Faults in 8.6: receiveBody in its three forms, and what becomes of a message after a failed call."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

from reference_provider.broker.delivery import Delivery
from reference_provider.client.consumers import ReferenceConsumer
from reference_provider.client.sessions import ReferenceSession
from reference_provider.client.simplified import ReferenceJMSConsumer
from reference_provider.saboteurs.faults import session_of
from reference_provider.saboteurs.registry import Patch, saboteur
from tck.api import (
    OBJECT,
    OMITTED,
    SERIALIZABLE,
    BodyType,
    BytesMessage,
    JMSRuntimeException,
    MapMessage,
    Message,
    MessageFormatException,
    MessageFormatRuntimeException,
    ObjectMessage,
    Omitted,
    Session,
    StreamMessage,
    TextMessage,
)

AUTO, LAZY = Session.AUTO_ACKNOWLEDGE, Session.DUPS_OK_ACKNOWLEDGE
CLIENT, TRANSACTED = Session.CLIENT_ACKNOWLEDGE, Session.SESSION_TRANSACTED
NEXT = "the case looks at the message that comes next"

Fault = Callable[[Message, BodyType, Callable[[], object]], object]


def _bodies(patch: Patch, fault: Fault) -> None:
    """Have receiveBody give something else: `fault` is given the message, the type, and how the body would be read."""
    original = ReferenceConsumer.hand_out_body

    def hand_out_body(self: ReferenceConsumer, delivery: Delivery, read: Callable[[Message], Any]) -> Any:
        body_type = inspect.getclosurevars(read).nonlocals["body_type"]
        return original(self, delivery, lambda message: fault(message, body_type, lambda: read(message)))

    patch.replace(ReferenceConsumer, "hand_out_body", hand_out_body)


def _refuse(patch: Patch, kind: Any, *types: BodyType) -> None:
    """Refuse the bodies of a kind of message as some types."""

    def fault(message: Message, body_type: BodyType, read: Callable[[], object]) -> object:
        if isinstance(message, kind) and body_type in types:
            raise MessageFormatException("not as this type")
        return read()

    _bodies(patch, fault)


def _null_instead(patch: Patch, applies: Callable[[Message, BodyType], bool]) -> None:
    """Give null where some bodies cannot be read."""

    def fault(message: Message, body_type: BodyType, read: Callable[[], object]) -> object:
        try:
            return read()
        except MessageFormatException:
            if applies(message, body_type):
                return None
            raise

    _bodies(patch, fault)


@saboteur("8.6-1", "receiveBody(type) without a timeout skips a message if another one waits behind it")
def _(patch: Patch) -> None:
    original = ReferenceJMSConsumer.receive_body

    def receive_body(self: ReferenceJMSConsumer, body_type: BodyType, timeout: int | Omitted = OMITTED) -> object:
        if timeout is OMITTED and len(list(self._consumer.receiver.delivery_queue.free_entries())) > 1:
            self._consumer.receive(1)
        return original(self, body_type, timeout)

    patch.replace(ReferenceJMSConsumer, "receive_body", receive_body)


@saboteur("8.6-2", "a receiveBody that had to wait for its message returns only when the time is up")
def _(patch: Patch) -> None:
    original = ReferenceJMSConsumer.receive_body

    def receive_body(self: ReferenceJMSConsumer, body_type: BodyType, timeout: int | Omitted = OMITTED) -> object:
        clock = self._consumer.session.broker.clock
        began = clock.now()
        body = original(self, body_type, timeout)
        if timeout is not OMITTED and body is not None and clock.now() > began:
            clock.event().wait(began + timeout - clock.now())
        return body

    patch.replace(ReferenceJMSConsumer, "receive_body", receive_body)


@saboteur(
    "8.6-3",
    "receiveBodyNoWait(type) always returns null",
    collateral=dict.fromkeys(
        ("8.6-7", "8.6-10", "8.6-11", "8.6-12", "8.6-13", "8.6-14", "8.6-15", "8.6-16", "8.6-17", "8.6-18", "8.6-20"),
        "the case tries all three forms",
    ),
)
def _(patch: Patch) -> None:
    patch.replace(ReferenceJMSConsumer, "receive_body_no_wait", lambda self, body_type: None)


@saboteur("8.6-5", "receiveBody(type, timeout) raises when the time is up")
def _(patch: Patch) -> None:
    original = ReferenceJMSConsumer.receive_body

    def receive_body(self: ReferenceJMSConsumer, body_type: BodyType, timeout: int | Omitted = OMITTED) -> object:
        body = original(self, body_type, timeout)
        if body is None and timeout is not OMITTED:
            raise MessageFormatRuntimeException("nothing came")
        return body

    patch.replace(ReferenceJMSConsumer, "receive_body", receive_body)


@saboteur("8.6-6", "receiveBody(type, 0) does not wait")
def _(patch: Patch) -> None:
    original = ReferenceJMSConsumer.receive_body

    def receive_body(self: ReferenceJMSConsumer, body_type: BodyType, timeout: int | Omitted = OMITTED) -> object:
        return original(self, body_type, 1 if timeout == 0 else timeout)

    patch.replace(ReferenceJMSConsumer, "receive_body", receive_body)


@saboteur("8.6-7", "receiveBodyNoWait(type) waits until a message comes")
def _(patch: Patch) -> None:
    patch.replace(ReferenceJMSConsumer, "receive_body_no_wait", lambda self, body_type: self.receive_body(body_type))


@saboteur("8.6-8", "a receiveBody whose consumer is closed raises")
def _(patch: Patch) -> None:
    original = ReferenceJMSConsumer.receive_body

    def receive_body(self: ReferenceJMSConsumer, body_type: BodyType, timeout: int | Omitted = OMITTED) -> object:
        body = original(self, body_type, timeout)
        if body is None and self._consumer.closed:
            raise JMSRuntimeException("closed")
        return body

    patch.replace(ReferenceJMSConsumer, "receive_body", receive_body)


def _settled_outside(patch: Patch, mode: int, *, failed: bool) -> None:
    """Have receiveBody acknowledge at once what the mode would keep, if the call failed or if it did not."""
    original = ReferenceConsumer.hand_out_body

    def hand_out_body(self: ReferenceConsumer, delivery: Delivery, read: Callable[[Message], Any]) -> Any:
        failing = True
        try:
            body = original(self, delivery, read)
            failing = False
            return body
        finally:
            state = self.session.state
            if failing is failed and state.mode == mode:
                for unacknowledged in (state.work.acks, state.unacknowledged):
                    if delivery in unacknowledged:
                        unacknowledged.remove(delivery)
                        state.acknowledge([delivery], durable=True)

    patch.replace(ReferenceConsumer, "hand_out_body", hand_out_body)


@saboteur("8.6-9", "receiveBody in a transaction acknowledges at once")
def _(patch: Patch) -> None:
    _settled_outside(patch, TRANSACTED, failed=False)


@saboteur(
    "8.6-10",
    "a text is received as bytes when a String is asked for, without waiting",
)
def _(patch: Patch) -> None:
    original = ReferenceJMSConsumer.receive_body_no_wait

    def receive_body_no_wait(self: ReferenceJMSConsumer, body_type: BodyType) -> object:
        body = original(self, body_type)
        return body.encode() if isinstance(body, str) and body == "x" and body_type is str else body

    patch.replace(ReferenceJMSConsumer, "receive_body_no_wait", receive_body_no_wait)


@saboteur("8.6-11", "a text is received as String only")
def _(patch: Patch) -> None:
    def fault(message: Message, body_type: BodyType, read: Callable[[], object]) -> object:
        if isinstance(message, TextMessage) and body_type is not str:
            raise MessageFormatException("not as this type")
        return read()

    _bodies(patch, fault)


@saboteur("8.6-12", "an object is received as Serializable only")
def _(patch: Patch) -> None:
    def fault(message: Message, body_type: BodyType, read: Callable[[], object]) -> object:
        if isinstance(message, ObjectMessage) and body_type is not SERIALIZABLE:
            raise MessageFormatException("not as this type")
        return read()

    _bodies(patch, fault)


@saboteur("8.6-13", "a map is not received as Object")
def _(patch: Patch) -> None:
    _refuse(patch, MapMessage, OBJECT)


@saboteur("8.6-14", "bytes are not received as Object")
def _(patch: Patch) -> None:
    _refuse(patch, BytesMessage, OBJECT)


@saboteur("8.6-15", "of a stream the first item is received")
def _(patch: Patch) -> None:
    def fault(message: Message, body_type: BodyType, read: Callable[[], object]) -> object:
        return message.read_object() if isinstance(message, StreamMessage) else read()

    _bodies(patch, fault)


@saboteur("8.6-16", "the body of a plain message is null")
def _(patch: Patch) -> None:
    bodied = (TextMessage, ObjectMessage, MapMessage, BytesMessage, StreamMessage)
    _null_instead(patch, lambda message, body_type: not isinstance(message, bodied))


@saboteur("8.6-17", "the body of a text as Map is null")
def _(patch: Patch) -> None:
    _null_instead(patch, lambda message, body_type: isinstance(message, TextMessage) and body_type is dict)


@saboteur("8.6-18", "the body of a text or object message that was never set is null")
def _(patch: Patch) -> None:
    def fault(message: Message, body_type: BodyType, read: Callable[[], object]) -> object:
        empty = isinstance(message, TextMessage) and message.text is None
        if empty or (isinstance(message, ObjectMessage) and message._encoded is None):  # type: ignore[attr-defined]
            return None
        return read()

    _bodies(patch, fault)


@saboteur("8.6-20", "an object that cannot be built escapes as a plain runtime exception")
def _(patch: Patch) -> None:
    def fault(message: Message, body_type: BodyType, read: Callable[[], object]) -> object:
        try:
            return read()
        except MessageFormatException as error:
            if isinstance(message, ObjectMessage) and "cannot be built" in str(error):
                raise JMSRuntimeException(str(error)) from error
            raise

    _bodies(patch, fault)


def _after_failure(patch: Patch, mode: int, fault: Callable[[ReferenceSession, Delivery], None]) -> None:
    """Run `fault` when a receiveBody has failed in a mode, after what the mode asks for."""
    original = ReferenceConsumer.hand_out_body

    def hand_out_body(self: ReferenceConsumer, delivery: Delivery, read: Callable[[Message], Any]) -> Any:
        try:
            return original(self, delivery, read)
        except MessageFormatException:
            if self.session.state.mode == mode:
                fault(session_of(self), delivery)
            raise

    patch.replace(ReferenceConsumer, "hand_out_body", hand_out_body)


def _forget(session: ReferenceSession, delivery: Delivery) -> None:
    """Take the message out of the place it was put back to."""
    delivery.source.remove(delivery.entry.number, delivery.entry.priority)


def _count(session: ReferenceSession, delivery: Delivery) -> None:
    """Count the delivery that was taken back."""
    delivery.source.counts[delivery.entry.number] = delivery.count


FAILED_AUTO = {"8.6-22": NEXT, "8.6-23": NEXT}


@saboteur("8.6-21", "with automatic acknowledgement the message of a failed call is lost", collateral=FAILED_AUTO)
def _(patch: Patch) -> None:
    _after_failure(patch, AUTO, _forget)


def shows(patch: Patch, mode: int, name: str, value: object) -> None:
    """Have deliveries of messages whose receiveBody failed in a mode show another value."""
    failed: list[Any] = []
    _after_failure(patch, mode, lambda session, delivery: failed.append(delivery.entry))
    original = getattr(Delivery, name).fget

    def shown(self: Delivery) -> object:
        return value if any(self.entry is one for one in failed) else original(self)

    patch.replace(Delivery, name, property(shown))


def _counts(patch: Patch, mode: int, count: int) -> None:
    """Have deliveries of messages whose receiveBody failed in a mode show another JMSXDeliveryCount."""
    failed: list[Any] = []
    _after_failure(patch, mode, lambda session, delivery: failed.append(delivery.entry))
    original = Delivery.properties.fget  # type: ignore[attr-defined]

    def properties(self: Delivery) -> object:
        found = dict(original(self))
        if any(self.entry is one for one in failed):
            found["JMSXDeliveryCount"] = type(found["JMSXDeliveryCount"])(count)
        return found

    patch.replace(Delivery, "properties", property(properties))


@saboteur("8.6-22", "with automatic acknowledgement the message of a failed call comes again as redelivered")
def _(patch: Patch) -> None:
    shows(patch, AUTO, "redelivered", True)


@saboteur("8.6-23", "with automatic acknowledgement the message of a failed call is counted again")
def _(patch: Patch) -> None:
    _counts(patch, AUTO, 2)


@saboteur("8.6-24", "with lazy acknowledgement the message of a failed call is lost")
def _(patch: Patch) -> None:
    _after_failure(patch, LAZY, _forget)


def _again_at_once(session: ReferenceSession, delivery: Delivery) -> None:
    """Put the message of a failed call back, as automatic acknowledgement would."""
    with session.broker.lock:
        session.state.cancel_delivery(delivery)


CLIENT_ROWS = dict.fromkeys(("8.6-26", "8.6-27", "8.6-28"), NEXT)
TRANSACTED_ROWS = dict.fromkeys(("8.6-30", "8.6-31", "8.6-32"), NEXT)


@saboteur(
    "8.6-25", "with acknowledgement by the client the message of a failed call comes again", collateral=CLIENT_ROWS
)
def _(patch: Patch) -> None:
    _after_failure(patch, CLIENT, _again_at_once)


@saboteur(
    "8.6-26",
    "with acknowledgement by the client a failed call acknowledges its message",
    collateral={"8.6-27": NEXT, "8.6-28": NEXT},
)
def _(patch: Patch) -> None:
    _settled_outside(patch, CLIENT, failed=True)


@saboteur("8.6-27", "recover() brings the message of a failed call back without JMSRedelivered")
def _(patch: Patch) -> None:
    shows(patch, CLIENT, "redelivered", False)


@saboteur("8.6-28", "recover() brings the message of a failed call back uncounted")
def _(patch: Patch) -> None:
    _counts(patch, CLIENT, 1)


@saboteur("8.6-29", "in a transaction the message of a failed call comes again", collateral=TRANSACTED_ROWS)
def _(patch: Patch) -> None:
    _after_failure(patch, TRANSACTED, _again_at_once)


@saboteur("8.6-30", "a commit does not acknowledge the message of a failed call")
def _(patch: Patch) -> None:
    failed: list[Any] = []
    _after_failure(patch, TRANSACTED, lambda session, delivery: failed.append(delivery))
    original = ReferenceSession.commit

    def commit(self: ReferenceSession) -> None:
        left = [one for one in self.state.work.acks if any(one is each for each in failed)]
        self.state.work.acks = [one for one in self.state.work.acks if one not in left]
        original(self)
        self.broker.redelivery.redeliver(left)

    patch.replace(ReferenceSession, "commit", commit)


@saboteur(
    "8.6-31",
    "a rollback brings the message of a failed call back without JMSRedelivered",
)
def _(patch: Patch) -> None:
    shows(patch, TRANSACTED, "redelivered", False)


@saboteur("8.6-32", "a rollback brings the message of a failed call back uncounted")
def _(patch: Patch) -> None:
    _counts(patch, TRANSACTED, 1)
