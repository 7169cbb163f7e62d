"""The message object: headers, properties, acknowledgement, and the part that all kinds of body share.

A plain message is a `ReferenceMessage` without a body. The five kinds with a body derive from it and from the abstract
type of their kind; each keeps its body in its own slots and overrides the methods at the end of `ReferenceMessage`.

Most headers are plain slots: a client may set any of them at any time, also on received messages (3.10-1), and that has
no effect on a send.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import ClassVar

from reference_provider.messages import conversions, names, values
from reference_provider.messages.model import (
    NO_PROPERTIES,
    Body,
    Delivery,
    Kind,
    MessageModel,
    PropertyValue,
    Snapshot,
)
from tck.api import (
    BodyType,
    Destination,
    Message,
    MessageFormatException,
    MessageNotWriteableException,
    NullPointerException,
)


class ReferenceMessage(Message):
    """A message of the reference provider; without a body unless a subclass adds one."""

    __slots__ = (
        "_acknowledge",
        "_correlation",
        "_model",
        "_properties",
        "_properties_writable",
        "_provider_properties",
        "jms_delivery_mode",
        "jms_delivery_time",
        "jms_destination",
        "jms_expiration",
        "jms_message_id",
        "jms_priority",
        "jms_redelivered",
        "jms_reply_to",
        "jms_timestamp",
        "jms_type",
    )

    KIND: ClassVar[Kind] = "message"

    jms_message_id: str | None
    jms_timestamp: int
    jms_reply_to: Destination | None
    jms_destination: Destination | None
    jms_delivery_mode: int
    jms_redelivered: bool
    jms_type: str | None
    jms_expiration: int
    jms_delivery_time: int
    jms_priority: int

    _model: MessageModel
    _correlation: str | bytes | None
    _properties: dict[str, PropertyValue]
    _provider_properties: Mapping[str, PropertyValue]
    _properties_writable: bool
    _acknowledge: Callable[[], None] | None

    def __init__(self, model: MessageModel) -> None:
        self._model = model
        self.jms_message_id = None
        self.jms_timestamp = 0
        self.jms_reply_to = None
        self.jms_destination = None
        self.jms_delivery_mode = Message.DEFAULT_DELIVERY_MODE
        self.jms_redelivered = False
        self.jms_type = None
        self.jms_expiration = 0
        self.jms_delivery_time = 0
        self.jms_priority = Message.DEFAULT_PRIORITY
        self._correlation = None
        self._properties = {}
        self._provider_properties = NO_PROPERTIES
        self._properties_writable = True
        self._acknowledge = None
        self._empty_body()

    def restore(self, snapshot: Snapshot, delivery: Delivery, model: MessageModel) -> None:
        """Set the state from a snapshot and its delivery; body and properties are then read-only.

        Called instead of `__init__`, which would create an empty message first.
        """
        self._model = model
        self.jms_message_id = delivery.message_id
        self.jms_timestamp = delivery.timestamp
        self.jms_destination = delivery.destination
        self.jms_delivery_mode = delivery.delivery_mode
        self.jms_redelivered = delivery.redelivered
        self.jms_expiration = delivery.expiration
        self.jms_delivery_time = delivery.delivery_time
        self.jms_priority = delivery.priority
        self.jms_reply_to = snapshot.reply_to
        self.jms_type = snapshot.type
        self._correlation = snapshot.correlation
        self._properties = dict(snapshot.properties)
        self._provider_properties = delivery.properties
        self._properties_writable = False
        self._acknowledge = delivery.acknowledge
        self._restore_body(snapshot.body)

    def __repr__(self) -> str:
        return f"<{self.KIND} message {self.jms_message_id or 'without id'}>"

    def leave_out(self, name: str) -> None:
        """Leave out a property that the provider set on receipt."""
        self._provider_properties = {each: value for each, value in self._provider_properties.items() if each != name}

    def frozen(self) -> Snapshot:
        """Return a copy of the contents, safe from later changes (3.9-1, 3.9-2)."""
        parts = (
            self.KIND,
            self._frozen_body(),
            self._frozen_properties(),
            self._correlation,
            None if self.jms_reply_to is None else checked_reply_to(self.jms_reply_to),
            None if self.jms_type is None else values.of_string(self.jms_type),
        )
        return tuple.__new__(Snapshot, parts)  # as `Snapshot(...)` does, in half the time

    # Headers with a second form

    @property
    def jms_correlation_id(self) -> str | None:
        """Get or set the correlation id; one set as bytes is returned as the text they are in UTF-8."""
        value = self._correlation
        return value.decode("utf-8", "replace") if isinstance(value, bytes) else value

    @jms_correlation_id.setter
    def jms_correlation_id(self, correlation_id: str | None) -> None:
        self._correlation = values.of_string(correlation_id)

    @property
    def jms_correlation_id_as_bytes(self) -> bytes | None:
        """Get or set the correlation id as bytes, copied (3.4.5-6); one set as text is returned in UTF-8."""
        value = self._correlation
        return value.encode("utf-8", "surrogatepass") if isinstance(value, str) else value

    @jms_correlation_id_as_bytes.setter
    def jms_correlation_id_as_bytes(self, correlation_id: bytes | None) -> None:
        self._correlation = values.of_array(correlation_id)

    # Properties

    def clear_properties(self) -> None:
        """Remove all properties and make them writable; body and headers stay (3.5.7-3, 3.5.7-4)."""
        self._properties = {}
        self._provider_properties = NO_PROPERTIES
        self._properties_writable = True

    def property_exists(self, name: str) -> bool:
        """Return whether the property is set, also if it is null (3.5.8-3)."""
        return name in self._properties or name in self._provider_properties

    def get_property_names(self) -> Iterator[str]:
        """Return the name of each property once, in no particular order."""
        return iter(
            [*self._provider_properties, *(each for each in self._properties if each not in self._provider_properties)]
        )

    def get_boolean_property(self, name: str) -> bool:
        """Get a property as boolean."""
        value: bool = self._converted_property(name, "boolean")
        return value

    def get_byte_property(self, name: str) -> int:
        """Get a property as byte."""
        value: int = self._converted_property(name, "byte")
        return value

    def get_short_property(self, name: str) -> int:
        """Get a property as short."""
        value: int = self._converted_property(name, "short")
        return value

    def get_int_property(self, name: str) -> int:
        """Get a property as int."""
        value: int = self._converted_property(name, "int")
        return value

    def get_long_property(self, name: str) -> int:
        """Get a property as long."""
        value: int = self._converted_property(name, "long")
        return value

    def get_float_property(self, name: str) -> float:
        """Get a property as float."""
        value: float = self._converted_property(name, "float")
        return value

    def get_double_property(self, name: str) -> float:
        """Get a property as double."""
        value: float = self._converted_property(name, "double")
        return value

    def get_string_property(self, name: str) -> str | None:
        """Return a property as String, None if it is null or not set."""
        text: str | None = self._converted_property(name, "String")
        return text

    def get_object_property(self, name: str) -> object:
        """Return a property in the type it was set with, None if it is null or not set (3.5.5-3, 3.5.5-5)."""
        return self._property(name)

    def set_boolean_property(self, name: str, value: bool) -> None:
        """Set a boolean property."""
        self._check_property_writable(name)
        self._set_property(name, values.of_boolean(value))

    def set_byte_property(self, name: str, value: int) -> None:
        """Set a byte property."""
        self._check_property_writable(name)
        self._set_property(name, values.of_byte(value))

    def set_short_property(self, name: str, value: int) -> None:
        """Set a short property."""
        self._check_property_writable(name)
        self._set_property(name, values.of_short(value))

    def set_int_property(self, name: str, value: int) -> None:
        """Set an int property."""
        self._check_property_writable(name)
        self._set_property(name, values.of_int(value))

    def set_long_property(self, name: str, value: int) -> None:
        """Set a long property."""
        self._check_property_writable(name)
        self._set_property(name, values.of_long(value))

    def set_float_property(self, name: str, value: float) -> None:
        """Set a float property."""
        self._check_property_writable(name)
        self._set_property(name, values.of_float(value))

    def set_double_property(self, name: str, value: float) -> None:
        """Set a double property."""
        self._check_property_writable(name)
        self._set_property(name, values.of_double(value))

    def set_string_property(self, name: str, value: str | None) -> None:
        """Set a String property, or a null one (3.12-12)."""
        self._check_property_writable(name)
        self._set_property(name, values.of_string(value))

    def set_object_property(self, name: str, value: object) -> None:
        """Set a property by the type of the value.

        Raises:
            MessageFormatException: the value is of none of the eight property types (3.5.5-2).
        """
        self._check_property_writable(name)
        self._set_property(name, values.property_object(value))

    def _check_property_writable(self, name: str) -> None:
        if not self._properties_writable:
            raise MessageNotWriteableException(
                f"the properties of a received message are read-only, {name!r} too; clear_properties() first"
            )
        names.check_property_name(name, self._model.version)

    def _set_property(self, name: str, value: PropertyValue) -> None:
        names.check_jmsx_type(name, value)
        self._properties[name] = value

    def _property(self, name: str) -> PropertyValue:
        """Return the stored value, None if it is null or not set; the provider's value takes precedence."""
        if name in self._provider_properties:
            return self._provider_properties[name]
        return self._properties.get(name)

    def _converted_property(self, name: str, target: conversions.Target) -> conversions.Plain:
        """Return a property in a type; one that is not set counts as null (3.5.8-2).

        Calls as few functions as possible: clients may read all properties of each message.
        """
        provided = self._provider_properties
        value = provided[name] if name in provided else self._properties.get(name)
        if value is None and target != "String" and not self.property_exists(name):
            self._check_absent_property(name)
        conversion = conversions.PROPERTY_TABLE[target].get(type(value))
        if conversion is None:
            raise conversions.refusal(value, target, f"the property {name!r}")
        return value if conversion is conversions.same else conversion(value)

    def _check_absent_property(self, name: str) -> None:
        """Refuse to read a property that was never set as a primitive; only version 1.0 does so (3.5.8-4)."""
        if self._model.version == "1.0":
            raise NullPointerException(f"the property {name!r} is not set")

    def assign_send_properties(self, properties: Mapping[str, PropertyValue]) -> None:
        """Set the provider's properties of a send, replacing earlier values under these names (3.5.9-9)."""
        if self._provider_properties and not names.SET_ON_RECEIPT.isdisjoint(self._provider_properties):
            on_receipt = {
                name: value for name, value in self._provider_properties.items() if name in names.SET_ON_RECEIPT
            }
            properties = {**on_receipt, **properties}
        self._provider_properties = properties
        if not names.SET_BY_PROVIDER.isdisjoint(self._properties):
            self._properties = dict(self._client_properties())

    def _client_properties(self) -> Mapping[str, PropertyValue]:
        """Return the properties that the client has set, without names that are the provider's to set."""
        if names.SET_BY_PROVIDER.isdisjoint(self._properties):
            return self._properties
        return {name: value for name, value in self._properties.items() if name not in names.SET_BY_PROVIDER}

    def _frozen_properties(self) -> dict[str, PropertyValue]:
        """Return the properties that are sent: the client's own and those the provider set on send."""
        sent = self._provider_properties
        if not names.SET_ON_RECEIPT.isdisjoint(sent):
            sent = {name: value for name, value in sent.items() if name in names.SET_ON_SEND}
        return {**self._client_properties(), **sent}

    # Acknowledgement

    def acknowledge(self) -> None:
        """Acknowledge all messages that the session has consumed; no effect on a message that was not received."""
        if self._acknowledge is not None:
            self._acknowledge()

    # Body

    def clear_body(self) -> None:
        """Empty the body and make it writable; headers and properties stay (3.11.1-2, 3.11.1-3)."""
        self._empty_body()

    def get_body(self, body_type: BodyType) -> object:
        """Return the body as this type, None if there is no body (3.11-36, 3.11-37).

        Raises:
            MessageFormatException: the body cannot be assigned to the type.
        """
        _check_body_type(body_type)
        if not self._has_body():
            return None
        body = self._body_as(body_type)
        if body is None:
            raise MessageFormatException(f"the body of a {self.KIND} message cannot be given as {body_type!r}")
        return body

    def is_body_assignable_to(self, body_type: BodyType) -> bool:
        """Return whether `get_body` with this type would succeed; always true without a body (3.11-42)."""
        _check_body_type(body_type)
        return not self._has_body() or self._accepts_body_type(body_type)

    # What each kind of body answers

    def _empty_body(self) -> None:
        """Set the body to the state of a new message."""

    def _restore_body(self, body: Body) -> None:
        """Set the body from a snapshot, read-only."""

    def _frozen_body(self) -> Body:
        """Return the body for a snapshot, safe from later changes."""
        return None

    def _has_body(self) -> bool:
        return False

    def _accepts_body_type(self, body_type: BodyType) -> bool:  # noqa: ARG002 - a plain message has no body to ask about
        """Return whether the body, if there is one, can be returned as this type."""
        return False

    def _body_as(self, body_type: BodyType) -> object:
        """Return the body, which exists, as this type; None if that is impossible."""
        return self._body_value() if self._accepts_body_type(body_type) else None

    def _body_value(self) -> object:
        """Return a copy of the body, which exists."""
        return None


def _check_body_type(body_type: BodyType) -> None:
    if body_type is None:
        raise NullPointerException("a body type is wanted, not null")


def checked_reply_to(destination: Destination | None) -> Destination | None:
    """Check a reply destination.

    Raises:
        MessageFormatException: it is no destination.
    """
    if destination is None or isinstance(destination, Destination):
        return destination
    raise MessageFormatException(f"JMSReplyTo is a destination, not {values.type_name(destination)}")
