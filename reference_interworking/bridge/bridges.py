"""The bridges: the objects on both sides, and the states they go through.

A bridge makes proxy, connection, session, producer or consumer when it is created, connects to the proxy at its first start, and
suspends both sides at a stop, so that events which come meanwhile are carried after the next start. A start after the connection to
JMS was lost makes a new one.
"""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from reference_interworking.bridge.connecting import Trouble, connection_factory
from tck import api as jms
from tck.interworking import PERSISTENT, Converter, StructuredEvent
from tck.interworking.bridge import (
    Bridge,
    BridgeAlreadyStarted,
    BridgeInactive,
    BridgeStatus,
    DestinationType,
    EndpointError,
    EndpointErrorCode,
    ExternalEndpoint,
    InvalidExternalEndPoints,
    JMSDestination,
    MessageType,
)
from tck.interworking.channel import Channel, ChannelFactory, Suspendable
from tck.interworking.qos import (
    CONNECTION_RELIABILITY,
    FIFO_ORDER,
    ORDER_POLICY,
    PRIORITY_ORDER,
    ChannelError,
    Disconnected,
    ObjectNotExist,
)
from tck.interworking.transactions import TransactionManagement

_PAUSE_MS: Final = 100
"""How long a bridge waits after the channel has refused an event."""


@dataclass(frozen=True, slots=True)
class Way:
    """What makes the parts of a bridge, each of the bridge: see `factory.WAYS`."""

    channel: Callable[[ReferenceBridge], Any]  # the end at the channel
    jms: Callable[[ReferenceBridge], Any]  # the end at JMS
    delivery: Callable[[ReferenceBridge], Any]  # what acknowledges to the channel, or is acknowledged to by it
    unit: Callable[[ReferenceBridge], Any]  # what an item is carried in: a transaction, or nothing
    carrier: Callable[[ReferenceBridge], Any]  # what hands on each item from one end to the other
    asking: Callable[[ReferenceBridge], Any] | None = None  # what asks for data again and again


