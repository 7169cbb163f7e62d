"""Faults of bridges that run: of their factory, and of each bridge that it makes."""

import contextlib
from dataclasses import replace

from faults.interworking.kit import *

PUSH, PULL = FlowStyle.PUSH, FlowStyle.PULL
MISMATCH = EndpointErrorCode.MISMATCH_ENDPOINTROLE_NOTIFSTYLE


@declare(
    "iw-2.1-1 iw-2.1-3 iw-2.1-8 iw-2.1-9 iw-2.2-7 iw-2.2-10 iw-2.3-10 iw-2.3-37 iw-3.1.2.1-1",
    "bridges carry nothing",
)
class _(Carrier):
    def carry(self, item):
        pass

    def next_event(self, *, wait):
        if wait:
            raise Disconnected("nothing is carried")


@declare(
    "iw-2.1-6 iw-2.1-7 iw-2.2-4 iw-2.3-6 iw-2.3-7 iw-2.3-11 iw-2.3-12 iw-2.3-13 iw-2.3-14 iw-3.1.1.2-2 iw-3.1.1.3-1",
    "sequences are single events, and single events sequences",
)
class _(ReferenceBridge):
    @property
    def sequences(self):
        return not super().sequences


@declare("iw-2.1-4 iw-2.1-5 iw-2.3-16", "a bridge makes a proxy that it does not use")
class _(ReferenceBridge):
    def _prepare(self):
        super()._prepare()
        self.channel_end.made_proxy(self.channel)


@declare("iw-2.1-10", "the proxy has batches of its own size")
class _(ReferenceBridge):
    def _prepare(self):
        super()._prepare()
        self.proxy.set_qos({MAXIMUM_BATCH_SIZE: 7})


class _Echo(jms.MessageListener):
    def __init__(self, bridge, proxy):
        self._bridge, self._proxy = bridge, proxy

    def on_message(self, message):
        if not message.property_exists("$event_name") and (event := self._bridge.event(message)):
            self._proxy.push_structured_event(event)


@declare("iw-2.2-2 iw-2.3-1", "what is sent to the sink goes back to the channel")
class _(ReferenceBridge):
    def _activate(self):
        first = not self._connected
        super()._activate()
        if first:
            self._listen()

    def _listen(self):
        connection = self.provider.connection_factory().create_connection()
        session = connection.create_session(transacted=False, session_mode=jms.JMSContext.AUTO_ACKNOWLEDGE)
        admin = self.channel.default_supplier_admin
        proxy = admin.obtain_notification_push_consumer(ClientType.STRUCTURED_EVENT)[0]
        proxy.connect_structured_push_supplier(None)
        if isinstance(self.destination, jms.Queue):
            for message in session.create_browser(self.destination).get_enumeration():
                _Echo(self, proxy).on_message(message)
        self._echo = session.create_consumer(self.destination)
        self._echo.message_listener = _Echo(self, proxy)
        connection.start()


_EVERY = []


@declare("iw-2.3-2", "a stop stops every bridge")
class _(ReferenceBridge):
    def _prepare(self):
        super()._prepare()
        _EVERY.append(self)

    def stop_bridge(self):
        for each in _EVERY:
            if each is self or each._active:
                with contextlib.suppress(ChannelError, jms.JMSException):
                    ReferenceBridge.stop_bridge(each)


@declare(
    "iw-2.2-1 iw-2.3-3 iw-3.1.1-1 iw-3.1.1.1-1 iw-3.1.2-1 iw-3.1.2-2",
    "the end points are told the other way round",
)
class _(ReferenceBridge):
    @property
    def end_point_receiver(self):
        return self._sink

    @property
    def end_point_sender(self):
        return self._source


@declare("iw-2.2-3 iw-3.1.1.2-5", "the kind of the destination is ignored")
class _(ReferenceBridge):
    def _named(self, place):
        other = DestinationType.TOPIC if place.type == DestinationType.QUEUE else DestinationType.QUEUE
        return super()._named(replace(place, type=other))


@declare("iw-3.1.1.2-1 iw-3.1.1.2-6", "the name of the destination is ignored")
@declare("iw-2.4.2-21", "the message goes to another destination")
class _(ReferenceBridge):
    def _named(self, place):
        return super()._named(replace(place, name=f"{place.name}.x"))


@declare("iw-3.1.1.2-8", "the newest channel is used")
class _(ReferenceBridge):
    @property
    def channel(self):
        return self.channels.get_channel(self.channels.get_all_channels()[-1])


@declare("iw-2.3-19 iw-2.3-23", "a bridge connects when it is made")
class _(ReferenceBridge):
    def _prepare(self):
        super()._prepare()
        self.channel_end.connect()
        self._connected = True


@declare("iw-2.3-20 iw-3.1.2.1-5", "a start that fails is told as one that succeeded")
class _(ReferenceBridge):
    def start_bridge(self):
        with contextlib.suppress(BridgeError):
            super().start_bridge()
        self.started = self._connected = True
        self.ended = False


@declare("iw-2.3-21 iw-2.3-31", "the loss of the channel is not noticed")
class _(ReferenceBridge):
    def lost(self):
        pass


@declare("iw-2.3-22 iw-2.3-27 iw-3.1.2.1-3 iw-3.1.2.3-1", "the state is always stopped")
class _(ReferenceBridge):
    def get_status(self):
        super().get_status()
        return BridgeStatus.STOPPED


