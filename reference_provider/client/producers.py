"""`ReferenceProducer`: sends messages. Each decision of a send is one method.

A send computes the headers, sets them on the sender's message through its public setters, copies the message into a
`StoredMessage` and submits that to the session.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Protocol

from reference_provider.broker.physical_destinations import NO_OVERRIDE, Override, PhysicalDestination
from reference_provider.broker.stored_message import Stamp, StoredMessage
from reference_provider.client.completions import Completion
from reference_provider.destinations import own
from reference_provider.messages import OWN, PropertyValue, assign_send_properties, send_properties, snapshot
from tck.api import (
    OMITTED,
    CompletionListener,
    DeliveryMode,
    Destination,
    IllegalArgumentException,
    IllegalStateException,
    InvalidDestinationException,
    JMSException,
    Message,
    MessageFormatException,
    MessageProducer,
    Omitted,
    UnsupportedOperationException,
)

if TYPE_CHECKING:
    from reference_provider.broker.broker import Broker
    from reference_provider.client.completions import Completions
    from reference_provider.client.session_factories import SessionConnection
    from reference_provider.client.session_state import SessionState
    from reference_provider.messages import MessageModel


class ProducerSession(Protocol):
    """The interface that a producer needs from its session; see `ReferenceSession`."""

    broker: Broker
    model: MessageModel
    connection: SessionConnection
    state: SessionState
    completions: Completions
    closed: bool

    def check_open(self) -> None:
        """Raise IllegalStateException on a closed session."""

    def submit(self, physical: PhysicalDestination, entry: StoredMessage) -> None:
        """Send a prepared message."""

    def forget_producer(self, producer: ReferenceProducer) -> None:
        """Drop a producer that is closed."""


@dataclass(frozen=True, slots=True)
class Options:
    """Delivery options of one send, from the arguments of the call or from the producer."""

    delivery_mode: int
    priority: int
    time_to_live: int
    delivery_delay: int


class ReferenceProducer(MessageProducer):
    """A producer of the classic API; those of the other APIs are built on it."""

    __slots__ = (
        "_delivery_delay",
        "_delivery_mode",
        "_destination",
        "_disable_message_id",
        "_disable_message_timestamp",
        "_options",
        "_physical",
        "_priority",
        "_time_to_live",
        "closed",
        "session",
    )

    def __init__(self, session: ProducerSession, destination: Destination | None) -> None:
        self.session = session
        self.closed = False
        self._destination = destination
        self._disable_message_id = False
        self._disable_message_timestamp = False
        self._delivery_mode: int = Message.DEFAULT_DELIVERY_MODE
        self._priority: int = Message.DEFAULT_PRIORITY
        self._time_to_live: int = Message.DEFAULT_TIME_TO_LIVE
        self._delivery_delay: int = Message.DEFAULT_DELIVERY_DELAY
        self._options: Options | None = None  # made from the four above when needed
        self._physical: PhysicalDestination | None = None  # of _destination, once it has been needed

    def check_open(self) -> None:
        """Raise IllegalStateException on a closed producer or session."""
        self.session.check_open()
        if self.closed:
            raise IllegalStateException("the producer is closed", "PRODUCER_CLOSED")

    # --- settings ---------------------------------------------------------------------------------------------

    @property
    def disable_message_id(self) -> bool:
        """Get or set the hint that message identifiers are not needed; it is honoured: they are then null."""
        self.check_open()
        return self._disable_message_id

    @disable_message_id.setter
    def disable_message_id(self, disable: bool) -> None:
        self.check_open()
        self._disable_message_id = bool(disable)

    @property
    def disable_message_timestamp(self) -> bool:
        """Get or set the hint that timestamps are not needed; it is honoured: they are then 0."""
        self.check_open()
        return self._disable_message_timestamp

    @disable_message_timestamp.setter
    def disable_message_timestamp(self, disable: bool) -> None:
        self.check_open()
        self._disable_message_timestamp = bool(disable)

    @property
    def delivery_mode(self) -> int:
        """Get or set the default delivery mode; JMSException for any but 1 and 2."""
        self.check_open()
        return self._delivery_mode

    @delivery_mode.setter
    def delivery_mode(self, delivery_mode: int) -> None:
        self.check_open()
        self._delivery_mode = checked_mode(delivery_mode)
        self._options = None

    @property
    def priority(self) -> int:
        """Get or set the default priority; JMSException outside of 0 to 9."""
        self.check_open()
        return self._priority

    @priority.setter
    def priority(self, priority: int) -> None:
        self.check_open()
        self._priority = checked_priority(priority)
        self._options = None

    @property
    def time_to_live(self) -> int:
        """Get or set the default time to live, ms; 0 means forever; JMSException for negative values."""
        self.check_open()
        return self._time_to_live

    @time_to_live.setter
    def time_to_live(self, time_to_live: int) -> None:
        self.check_open()
        self._time_to_live = checked_duration("time to live", time_to_live)
        self._options = None

    @property
    def delivery_delay(self) -> int:
        """Get or set the delay before delivery, ms; JMSException for negative values."""
        self.check_open()
        return self._delivery_delay

    @delivery_delay.setter
    def delivery_delay(self, delivery_delay: int) -> None:
        self.check_open()
        self._delivery_delay = checked_duration("delivery delay", delivery_delay)
        self._options = None

    @property
    def destination(self) -> Destination | None:
        """Return the destination of the producer, None if it was created without one."""
        self.check_open()
        return self._destination

    def close(self) -> None:
        """Close the producer after its asynchronous sends; IllegalStateException in one of their callbacks."""
        if self.closed or self.session.closed:
            return
        if self.session.completions.is_current_thread():
            raise IllegalStateException(
                "a producer cannot be closed by a completion callback of its session", "IN_CALLBACK"
            )
        self.session.completions.wait_until_done(self)
        self.closed = True
        self.session.forget_producer(self)

    # --- sending ----------------------------------------------------------------------------------------------

    def send(
        self,
        message: Message,
        *,
        destination: Destination | Omitted | None = OMITTED,
        delivery_mode: int | Omitted = OMITTED,
        priority: int | Omitted = OMITTED,
        time_to_live: int | Omitted = OMITTED,
        completion_listener: CompletionListener | Omitted | None = OMITTED,
    ) -> None:
        """Send `message`; with a completion listener, return early and call the listener when it is done."""
        self.check_open()
        options = self.options(delivery_mode, priority, time_to_live)
        target = self.target(destination)
        if completion_listener is OMITTED:
            self.send_now(message, target, options)
        elif completion_listener is None:
            raise IllegalArgumentException("an asynchronous send needs a completion listener")
        else:
            self.send_later(message, target, options, completion_listener, self)

    def options(self, delivery_mode: int | Omitted, priority: int | Omitted, time_to_live: int | Omitted) -> Options:
        """Return the options of a send: the three arguments, given together, otherwise the producer's own."""
        if delivery_mode is OMITTED and priority is OMITTED and time_to_live is OMITTED:
            return self._options or self._own_options()
        if delivery_mode is OMITTED or priority is OMITTED or time_to_live is OMITTED:
            raise TypeError("send takes delivery_mode, priority and time_to_live together or none of them")
        return Options(
            checked_mode(delivery_mode),
            checked_priority(priority),
            checked_duration("time to live", time_to_live),
            self._delivery_delay,
        )

    def _own_options(self) -> Options:
        self._options = Options(self._delivery_mode, self._priority, self._time_to_live, self._delivery_delay)
        return self._options

    def target(self, destination: Destination | Omitted | None) -> Destination:
        """Return the destination of a send: the producer's, or the argument for a producer without one."""
        if self._destination is not None:
            if destination is not OMITTED:
                raise UnsupportedOperationException(
                    f"the producer sends to {self._destination}: a destination cannot be given with each send"
                )
            return self._destination
        if destination is OMITTED:
            raise UnsupportedOperationException("the producer has no destination: give one with each send")
        if destination is None:
            raise InvalidDestinationException("the destination of a send is null")
        return destination

    def send_now(self, message: Message, destination: Destination, options: Options) -> None:
        """Send; return when the message is as safe as its delivery mode demands."""
        physical, entry = self.prepare(message, destination, options)
        self.session.submit(physical, entry)

    def send_later(
        self, message: Message, destination: Destination, options: Options, listener: CompletionListener, sender: object
    ) -> None:
        """Send; the session's completion thread calls the listener.

        Wrong arguments raise; an error of the send itself goes to the listener.
        """
        physical, entry = self.prepare(message, destination, options)
        error: JMSException | None = None
        try:
            self.session.submit(physical, entry)
        except JMSException as problem:
            error = problem
        self.session.completions.add(Completion(sender, listener, message, error))

    def prepare(
        self, message: Message, destination: Destination, options: Options
    ) -> tuple[PhysicalDestination, StoredMessage]:
        """Set the headers on the sender's message and copy the message."""
        if type(message) not in OWN and not isinstance(message, Message):
            raise MessageFormatException(f"a message is needed, not {message!r}")
        physical = self.physical_destination(destination)
        stamp = self.stamp_for(physical, options)
        write_headers(message, stamp)
        properties = self.properties()
        assign_send_properties(message, properties)
        return physical, self.freeze(message, stamp, properties)

    def physical_destination(self, destination: Destination) -> PhysicalDestination:
        """Return the physical destination of a send; that of the producer's own destination is looked up once."""
        physical = self._physical
        if physical is not None and not physical.removed and destination is self._destination:
            return physical
        broker = self.session.broker
        with broker.lock:
            physical = broker.physical_destination(destination)
        if destination is self._destination:
            self._physical = physical
        return physical

    def stamp_for(self, physical: PhysicalDestination, options: Options) -> Stamp:
        """Compute all headers of a send, with an administrator's overrides."""
        now = self.session.broker.clock.now()
        if physical.override is not NO_OVERRIDE:
            options = overridden(physical.override, options)
        parts = (
            physical.destination,
            options.delivery_mode,
            self.expiration(now, options.time_to_live),
            self.delivery_time(now, options.delivery_delay),
            self.message_id(),
            self.timestamp(now),
            options.priority,
        )
        return tuple.__new__(Stamp, parts)  # as `Stamp(...)` does, in half the time

    def expiration(self, now: int, time_to_live: int) -> int:
        """Compute JMSExpiration: 0 without a time to live."""
        return now + time_to_live if time_to_live else 0

    def delivery_time(self, now: int, delay: int) -> int:
        """Compute JMSDeliveryTime: the time of the send itself without a delay."""
        return now + delay

    def message_id(self) -> str | None:
        """Return a new JMSMessageID, or null if the hint says that none is needed."""
        return None if self._disable_message_id else self.session.broker.unique_name("ID:")

    def timestamp(self, now: int) -> int:
        """Return JMSTimestamp, or 0 if the hint says that none is needed."""
        return 0 if self._disable_message_timestamp else now

    def properties(self) -> Mapping[str, PropertyValue]:
        """Return the JMSX properties set on send."""
        transaction = self.session.state.transaction_id()
        always = self.session.connection.send_properties
        return always if transaction is None else {**always, **send_properties(transaction=transaction)}

    def freeze(self, message: Message, stamp: Stamp, properties: Mapping[str, PropertyValue]) -> StoredMessage:
        """Copy a message with its headers into a `StoredMessage`."""
        connection = self.session.connection
        model = self.session.model
        frozen = snapshot(message, model, properties)
        if frozen.reply_to is not None:
            frozen = frozen._replace(reply_to=own(frozen.reply_to))
        return StoredMessage(frozen, stamp, connection.identity, model.version)


