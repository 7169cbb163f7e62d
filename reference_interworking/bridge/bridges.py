"""The bridges: the objects on both sides, and the states they go through.

A bridge makes proxy, connection, session, producer or consumer when it is created, connects to the proxy at its first start, and
suspends both sides at a stop, so that events which come meanwhile are carried after the next start. A start after the connection to
JMS was lost makes a new one.
"""

from __future__ import annotations

import contextlib
import threading
from abc import abstractmethod
from collections.abc import Callable
from typing import Any, ClassVar, Final

from reference_interworking.bridge.acknowledging import Consuming
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
from tck.interworking.channel import Channel, ChannelFactory, ClientType, Suspendable
from tck.interworking.clients import (
    Batch,
    SequencePushConsumer,
    StructuredPushConsumer,
)
from tck.interworking.qos import (
    CONNECTION_RELIABILITY,
    FIFO_ORDER,
    ORDER_POLICY,
    PRIORITY_ORDER,
    ChannelError,
    Disconnected,
    ObjectNotExist,
)

_PAUSE_MS: Final = 100
"""How long a bridge waits after the channel has refused an event."""


class ReferenceBridge(Bridge):
    """What all bridges have in common."""

    on_destroy: Callable[[], None]
    _consumer: jms.MessageConsumer

    def __init__(
        self,
        source: ExternalEndpoint,
        sink: ExternalEndpoint,
        channels: ChannelFactory,
        provider: jms.Provider,
        converter: Converter,
    ) -> None:
        self._source, self._sink = source, sink
        self._channels, self._provider, self._converter = channels, provider, converter
        # Two locks, taken in this order. `_life` is held for all of a start or stop, and while routing transactions are switched: it
        # guards the state and the connections. `_lock` guards session and producer, which those who carry use under it alone: a start
        # or stop waits for the step under way, and so may not hold it meanwhile.
        self._life, self._lock = threading.RLock(), threading.RLock()
        self._connected = self._started = self._suspended = self._destroyed = False
        self._lost = False  # whether delivery on the connection to the channel has ended
        point = source if isinstance(source.connector, JMSDestination) else sink
        assert isinstance(point.connector, JMSDestination)  # noqa: S101 - the factory has looked
        self._place = point.connector
        self._proxy = self._made_proxy(self._channel)
        try:
            self._proxy.set_qos(self._quality())
            self._subscription = self._own_name if self._durable else ""
            self._begin_acknowledging()
            self._open()
            self._prepare()
        except Exception:
            with contextlib.suppress(ChannelError):
                self._disconnect()
            raise

    def _open(self) -> None:
        """Connect to JMS."""
        self._broken = threading.Event()
        self._connection = self._factory().create_connection()
        if self._subscription:
            self._connection.client_id = self._subscription
        self._connection.exception_listener = Trouble(self._broken.set)
        self._session = self._connection.create_session(transacted=False, session_mode=jms.JMSContext.AUTO_ACKNOWLEDGE)
        self._destination = self._named(self._place)

    def _factory(self) -> jms.ConnectionFactory:
        return connection_factory(self._provider, self._place)

    def _quality(self) -> dict[str, int]:
        """Return what the bridge sets on its proxy: the order of JMS, and for a queue a connection that lasts."""
        stable = self._channels.stable_priority
        quality = {ORDER_POLICY: PRIORITY_ORDER if stable else FIFO_ORDER}
        if self._place.type == DestinationType.QUEUE:
            quality[CONNECTION_RELIABILITY] = PERSISTENT
        return quality

    @property
    def _durable(self) -> bool:
        """Whether messages come from a topic by a durable subscription: the proxy has a persistent connection."""
        from_topic = self._source.connector == self._place and self._place.type == DestinationType.TOPIC
        return from_topic and self._proxy.get_qos()[CONNECTION_RELIABILITY] == PERSISTENT

    @property
    def _own_name(self) -> str:
        """The client id of the bridge, and the name of its durable subscription: no other bridge has the same proxy."""
        return f"bridge-{self._place.name}-{self._channel.id}-{self._proxy.admin.id}-{self._proxy.id}"

    def _made_consumer(self) -> jms.MessageConsumer:
        """Make the consumer on the destination, durable where the connection to the channel lasts."""
        if self._subscription and isinstance(self._destination, jms.Topic):
            return self._session.create_durable_subscriber(self._destination, self._subscription)
        return self._session.create_consumer(self._destination)

    def _named(self, place: JMSDestination) -> jms.Destination:
        """Return the destination of an end point."""
        if place.type == DestinationType.QUEUE:
            return self._session.create_queue(place.name)
        return self._session.create_topic(place.name)

    # -- what differs ----------------------------------------------------------------------------------------------

    @abstractmethod
    def _made_proxy(self, channel: Channel) -> Any:  # noqa: ANN401 - one of eight kinds
        """Make the proxy on the channel."""

    @abstractmethod
    def _begin_acknowledging(self) -> None:
        """Make what numbers or acknowledges; it lives as long as the connection to the channel."""

    @abstractmethod
    def _prepare(self) -> None:
        """Make producer or consumer."""

    @abstractmethod
    def _connect(self) -> None:
        """Connect to the proxy."""

    # -- the life of a bridge --------------------------------------------------------------------------------------

    @property
    def end_point_receiver(self) -> ExternalEndpoint:
        """The source."""
        self._alive()
        return self._source

    @property
    def end_point_sender(self) -> ExternalEndpoint:
        """The sink."""
        self._alive()
        return self._sink

    def start_bridge(self) -> None:
        """Connect, or resume."""
        with self._life:
            self._alive()
            if self._active:
                raise BridgeAlreadyStarted("the bridge carries data")
            try:
                self._activate()
            except ChannelError as error:
                point = self._source if isinstance(self._source.connector, int) else self._sink
                raise InvalidExternalEndPoints(
                    EndpointError(point.role, EndpointErrorCode.INVALID_CHANNELID)
                ) from error
            except jms.JMSException as error:
                point = self._sink if isinstance(self._source.connector, int) else self._source
                raise InvalidExternalEndPoints(
                    EndpointError(point.role, EndpointErrorCode.INVALID_JMSDESTINATION)
                ) from error
            self._started = True

    def _activate(self) -> None:
        """Make both sides active, or, where one of them fails, neither."""
        if self._lost:
            raise Disconnected("the channel has ended the connection")
        try:
            if self._broken.is_set():
                self._open_again()
            if not self._connected:
                self._connect()
                self._connected = True
            elif self._suspended:
                self._proxy.resume_connection()
            self._suspended = False
            self._start_connection()
            self._begin_asking()
        except Exception:
            self._started = False
            with contextlib.suppress(ChannelError, jms.JMSException):
                self._suspend()
            raise

    def _suspend(self) -> None:
        """Suspend both sides, each also where the other fails."""
        self._end_asking()
        try:
            self._stop_connection()
        finally:
            if self._connected and not self._suspended and isinstance(self._proxy, Suspendable):
                self._proxy.suspend_connection()
                self._suspended = True

    def _open_again(self) -> None:
        """Connect to JMS once more, after the connection was lost; the proxy on the channel keeps its events."""
        self._end_asking()
        with self._lock:
            with contextlib.suppress(jms.JMSException):
                self._connection.close()
            try:
                self._open()
                self._prepare()
            except Exception:
                self._broken.set()  # so that the next start tries once more
                raise

    def stop_bridge(self) -> None:
        """Suspend both sides."""
        with self._life:
            self._alive()
            if not self._active:
                raise BridgeInactive("the bridge does not carry data")
            self._started = False
            self._suspend()

    def get_status(self) -> BridgeStatus:
        """Return STARTED while both sides are connected and neither is suspended."""
        self._alive()
        return BridgeStatus.STARTED if self._active else BridgeStatus.STOPPED

    def destroy(self) -> None:
        """Disconnect from the proxy and close the connection."""
        with self._life:
            self._alive()
            self._destroyed, self._started = True, False
        self.on_destroy()
        self._end_asking()
        with contextlib.suppress(ChannelError):
            self._disconnect()
        with contextlib.suppress(jms.JMSException):
            self._unsubscribe()
        with contextlib.suppress(jms.JMSException):
            self._connection.close()

    def _unsubscribe(self) -> None:
        """Delete the durable subscription of the bridge, if it has one."""
        if self._subscription:
            self._consumer.close()
            self._session.unsubscribe(self._subscription)

    def _start_connection(self) -> None:
        self._connection.start()

    def _stop_connection(self) -> None:
        self._connection.stop()

    def _begin_asking(self) -> None:
        """Begin to ask for data, where the bridge is the one that asks."""

    def _end_asking(self) -> None:
        """Ask no more, also where the bridge did not."""

    @property
    def _active(self) -> bool:
        return self._started and self._connected and not (self._lost or self._broken.is_set())

    def _alive(self) -> None:
        if self._destroyed:
            raise ObjectNotExist("the bridge was destroyed")

    @property
    def _channel(self) -> Channel:
        number = self._source.connector if isinstance(self._source.connector, int) else self._sink.connector
        assert isinstance(number, int)  # noqa: S101 - the factory has looked
        return self._channels.get_channel(number)

    @property
    def _sequences(self) -> bool:
        return MessageType.SEQUENCE_EVENT in (self._source.type, self._sink.type)

    @property
    def _kind(self) -> ClientType:
        return ClientType.SEQUENCE_EVENT if self._sequences else ClientType.STRUCTURED_EVENT

    def _disconnect(self) -> None:
        """Disconnect from the proxy by the operation of its kind; one that was never connected too."""
        names = (name for name in dir(self._proxy) if name.startswith("disconnect_"))
        getattr(self._proxy, next(names))()

    def pause(self) -> None:
        """Wait before something is tried again that the channel has refused."""
        self._provider.clock.event().wait(_PAUSE_MS)

    def lost(self) -> None:
        """Note that delivery on the connection to the channel has ended, and let JMS deliver no more.

        From another thread: the caller may be a listener, which JMS does not let stop its own connection.
        """
        self._lost = True
        threading.Thread(target=self._silence, name="silence", daemon=True).start()

    def _silence(self) -> None:
        with contextlib.suppress(jms.JMSException):
            self._stop_connection()

    def _event(self, message: jms.Message) -> StructuredEvent | None:
        return self._converter.to_event(message, self._provider.clock.now())