class ReferenceBridge(Bridge, TransactionManagement):
    """The life of a bridge; what it does while it runs is done by its parts.

    Attributes:
        from_: The end that data come from: it is asked, or its listener or client hands to the carrier.
        to: The end that data go to.
    """

    on_destroy: Callable[[], None]

    def __init__(
        self,
        way: Way,
        source: ExternalEndpoint,
        sink: ExternalEndpoint,
        channels: ChannelFactory,
        provider: jms.Provider,
        converter: Converter,
    ) -> None:
        self._source, self._sink = source, sink
        self.channels, self.provider, self.converter = channels, provider, converter
        # Two locks, taken in this order. `life` is held for all of a start or stop, and while routing transactions are switched: it
        # guards the state and the connections. `lock` guards session and producer, which those who carry use under it alone: a start
        # or stop waits for the step under way, and so may not hold it meanwhile.
        self.life, self.lock = threading.RLock(), threading.RLock()
        self._connected = self.started = self._suspended = self.destroyed = False
        self.ended = False  # whether delivery on the connection to the channel has ended
        point = source if isinstance(source.connector, JMSDestination) else sink
        assert isinstance(point.connector, JMSDestination)  # noqa: S101 - the factory has looked
        self.place = point.connector
        self.channel_end, self.jms_end, self.unit = way.channel(self), way.jms(self), way.unit(self)
        to_jms = point is sink
        self.from_, self.to = (self.channel_end, self.jms_end) if to_jms else (self.jms_end, self.channel_end)
        self.carrier = way.carrier(self)
        self._asking = way.asking(self) if way.asking else None
        self.proxy = self.channel_end.made_proxy(self.channel)
        try:
            self.proxy.set_qos(self._quality())
            self.subscription = self._own_name if self._durable else ""
            self.delivery = way.delivery(self)
            self._open()
            self._prepare()
        except Exception:
            with contextlib.suppress(ChannelError):
                self._disconnect()
            raise

    def _open(self) -> None:
        """Connect to JMS."""
        self.broken = threading.Event()
        self.connection = self._factory().create_connection()
        if self.subscription:
            self.connection.client_id = self.subscription
        self.connection.exception_listener = Trouble(self.broken.set)
        self.session = self.connection.create_session(transacted=False, session_mode=jms.JMSContext.AUTO_ACKNOWLEDGE)
        self.destination = self._named(self.place)

    def _factory(self) -> jms.ConnectionFactory:
        return connection_factory(self.provider, self.place)

    def _quality(self) -> dict[str, int]:
        """Return what the bridge sets on its proxy: the order of JMS, and for a queue a connection that lasts."""
        stable = self.channels.stable_priority
        quality = {ORDER_POLICY: PRIORITY_ORDER if stable else FIFO_ORDER}
        if self.place.type == DestinationType.QUEUE:
            quality[CONNECTION_RELIABILITY] = PERSISTENT
        return quality

    @property
    def _durable(self) -> bool:
        """Whether messages come from a topic by a durable subscription: the proxy has a persistent connection."""
        from_topic = self._source.connector == self.place and self.place.type == DestinationType.TOPIC
        return from_topic and self.proxy.get_qos()[CONNECTION_RELIABILITY] == PERSISTENT

    @property
    def _own_name(self) -> str:
        """The client id of the bridge, and the name of its durable subscription: no other bridge has the same proxy."""
        return f"bridge-{self.place.name}-{self.channel.id}-{self.proxy.admin.id}-{self.proxy.id}"

    def made_consumer(self) -> jms.MessageConsumer:
        """Make the consumer on the destination, durable where the connection to the channel lasts."""
        if self.subscription and isinstance(self.destination, jms.Topic):
            return self.session.create_durable_subscriber(self.destination, self.subscription)
        return self.session.create_consumer(self.destination)

    def _named(self, place: JMSDestination) -> jms.Destination:
        """Return the destination of an end point."""
        if place.type == DestinationType.QUEUE:
            return self.session.create_queue(place.name)
        return self.session.create_topic(place.name)

    def _prepare(self) -> None:
        """Make producer or consumer."""
        self.jms_end.prepare()

    # -- the life of a bridge --------------------------------------------------------------------------------------

    @property
    def end_point_receiver(self) -> ExternalEndpoint:
        """The source."""
        self.alive()
        return self._source

    @property
    def end_point_sender(self) -> ExternalEndpoint:
        """The sink."""
        self.alive()
        return self._sink

    def start_bridge(self) -> None:
        """Connect, or resume."""
        with self.life:
            self.alive()
            if self._active:
                raise BridgeAlreadyStarted("the bridge carries data")
            try:
                self._activate()
            except (ChannelError, jms.JMSException) as error:
                ours = isinstance(error, ChannelError)
                point = self._source if isinstance(self._source.connector, int) == ours else self._sink
                code = EndpointErrorCode.INVALID_CHANNELID if ours else EndpointErrorCode.INVALID_JMSDESTINATION
                raise InvalidExternalEndPoints(EndpointError(point.role, code)) from error
            self.started = True

    def _activate(self) -> None:
        """Make both sides active, or, where one of them fails, neither."""
        if self.ended:
            raise Disconnected("the channel has ended the connection")
        try:
            if self.broken.is_set():
                self._open_again()
            if not self._connected:
                self.channel_end.connect()
                self._connected = True
            elif self._suspended:
                self.proxy.resume_connection()
            self._suspended = False
            self._start_connection()
            if self._asking:
                self._asking.start()
        except Exception:
            self.started = False
            with contextlib.suppress(ChannelError, jms.JMSException):
                self._suspend()
            raise

    def _suspend(self) -> None:
        """Suspend both sides, each also where the other fails."""
        self._end_asking()
        try:
            self._stop_connection()
        finally:
            if self._connected and not self._suspended and isinstance(self.proxy, Suspendable):
                self.proxy.suspend_connection()
                self._suspended = True

    def _open_again(self) -> None:
        """Connect to JMS once more, after the connection was lost; the proxy on the channel keeps its events."""
        self._end_asking()
        with self.lock:
            with contextlib.suppress(jms.JMSException):
                self.connection.close()
            try:
                self._open()
                self.unit.renew()
                self._prepare()
            except Exception:
                self.broken.set()  # so that the next start tries once more
                raise

    def stop_bridge(self) -> None:
        """Suspend both sides."""
        with self.life:
            self.alive()
            if not self._active:
                raise BridgeInactive("the bridge does not carry data")
            self.started = False
            self._suspend()

    def get_status(self) -> BridgeStatus:
        """Return STARTED while both sides are connected and neither is suspended."""
        self.alive()
        return BridgeStatus.STARTED if self._active else BridgeStatus.STOPPED

    def destroy(self) -> None:
        """Disconnect from the proxy and close the connection."""
        with self.life:
            self.alive()
            self.destroyed, self.started = True, False
        self.on_destroy()
        self._end_asking()
        with contextlib.suppress(ChannelError):
            self._disconnect()
        with contextlib.suppress(jms.JMSException):
            self._unsubscribe()
        with contextlib.suppress(jms.JMSException):
            self.connection.close()
        with self.lock:
            self.unit.close()
        with contextlib.suppress(jms.JMSException):
            self.jms_end.close()  # and let no pull wait on

    def _unsubscribe(self) -> None:
        """Delete the durable subscription of the bridge, if it has one."""
        if self.subscription:
            self.jms_end.close()
            self.session.unsubscribe(self.subscription)

    def _end_asking(self) -> None:
        if self._asking:
            self._asking.stop()

    def enable_transaction(self, events: int, timeout: int) -> None:
        """Route by transactions."""
        with self.life, self.lock:
            self.alive()
            self.unit.enable(events, timeout)

    def disable_transaction(self) -> None:
        """Route without transactions, once a transaction that is active has ended."""
        with self.life, self.lock:
            self.alive()
            self.unit.disable()

    def _start_connection(self) -> None:
        self.connection.start()
        with self.lock:
            self.unit.start()

    def _stop_connection(self) -> None:
        self.connection.stop()
        with self.lock:
            self.unit.stop()

    @property
    def _active(self) -> bool:
        return self.started and self._connected and not (self.ended or self.broken.is_set())

    def alive(self) -> None:
        """Raise ObjectNotExist after `destroy`."""
        if self.destroyed:
            raise ObjectNotExist("the bridge was destroyed")

    @property
    def channel(self) -> Channel:
        """The channel of the end point."""
        number = self._source.connector if isinstance(self._source.connector, int) else self._sink.connector
        assert isinstance(number, int)  # noqa: S101 - the factory has looked
        return self.channels.get_channel(number)

    @property
    def sequences(self) -> bool:
        """Whether the channel carries batches here."""
        return MessageType.SEQUENCE_EVENT in (self._source.type, self._sink.type)

    def _disconnect(self) -> None:
        """Disconnect from the proxy by the operation of its kind; one that was never connected too."""
        names = (name for name in dir(self.proxy) if name.startswith("disconnect_"))
        getattr(self.proxy, next(names))()

    def pause(self) -> None:
        """Wait before something is tried again that the channel has refused."""
        self.provider.clock.event().wait(_PAUSE_MS)

    def lost(self) -> None:
        """Note that delivery on the connection to the channel has ended, and let JMS deliver no more.

        From another thread: the caller may be a listener, which JMS does not let stop its own connection.
        """
        self.ended = True
        threading.Thread(target=self._silence, name="silence", daemon=True).start()

    def _silence(self) -> None:
        with contextlib.suppress(jms.JMSException):
            self._stop_connection()

    def event(self, message: jms.Message) -> StructuredEvent | None:
        """Return the event of a message; None if that has expired."""
        return self.converter.to_event(message, self.provider.clock.now())
