"""Faults of bridges that run: of their factory, and of each bridge that it makes."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from dataclasses import replace
from typing import Any, ClassVar

from faults.interworking.registry import Faults, declare
from reference_bridge.bridges import ReferenceBridge
from reference_bridge.factory import ReferenceFactory
from tck import api as jms
from tck.interworking import BridgeError, StructuredEvent
from tck.interworking.bridge import (
    Bridge,
    BridgeStatus,
    DestinationType,
    EndpointError,
    EndpointErrorCode,
    ExternalEndpoint,
    FlowStyle,
    InvalidExternalEndPoints,
    JMSDestination,
    StyleNotOffered,
)
from tck.interworking.channel import Channel, ClientType
from tck.interworking.qos import ANY_ORDER, MAXIMUM_BATCH_SIZE, ORDER_POLICY, ChannelError, Disconnected

PUSH, PULL = FlowStyle.PUSH, FlowStyle.PULL
MISMATCH = EndpointErrorCode.MISMATCH_ENDPOINTROLE_NOTIFSTYLE


def _mixed(rows: str, title: str) -> Callable[[type], type]:
    """Declare a class that is mixed into every bridge as a fault."""

    def note(mixin: type) -> type:
        declare(rows, title, Faults(mixin=mixin))
        return mixin

    return note


def _of_factory(rows: str, title: str) -> Callable[[Callable[[ReferenceFactory], None]], None]:
    """Declare a function that breaks a factory as a fault."""

    def note(change: Callable[[ReferenceFactory], None]) -> None:
        declare(rows, title, Faults(of_factory=change))

    return note


@_mixed(
    "iw-2.1-1 iw-2.1-3 iw-2.1-8 iw-2.1-9 iw-2.2-7 iw-2.2-10 iw-2.3-10 iw-2.3-37 iw-3.1.2.1-1", "bridges carry nothing"
)
class Nothing:
    def carry(self, item: object) -> None:
        pass

    def next_event(self, *, wait: bool) -> StructuredEvent | None:
        if wait:
            raise Disconnected("nothing is carried")
        return None


@_mixed(
    "iw-2.1-6 iw-2.1-7 iw-2.2-4 iw-2.3-6 iw-2.3-7 iw-2.3-11 iw-2.3-12 iw-2.3-13 iw-2.3-14 iw-3.1.1.2-2 iw-3.1.1.3-1",
    "sequences are single events, and single events sequences",
)
class Swapped(ReferenceBridge):
    @property
    def _sequences(self) -> bool:
        return not super()._sequences


@_mixed("iw-2.1-4 iw-2.1-5 iw-2.3-16", "a bridge makes a proxy that it does not use")
class TwoProxies(ReferenceBridge):
    def _prepare(self) -> None:
        super()._prepare()  # type: ignore[safe-super]
        self._made_proxy(self._channel)


@_mixed("iw-2.1-10", "the proxy has batches of its own size")
class OwnQuality(ReferenceBridge):
    def _prepare(self) -> None:
        super()._prepare()  # type: ignore[safe-super]
        self._proxy.set_qos({MAXIMUM_BATCH_SIZE: 7})


class _Echo(jms.MessageListener):
    def __init__(self, bridge: ReferenceBridge, proxy: Any) -> None:
        self._bridge, self._proxy = bridge, proxy

    def on_message(self, message: jms.Message) -> None:
        if not message.property_exists("$event_name") and (event := self._bridge._event(message)):
            self._proxy.push_structured_event(event)


@_mixed("iw-2.2-2 iw-2.3-1", "what is sent to the sink goes back to the channel")
class TwoWay(ReferenceBridge):
    def _connect(self) -> None:
        super()._connect()  # type: ignore[safe-super]
        connection = self._provider.connection_factory().create_connection()
        session = connection.create_session(transacted=False, session_mode=jms.JMSContext.AUTO_ACKNOWLEDGE)
        admin = self._channel.default_supplier_admin
        proxy: Any = admin.obtain_notification_push_consumer(ClientType.STRUCTURED_EVENT)[0]
        proxy.connect_structured_push_supplier(None)
        if isinstance(self._destination, jms.Queue):
            for message in session.create_browser(self._destination).get_enumeration():
                _Echo(self, proxy).on_message(message)
        self._echo = session.create_consumer(self._destination)
        self._echo.message_listener = _Echo(self, proxy)
        connection.start()


@_mixed("iw-2.3-2", "a stop stops every bridge")
class OneState(ReferenceBridge):
    every: ClassVar[list[ReferenceBridge]] = []

    def _prepare(self) -> None:
        super()._prepare()  # type: ignore[safe-super]
        self.every.append(self)

    def stop_bridge(self) -> None:
        for each in self.every:
            if each is self or each._active:
                with contextlib.suppress(ChannelError, jms.JMSException):
                    ReferenceBridge.stop_bridge(each)


@_mixed(
    "iw-2.2-1 iw-2.3-3 iw-3.1.1-1 iw-3.1.1.1-1 iw-3.1.2-1 iw-3.1.2-2", "the end points are told the other way round"
)
class TurnedRound(ReferenceBridge):
    @property
    def end_point_receiver(self) -> ExternalEndpoint:
        return self._sink

    @property
    def end_point_sender(self) -> ExternalEndpoint:
        return self._source


@_mixed("iw-2.2-3 iw-3.1.1.2-5", "the kind of the destination is ignored")
class OtherKind(ReferenceBridge):
    def _named(self, place: JMSDestination) -> jms.Destination:
        other = DestinationType.TOPIC if place.type == DestinationType.QUEUE else DestinationType.QUEUE
        return super()._named(replace(place, type=other))


@_mixed("iw-3.1.1.2-1 iw-3.1.1.2-6", "the name of the destination is ignored")
class OtherName(ReferenceBridge):
    def _named(self, place: JMSDestination) -> jms.Destination:
        return super()._named(replace(place, name=f"{place.name}.x"))


@_mixed("iw-3.1.1.2-8", "the newest channel is used")
class NewestChannel(ReferenceBridge):
    @property
    def _channel(self) -> Channel:
        return self._channels.get_channel(self._channels.get_all_channels()[-1])


@_mixed("iw-2.3-19 iw-2.3-23", "a bridge connects when it is made")
class EagerConnect(ReferenceBridge):
    def _prepare(self) -> None:
        super()._prepare()  # type: ignore[safe-super]
        self._connect()
        self._connected = True


@_mixed("iw-2.3-20 iw-3.1.2.1-5", "a start that fails is told as one that succeeded")
class Hopeful(ReferenceBridge):
    def start_bridge(self) -> None:
        with contextlib.suppress(BridgeError):
            super().start_bridge()
        self._started = self._connected = True
        self._lost = False


@_mixed("iw-2.3-21 iw-2.3-31", "the loss of the channel is not noticed")
class Unaware(ReferenceBridge):
    def lost(self) -> None:
        pass


@_mixed("iw-2.3-22 iw-2.3-27 iw-3.1.2.1-3 iw-3.1.2.3-1", "the state is always stopped")
class AlwaysStopped(ReferenceBridge):
    def get_status(self) -> BridgeStatus:
        super().get_status()
        return BridgeStatus.STOPPED


@_mixed("iw-2.3-25", "a second start connects anew")
class Anew(ReferenceBridge):
    def start_bridge(self) -> None:
        if self._connected and not self._active:
            self._proxy = self._made_proxy(self._channel)
            self._connected = False
        super().start_bridge()


@_mixed("iw-2.3-28 iw-3.1.2.2-2 iw-3.1.2.2-3", "a stop changes the state alone")
class StateOnly(ReferenceBridge):
    def stop_bridge(self) -> None:
        self._started = False

    def start_bridge(self) -> None:
        if self._connected:
            self._started = True
        else:
            super().start_bridge()


@_mixed("iw-3.1.2.2-4", "a stop leaves the state as it is")
class StillStarted(ReferenceBridge):
    def stop_bridge(self) -> None:
        super().stop_bridge()
        self._started = True


@_mixed("iw-2.3-34", "a destroyed bridge still answers")
class Undead(ReferenceBridge):
    def _alive(self) -> None:
        pass


@_mixed("iw-2.3-35 iw-3.1.2.4-1 iw-3.1.2.4-2", "destroy leaves the proxy connected")
class LeftBehind(ReferenceBridge):
    def _disconnect(self) -> None:
        pass


@_mixed("iw-2.5.6-1 iw-2.5.6-8 iw-2.5.6-9 iw-2.5.6-10", "every second item goes first")
class Overtaking(ReferenceBridge):
    held: Any = None

    def carry(self, item: Any) -> None:
        if self.held is None:
            self.held = item
            return
        first, self.held = self.held, None
        super().carry(item)  # type: ignore[misc]
        super().carry(first)  # type: ignore[misc]


@_mixed("iw-2.5.6-5 iw-2.5.6-6", "the proxy has any order")
class AnyOrder(ReferenceBridge):
    def _prepare(self) -> None:
        super()._prepare()  # type: ignore[safe-super]
        self._proxy.set_qos({ORDER_POLICY: ANY_ORDER})


@_mixed("iw-3.1-13 iw-3.1.2.1-4", "a second start returns")
class Patient(ReferenceBridge):
    def start_bridge(self) -> None:
        if not self._active:
            super().start_bridge()


@_mixed("iw-3.1.2.2-1 iw-3.1.2.2-5", "a stop of a stopped bridge returns")
class Careless(ReferenceBridge):
    def stop_bridge(self) -> None:
        if self._active:
            super().stop_bridge()


@_mixed("iw-3.1.2.1-2", "the connection to JMS is started when the bridge is made")
class EagerConnection(ReferenceBridge):
    def _prepare(self) -> None:
        super()._prepare()  # type: ignore[safe-super]
        self._connection.start()

    def _start_connection(self) -> None:
        pass


@_mixed("iw-2.3-15", "a bridge makes a session that it does not use")
class TwoSessions(ReferenceBridge):
    def _prepare(self) -> None:
        super()._prepare()  # type: ignore[safe-super]
        self._connection.create_session(transacted=False, session_mode=jms.JMSContext.AUTO_ACKNOWLEDGE)


@_of_factory("iw-2.3-18", "bridges start when they are made")
def _eager(factory: ReferenceFactory) -> None:
    create = factory.create_bridge

    def make(source: ExternalEndpoint, sink: ExternalEndpoint) -> tuple[Bridge, int]:
        bridge, number = create(source, sink)
        bridge.start_bridge()
        return bridge, number

    factory.create_bridge = make  # type: ignore[method-assign]


@_of_factory("iw-2.2-5", "pull is push")
def _pushing(factory: ReferenceFactory) -> None:
    factory.kinds[False, PULL, PULL] = factory.kinds[False, PUSH, PUSH]


@_of_factory("iw-2.2-6 iw-2.2-9 iw-3.1.3.1-3 iw-3.1.3.1-6", "a destination that pulls as a sink is taken")
def _forgiving(factory: ReferenceFactory) -> None:
    create = factory.create_bridge

    def make(source: ExternalEndpoint, sink: ExternalEndpoint) -> tuple[Bridge, int]:
        if isinstance(sink.connector, JMSDestination):
            source, sink = replace(source, style=PUSH), replace(sink, style=PUSH)
        return create(source, sink)

    factory.create_bridge = make  # type: ignore[method-assign]


@_of_factory("iw-2.2-8 iw-2.2-12 iw-2.2-13 iw-3.1.3.1-2", "whatever pulls is a mismatch")
def _pushy(factory: ReferenceFactory) -> None:
    create = factory.create_bridge

    def make(source: ExternalEndpoint, sink: ExternalEndpoint) -> tuple[Bridge, int]:
        if PULL in (source.style, sink.style):
            raise InvalidExternalEndPoints(EndpointError(source.role, MISMATCH))
        return create(source, sink)

    factory.create_bridge = make  # type: ignore[method-assign]


@_of_factory("iw-3.1.3.1-1", "two ends of one kind are told as left out")
def _evasive(factory: ReferenceFactory) -> None:
    create = factory.create_bridge

    def make(source: ExternalEndpoint, sink: ExternalEndpoint) -> tuple[Bridge, int]:
        if isinstance(source.connector, int) == isinstance(sink.connector, int):
            raise StyleNotOffered("no such bridges are made")
        return create(source, sink)

    factory.create_bridge = make  # type: ignore[method-assign]


@_of_factory("iw-3.1.3-1 iw-3.1.3.1-4", "an unknown channel is told as a wrong destination")
def _confused(factory: ReferenceFactory) -> None:
    errors = factory._errors

    def told(point: ExternalEndpoint, role: Any) -> list[EndpointError]:
        return [replace(each, code=EndpointErrorCode.INVALID_JMSDESTINATION) for each in errors(point, role)]

    factory._errors = told  # type: ignore[method-assign]


@_of_factory("iw-3.1.3.1-5", "the name of the connection factory is not looked at")
def _blind(factory: ReferenceFactory) -> None:
    factory._has_factory = lambda place: True  # type: ignore[method-assign]


@_of_factory("iw-3.1.3.1-8 iw-3.1.3.3-1", "every bridge has the id 1")
def _same(factory: ReferenceFactory) -> None:
    create = factory.create_bridge
    factory.create_bridge = lambda source, sink: (create(source, sink)[0], 1)  # type: ignore[method-assign]


@_of_factory("iw-3.1.3.2-1", "the newest bridge alone is listed")
def _forgetful(factory: ReferenceFactory) -> None:
    every = factory.get_all_bridges
    factory.get_all_bridges = lambda: every()[-1:]  # type: ignore[method-assign]


@_of_factory("iw-3.1.3.3-2", "an unknown id gives the oldest bridge")
def _obliging(factory: ReferenceFactory) -> None:
    find = factory.get_bridge_with_id

    def found(bridge_id: int) -> Bridge:
        try:
            return find(bridge_id)
        except BridgeError:
            return next(iter(factory._bridges.values()), None)  # type: ignore[return-value]

    factory.get_bridge_with_id = found  # type: ignore[method-assign]