class ChannelToJms(ReferenceBridge):
    """The channel pushes, and the bridge sends."""

    consuming: ClassVar[type[Consuming]] = Consuming
    """What acknowledges; a fault has another one."""

    def _made_proxy(self, channel: Channel) -> Any:  # noqa: ANN401 - one of two kinds
        return channel.default_consumer_admin.obtain_notification_push_supplier(self._kind)[0]

    def _begin_acknowledging(self) -> None:
        self.acknowledging = self.consuming(self._proxy, self._provider.clock, self.carry)

    def _prepare(self) -> None:
        self._producer = self._session.create_producer(self._destination)

    def _connect(self) -> None:
        self.acknowledging.agree(self._channel)
        if self._sequences:
            self._proxy.connect_sequence_push_consumer(_SequenceReceiver(self))
        else:
            self._proxy.connect_structured_push_consumer(_Receiver(self))

    def carry(self, event: StructuredEvent) -> None:
        """Send the message of an event; an event that has expired is dropped."""
        with self._lock:
            made = self._converter.to_message(event, self._session, self._provider.clock.now())
            if made is not None:
                self._producer.send(
                    made.message,
                    delivery_mode=made.delivery_mode,
                    priority=made.priority,
                    time_to_live=made.time_to_live,
                )


class _Receiver(StructuredPushConsumer):
    def __init__(self, bridge: ChannelToJms) -> None:
        self._bridge = bridge

    def push_structured_event(self, event: StructuredEvent) -> None:
        self._bridge.acknowledging.take((event,))

    def disconnect_structured_push_consumer(self) -> None:
        self._bridge.lost()


class _SequenceReceiver(SequencePushConsumer):
    def __init__(self, bridge: ChannelToJms) -> None:
        self._bridge = bridge

    def push_structured_events(self, events: Batch) -> None:
        self._bridge.acknowledging.take(events)

    def disconnect_sequence_push_consumer(self) -> None:
        self._bridge.lost()
