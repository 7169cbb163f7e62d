"""The simplified API: unchecked exceptions, JMSProducer and JMSConsumer over the classic implementation."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from collections.abc import Set as AbstractSet
from types import TracebackType
from typing import TYPE_CHECKING, NoReturn, TypeVar

from reference_provider.client.consumers import ReferenceConsumer
from reference_provider.client.producers import Options, ReferenceProducer
from reference_provider.messages import create
from tck import api
from tck.api import (
    OMITTED,
    BodyType,
    CompletionListener,
    Destination,
    JMSConsumer,
    JMSException,
    JMSProducer,
    JMSRuntimeException,
    Message,
    MessageListener,
    Omitted,
)

if TYPE_CHECKING:
    from reference_provider.client.sessions import ReferenceSession

_T = TypeVar("_T")

_RUNTIME: dict[type[JMSException], type[JMSRuntimeException]] = {
    api.IllegalStateException: api.IllegalStateRuntimeException,
    api.InvalidClientIDException: api.InvalidClientIDRuntimeException,
    api.InvalidDestinationException: api.InvalidDestinationRuntimeException,
    api.InvalidSelectorException: api.InvalidSelectorRuntimeException,
    api.JMSSecurityException: api.JMSSecurityRuntimeException,
    api.MessageFormatException: api.MessageFormatRuntimeException,
    api.MessageNotWriteableException: api.MessageNotWriteableRuntimeException,
    api.ResourceAllocationException: api.ResourceAllocationRuntimeException,
    api.TransactionInProgressException: api.TransactionInProgressRuntimeException,
    api.TransactionRolledBackException: api.TransactionRolledBackRuntimeException,
}


def as_runtime(error: JMSException) -> JMSRuntimeException:
    """Return the unchecked counterpart of a checked exception, with the same reason and code."""
    return _RUNTIME.get(type(error), JMSRuntimeException)(error.reason, error.error_code, error)


class _Unchecked:
    """Turns checked exceptions into unchecked ones within a block."""

    __slots__ = ()

    def __enter__(self) -> None:
        return

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if isinstance(error, JMSException):
            raise as_runtime(error) from error


unchecked = _Unchecked()


class ReferenceJMSConsumer(JMSConsumer):
    """A consumer of the simplified API."""

    __slots__ = ("_consumer",)

    def __init__(self, consumer: ReferenceConsumer) -> None:
        self._consumer = consumer

    @property
    def message_selector(self) -> str | None:
        """Return the message selector, None if there is none."""
        with unchecked:
            return self._consumer.message_selector

    @property
    def message_listener(self) -> MessageListener | None:
        """Get or set the listener that takes the messages, None for none."""
        with unchecked:
            return self._consumer.message_listener

    @message_listener.setter
    def message_listener(self, listener: MessageListener | None) -> None:
        with unchecked:
            self._consumer.message_listener = listener

    def receive(self, timeout: int | Omitted = OMITTED) -> Message | None:
        """Receive the next message, waiting up to `timeout` milliseconds; omitted or 0 means forever."""
        with unchecked:
            return self._consumer.receive(timeout)

    def receive_no_wait(self) -> Message | None:
        """Receive the next message if one is there, otherwise None."""
        with unchecked:
            return self._consumer.receive_no_wait()

    def receive_body(self, body_type: BodyType, timeout: int | Omitted = OMITTED) -> object:
        """Receive the next message and return its body."""
        with unchecked:
            return self._body(self._consumer.timeout(timeout), body_type)

    def receive_body_no_wait(self, body_type: BodyType) -> object:
        """Receive the next message if one is there and return its body, otherwise None."""
        with unchecked:
            return self._body(0, body_type)

    def _body(self, timeout: int | None, body_type: BodyType) -> object:
        consumer = self._consumer

        def read(message: Message) -> object:
            body = message.get_body(body_type)
            if body is None:
                raise api.MessageFormatException("the message has no body", "NO_BODY")
            return body

        return consumer.receive_as(timeout, lambda delivery: consumer.hand_out_body(delivery, read))

    def close(self) -> None:
        """Close the consumer."""
        with unchecked:
            self._consumer.close()


class ReferenceJMSProducer(JMSProducer):
    """A producer of the simplified API: options, properties and headers that it sets on each message sent.

    It keeps properties and headers on a message of its own, which converts them as messages do.
    """

    __slots__ = ("_carrier", "_completion_listener", "_correlation_as_bytes", "_producer", "_session")

    def __init__(self, session: ReferenceSession) -> None:
        self._session = session
        self._producer = ReferenceProducer(session, None)
        self._carrier = create("message", session.model)
        self._completion_listener: CompletionListener | None = None
        self._correlation_as_bytes = False

    def send(
        self, destination: Destination | None, body: object, *, body_type: BodyType | Omitted = OMITTED
    ) -> JMSProducer:
        """Send a message, or a body in a message of the matching kind."""
        with unchecked:
            self._producer.check_open()
            message = self.message_for(body, body_type)
            self.overlay(message)
            target = self._producer.target(destination)
            options = self.options()
            if self._completion_listener is None:
                self._producer.send_now(message, target, options)
            else:
                self._producer.send_later(message, target, options, self._completion_listener, self)
        return self

    def options(self) -> Options:
        """Return the delivery options set on the producer."""
        return self._producer.options(OMITTED, OMITTED, OMITTED)

    def message_for(self, body: object, body_type: BodyType | Omitted) -> Message:
        """Return the message to send: `body` itself, or a message of the kind that fits it."""
        wanted = type(body) if body_type is OMITTED else body_type
        if isinstance(body, Message) or (body is None and body_type is OMITTED) or wanted is Message:
            if not isinstance(body, Message):
                raise api.MessageFormatException("the message to send is null")
            return body
        if wanted is str:
            return self._session.create_text_message(body if isinstance(body, str) else None)
        if wanted is dict:
            return self._map_message(body)
        if wanted is bytes:
            message = self._session.create_bytes_message()
            if body is not None:
                message.write_bytes(body)  # type: ignore[arg-type]
            return message
        return self._session.create_object_message(body)

    def _map_message(self, body: object) -> Message:
        message = self._session.create_map_message()
        if isinstance(body, dict):
            for name, value in body.items():
                message.set_object(name, value)
        return message

    def overlay(self, message: Message) -> None:
        """Set the producer's properties and headers on a message; others on the message stay."""
        carrier = self._carrier
        for name in carrier.get_property_names():
            message.set_object_property(name, carrier.get_object_property(name))
        if self._correlation_as_bytes:
            message.jms_correlation_id_as_bytes = carrier.jms_correlation_id_as_bytes
        elif carrier.jms_correlation_id is not None:
            message.jms_correlation_id = carrier.jms_correlation_id
        if carrier.jms_type is not None:
            message.jms_type = carrier.jms_type
        if carrier.jms_reply_to is not None:
            message.jms_reply_to = carrier.jms_reply_to

    # --- delivery options -------------------------------------------------------------------------------------

    def _set(self, name: str, value: object) -> JMSProducer:
        with unchecked:
            setattr(self._producer, name, value)
        return self

    def _get(self, read: Callable[[ReferenceProducer], _T]) -> _T:
        with unchecked:
            return read(self._producer)

    def set_disable_message_id(self, disable: bool) -> JMSProducer:
        """Set the hint that message identifiers are not needed."""
        return self._set("disable_message_id", disable)

    def get_disable_message_id(self) -> bool:
        """Get the hint that message identifiers are not needed."""
        return self._get(lambda producer: producer.disable_message_id)

    def set_disable_message_timestamp(self, disable: bool) -> JMSProducer:
        """Set the hint that timestamps are not needed."""
        return self._set("disable_message_timestamp", disable)

    def get_disable_message_timestamp(self) -> bool:
        """Get the hint that timestamps are not needed."""
        return self._get(lambda producer: producer.disable_message_timestamp)

    def set_delivery_mode(self, delivery_mode: int) -> JMSProducer:
        """Set the delivery mode."""
        return self._set("delivery_mode", delivery_mode)

    def get_delivery_mode(self) -> int:
        """Get the delivery mode."""
        return self._get(lambda producer: producer.delivery_mode)

    def set_priority(self, priority: int) -> JMSProducer:
        """Set the priority."""
        return self._set("priority", priority)

    def get_priority(self) -> int:
        """Get the priority."""
        return self._get(lambda producer: producer.priority)

    def set_time_to_live(self, time_to_live: int) -> JMSProducer:
        """Set the time to live, milliseconds."""
        return self._set("time_to_live", time_to_live)

    def get_time_to_live(self) -> int:
        """Get the time to live, milliseconds."""
        return self._get(lambda producer: producer.time_to_live)

    def set_delivery_delay(self, delivery_delay: int) -> JMSProducer:
        """Set the delay before delivery, milliseconds."""
        return self._set("delivery_delay", delivery_delay)

    def get_delivery_delay(self) -> int:
        """Get the delay before delivery, milliseconds."""
        return self._get(lambda producer: producer.delivery_delay)

    def set_async(self, completion_listener: CompletionListener | None) -> JMSProducer:
        """Set the listener that makes sends asynchronous, None for synchronous."""
        with unchecked:
            self._producer.check_open()
        self._completion_listener = completion_listener
        return self

    def get_async(self) -> CompletionListener | None:
        """Get the listener that makes sends asynchronous, None for synchronous."""
        return self._completion_listener

    # --- properties and headers -------------------------------------------------------------------------------

    def _of_carrier(self, read: Callable[[Message], _T]) -> _T:
        with unchecked:
            return read(self._carrier)

    def set_property(self, name: str, value: object) -> JMSProducer:
        """Set a property that sends put on each message, typed by its value."""
        return self.set_object_property(name, value)

    def set_object_property(self, name: str, value: object) -> JMSProducer:
        """Set a property through Java's Object overload."""
        self._of_carrier(lambda carrier: carrier.set_object_property(name, value))
        return self

    def clear_properties(self) -> JMSProducer:
        """Remove the properties set on the producer."""
        self._carrier.clear_properties()
        return self

    def property_exists(self, name: str) -> bool:
        """Return whether the property `name` is set on the producer."""
        return self._of_carrier(lambda carrier: carrier.property_exists(name))

    def get_boolean_property(self, name: str) -> bool:
        """Get a property as a Java boolean."""
        return self._of_carrier(lambda carrier: carrier.get_boolean_property(name))

    def get_byte_property(self, name: str) -> int:
        """Get a property as a Java byte."""
        return self._of_carrier(lambda carrier: carrier.get_byte_property(name))

    def get_short_property(self, name: str) -> int:
        """Get a property as a Java short."""
        return self._of_carrier(lambda carrier: carrier.get_short_property(name))

    def get_int_property(self, name: str) -> int:
        """Get a property as a Java int."""
        return self._of_carrier(lambda carrier: carrier.get_int_property(name))

    def get_long_property(self, name: str) -> int:
        """Get a property as a Java long."""
        return self._of_carrier(lambda carrier: carrier.get_long_property(name))

    def get_float_property(self, name: str) -> float:
        """Get a property as a Java float."""
        return self._of_carrier(lambda carrier: carrier.get_float_property(name))

    def get_double_property(self, name: str) -> float:
        """Get a property as a Java double."""
        return self._of_carrier(lambda carrier: carrier.get_double_property(name))

    def get_string_property(self, name: str) -> str | None:
        """Get a property as a String."""
        return self._of_carrier(lambda carrier: carrier.get_string_property(name))

    def get_object_property(self, name: str) -> object:
        """Get a property as an object of the type it was set with."""
        return self._of_carrier(lambda carrier: carrier.get_object_property(name))

    def get_property_names(self) -> AbstractSet[str]:
        """Get the names of the properties: a read-only set that follows changes on the producer."""
        return PropertyNames(self._carrier)

    def set_jms_correlation_id_as_bytes(self, correlation_id: bytes | None) -> JMSProducer:
        """Set the correlation identifier in native form."""
        with unchecked:
            self._carrier.jms_correlation_id_as_bytes = correlation_id
            self._correlation_as_bytes = correlation_id is not None
        return self

    def get_jms_correlation_id_as_bytes(self) -> bytes | None:
        """Get the correlation identifier in native form."""
        return self._of_carrier(lambda carrier: carrier.jms_correlation_id_as_bytes)

    def set_jms_correlation_id(self, correlation_id: str | None) -> JMSProducer:
        """Set the correlation identifier."""
        with unchecked:
            self._carrier.jms_correlation_id = correlation_id
            self._correlation_as_bytes = False
        return self

    def get_jms_correlation_id(self) -> str | None:
        """Get the correlation identifier."""
        return self._of_carrier(lambda carrier: carrier.jms_correlation_id)

    def set_jms_type(self, message_type: str | None) -> JMSProducer:
        """Set the type name."""
        with unchecked:
            self._carrier.jms_type = message_type
        return self

    def get_jms_type(self) -> str | None:
        """Get the type name."""
        return self._of_carrier(lambda carrier: carrier.jms_type)

    def set_jms_reply_to(self, destination: Destination | None) -> JMSProducer:
        """Set the reply destination."""
        with unchecked:
            self._carrier.jms_reply_to = destination
        return self

    def get_jms_reply_to(self) -> Destination | None:
        """Get the reply destination."""
        return self._of_carrier(lambda carrier: carrier.jms_reply_to)


class PropertyNames(AbstractSet[str]):
    """The names of the properties of a message, always current; every attempt to change the set is refused."""

    __slots__ = ("_carrier",)

    def __init__(self, carrier: Message) -> None:
        self._carrier = carrier

    def __contains__(self, name: object) -> bool:
        return name in set(self._carrier.get_property_names())

    def __iter__(self) -> Iterator[str]:
        return iter(list(self._carrier.get_property_names()))

    def __len__(self) -> int:
        return sum(1 for _ in self._carrier.get_property_names())

    @classmethod
    def _from_iterable(cls, it: Iterable[_T]) -> AbstractSet[_T]:
        return frozenset(it)

    def _refuse(self, *names: object) -> NoReturn:
        raise api.UnsupportedOperationException(f"the set of property names cannot be changed (asked for {names})")

    add = discard = remove = clear = pop = update = _refuse