@declare("iw-2.3-25", "a second start connects anew")
class _(ReferenceBridge):
    def start_bridge(self):
        if self._connected and not self._active:
            self.proxy = self.channel_end.made_proxy(self.channel)
            self._connected = False
        super().start_bridge()


@declare("iw-2.3-28 iw-3.1.2.2-2 iw-3.1.2.2-3", "a stop changes the state alone")
class _(ReferenceBridge):
    def stop_bridge(self):
        self.started = False

    def start_bridge(self):
        if self._connected:
            self.started = True
        else:
            super().start_bridge()


@declare("iw-3.1.2.2-4", "a stop leaves the state as it is")
class _(ReferenceBridge):
    def stop_bridge(self):
        super().stop_bridge()
        self.started = True


@declare("iw-2.3-34", "a destroyed bridge still answers")
class _(ReferenceBridge):
    def alive(self):
        pass


@declare("iw-2.3-35 iw-3.1.2.4-1 iw-3.1.2.4-2", "destroy leaves the proxy connected")
class _(ReferenceBridge):
    def _disconnect(self):
        pass


@declare("iw-2.5.6-1 iw-2.5.6-8 iw-2.5.6-9 iw-2.5.6-10", "every second item goes first")
class _(Carrier):
    held = None

    def carry(self, item):
        if self.held is None:
            self.held = item
            return
        first, self.held = self.held, None
        super().carry(item)
        super().carry(first)


@declare("iw-2.5.6-5 iw-2.5.6-6", "the proxy has any order")
class _(ReferenceBridge):
    def _prepare(self):
        super()._prepare()
        self.proxy.set_qos({ORDER_POLICY: ANY_ORDER})


@declare("iw-3.1-13 iw-3.1.2.1-4", "a second start returns")
class _(ReferenceBridge):
    def start_bridge(self):
        if not self._active:
            super().start_bridge()


@declare("iw-3.1.2.2-1 iw-3.1.2.2-5", "a stop of a stopped bridge returns")
class _(ReferenceBridge):
    def stop_bridge(self):
        if self._active:
            super().stop_bridge()


@declare("iw-3.1.2.1-2", "the connection to JMS is started when the bridge is made")
class _(ReferenceBridge):
    def _prepare(self):
        super()._prepare()
        self.connection.start()

    def _start_connection(self):
        pass


@declare("iw-2.3-15", "a bridge makes a session that it does not use")
class _(ReferenceBridge):
    def _prepare(self):
        super()._prepare()
        self.connection.create_session(transacted=False, session_mode=jms.JMSContext.AUTO_ACKNOWLEDGE)


@declare("iw-2.3-18", "bridges start when they are made", by=creating)
def _(create, source, sink):
    bridge, number = create(source, sink)
    bridge.start_bridge()
    return bridge, number


@declare("iw-2.2-5", "pull is push", at="of_factory")
def _(factory):
    factory.ways[False, PULL, PULL] = factory.ways[False, PUSH, PUSH]


@declare("iw-2.2-6 iw-2.2-9 iw-3.1.3.1-3 iw-3.1.3.1-6", "a destination that pulls as a sink is taken", by=creating)
def _(create, source, sink):
    if isinstance(sink.connector, JMSDestination):
        source, sink = replace(source, style=PUSH), replace(sink, style=PUSH)
    return create(source, sink)


@declare("iw-2.2-8 iw-2.2-12 iw-2.2-13 iw-3.1.3.1-2", "whatever pulls is a mismatch", by=creating)
def _(create, source, sink):
    if PULL in (source.style, sink.style):
        raise InvalidExternalEndPoints(EndpointError(source.role, MISMATCH))
    return create(source, sink)


@declare("iw-3.1.3.1-1", "two ends of one kind are told as left out", by=creating)
def _(create, source, sink):
    if isinstance(source.connector, int) == isinstance(sink.connector, int):
        raise StyleNotOffered("no such bridges are made")
    return create(source, sink)


@declare("iw-3.1.3-1 iw-3.1.3.1-4", "an unknown channel is told as a wrong destination", at="of_factory")
def _(factory):
    errors = factory._errors

    def wrong(point, role):
        return [replace(each, code=EndpointErrorCode.INVALID_JMSDESTINATION) for each in errors(point, role)]

    factory._errors = wrong


@declare("iw-3.1.3.1-5", "the name of the connection factory is not looked at", at="of_factory")
def _(factory):
    factory._has_factory = lambda place: True


@declare("iw-3.1.3.1-8 iw-3.1.3.3-1", "every bridge has the id 1", by=creating)
def _(create, source, sink):
    return create(source, sink)[0], 1


@declare("iw-3.1.3.2-1", "the newest bridge alone is listed", at="of_factory")
def _(factory):
    every = factory.get_all_bridges
    factory.get_all_bridges = lambda: every()[-1:]


@declare("iw-3.1.3.3-2", "an unknown id gives the oldest bridge", at="of_factory")
def _(factory):
    find = factory.get_bridge_with_id

    def found(bridge_id):
        try:
            return find(bridge_id)
        except BridgeError:
            return next(iter(factory._bridges.values()), None)

    factory.get_bridge_with_id = found