def write_headers(message: Message, stamp: Stamp) -> None:
    """Set the headers of a send on the sender's message, also on one of another provider."""
    message.jms_destination = stamp.destination
    message.jms_delivery_mode = stamp.delivery_mode
    message.jms_expiration = stamp.expiration
    if type(stamp) is Stamp:  # a version without delivery delays does not have this header
        message.jms_delivery_time = stamp.delivery_time
    message.jms_message_id = stamp.message_id
    message.jms_timestamp = stamp.timestamp
    message.jms_priority = stamp.priority


def overridden(override: Override, options: Options) -> Options:
    """Return the options of a send with an administrator's overrides."""
    prescribed = {
        name: value
        for name in ("delivery_mode", "priority", "time_to_live", "delivery_delay")
        if (value := getattr(override, name)) is not OMITTED
    }
    return replace(options, **prescribed)


def checked_mode(mode: int) -> int:
    """Check a delivery mode."""
    if mode not in {DeliveryMode.NON_PERSISTENT, DeliveryMode.PERSISTENT}:
        raise JMSException(
            f"a delivery mode is 1 (NON_PERSISTENT) or 2 (PERSISTENT), not {mode!r}", "BAD_DELIVERY_MODE"
        )
    return mode


def checked_priority(priority: int) -> int:
    """Check a priority."""
    if not 0 <= priority <= 9:
        raise JMSException(f"a priority is 0 to 9, not {priority!r}", "BAD_PRIORITY")
    return priority


def checked_duration(what: str, ms: int) -> int:
    """Check a duration in milliseconds."""
    if ms < 0:
        raise JMSException(f"a {what} cannot be negative: {ms} ms", "BAD_DURATION")
    return ms
