"""Drive the foreign bridge by its interfaces, with JacORB and Artemis behind it: python adapters_foreign.py FOLDER [CASE]..."""

import sys
import threading
import time
import traceback
from pathlib import Path

from tck import api
from tck.adapters import corba
from tck.adapters.corba.jacorb import Service
from tck.adapters.corba.orb import orb
from tck.adapters.jvm.brokers import free_port
from tck.adapters.opening import open_provider
from tck.profile import load_profile, profiles_directory

broker = orb()  # before the stubs

import CosNotification as N  # noqa: E402
import CosNotifyChannelAdmin as C  # noqa: E402
import omniORB  # noqa: E402
import TimeBase  # noqa: E402
from omniORB import CORBA  # noqa: E402

sys.path.append(str(profiles_directory() / "evidence" / "bridge"))
from foreign import ForeignBridge  # noqa: E402

omniORB.importIDL(str(Path(corba.__file__).with_name("bridge_admin.idl")))
import CosBridgeAdmin as B  # noqa: E402

omniORB.importIDLString("struct Inner { string word; }; struct Outer { long severity; Inner nested; };")
import _GlobalIDL as own  # noqa: E402

PROFILE = """
[profile]
name = "over-tcp"
title = "Artemis over TCP"
extends = "artemis"
[adapter.settings.broker]
driver = "artemis"
protocol = "tcp"
port = {port}
"""
GENERATION = "Structured Event"
EPOCH = 122_192_928_000_000_000
STYLES = [(style, kind) for style in (B.PUSH, B.PULL) for kind in (B.STRUCTURED_EVENT, B.SEQUENCE_EVENT)]
OCTETS = broker.create_sequence_tc(0, CORBA.TC_octet)
ANYS = broker.create_sequence_tc(0, CORBA.TC_any)
LONGS = broker.create_sequence_tc(0, CORBA.TC_long)


def a(of, value):
    return CORBA.Any(of, value)


def event(name="e", *, header=(), data=(), body=None):
    properties = [[N.Property(key, value) for key, value in each] for each in (header, data)]
    fixed = N.FixedEventHeader(N.EventType("domain", "type"), name)
    return N.StructuredEvent(N.EventHeader(fixed, properties[0]), properties[1], body or a(CORBA.TC_string, name))


def soon(call, seconds=20.0):
    """Call until the result is true."""
    end, pause = time.monotonic() + seconds, threading.Event()
    while not (result := call()):
        assert time.monotonic() < end, "it did not happen in time"
        pause.wait(0.02)
    return result


class World:
    def __init__(self, folder):
        port = free_port()
        file = folder / "over-tcp.toml"
        file.write_text(PROFILE.format(port=port), encoding="utf-8")
        self.provider = open_provider(load_profile(str(file)), folder)
        self.service = Service()
        self.foreign = ForeignBridge(self.service.ior, f"tcp://127.0.0.1:{port}")
        self.bridges = broker.string_to_object(self.foreign.ior)._narrow(B.BridgeFactory)
        self.channels = broker.string_to_object(self.service.ior)._narrow(C.EventChannelFactory)
        self.connection = self.provider.connection_factory().create_connection()
        self.connection.start()
        self.session = self.connection.create_session(transacted=False, session_mode=api.Session.AUTO_ACKNOWLEDGE)
        self.number = 0

    def case(self, name):
        self.number += 1
        self.channel, self.channel_id = self.channels.create_channel([], [])
        self.queue = self.provider.create_queue(f"q{self.number}")
        self.pushed = self.channel._get_default_supplier_admin().obtain_notification_push_consumer(C.STRUCTURED_EVENT)[0]
        self.pushed = self.pushed._narrow(C.StructuredProxyPushConsumer)
        self.pushed.connect_structured_push_supplier(None)
        self.pulled = self.channel._get_default_consumer_admin().obtain_notification_pull_supplier(C.STRUCTURED_EVENT)[0]
        self.pulled = self.pulled._narrow(C.StructuredProxyPullSupplier)
        self.pulled.set_qos([N.Property("OrderPolicy", a(CORBA.TC_short, 1))])
        self.pulled.connect_structured_pull_consumer(None)
        try:
            return CASES[name](self)
        finally:
            self.channel.destroy()

    def end(self, role, style=B.PUSH, kind=B.STRUCTURED_EVENT, channel=None):
        connector = B.ExternalEndpointConnector(kind, self.channel_id if channel is None else channel)
        return B.ExternalEndpoint(role, connector, style, kind)

    def jms(self, role, name=None, style=B.PUSH, kind=B.QUEUE, factory=""):
        name = f"q{self.number}" if name is None else name
        to = B.JMSDestination(kind, name, factory)
        return B.ExternalEndpoint(role, B.ExternalEndpointConnector(B.JMS_MESSAGE, to), style, B.JMS_MESSAGE)

    def bridge(self, source, sink):
        return self.bridges.create_bridge(source, sink)

    def take(self):
        """Pull an event that the bridge pushed."""
        return soon(lambda: (lambda got: got[0] if got[1] else None)(self.pulled.try_pull_structured_event()))

    def receive(self, consumer):
        return consumer.receive(20_000)


def refused(world, source, sink):
    try:
        world.bridge(source, sink)
    except B.InvalidExternalEndPoints as error:
        return {(each.role, each.code) for each in error.error}
    return None


def to_jms(world):
    """Channel to queue, each way: in order, held while stopped, no more after the end."""
    for style, kind in STYLES:
        ends = world.end(B.SOURCE, style, kind), world.jms(B.SINK)
        bridge, number = world.bridge(*ends)
        consumer = world.session.create_consumer(world.queue)
        bridge.start_bridge()
        for at in range(10):
            world.pushed.push_structured_event(event(str(at)))
        assert [world.receive(consumer).text for _ in range(10)] == list(map(str, range(10))), (style, kind)
        alternated(world, ends, bridge, number, lambda: world.pushed.push_structured_event(event("held")), lambda: world.receive(consumer).text)
        consumer.close()
    return len(STYLES)


def to_channel(world):
    """Queue to channel, each way."""
    producer = world.session.create_producer(world.queue)
    send = lambda text: producer.send(world.session.create_text_message(text))  # noqa: E731
    for style, kind in STYLES:
        ends = world.jms(B.SOURCE), world.end(B.SINK, style, kind)
        bridge, number = world.bridge(*ends)
        bridge.start_bridge()
        for at in range(10):
            send(str(at))
        taken = [world.take() for _ in range(10)]
        assert [each.remainder_of_body.value() for each in taken] == list(map(str, range(10))), (style, kind)
        alternated(world, ends, bridge, number, lambda: send("held"), lambda: world.take().remainder_of_body.value())
    return len(STYLES)


def alternated(world, described, bridge, number, send, receive):
    """Start and stop at the wrong time, stop and start again, and destroy."""
    raises(B.BridgeAlreadyStarted, bridge.start_bridge)
    bridge.stop_bridge()
    raises(B.BridgeInactive, bridge.stop_bridge)
    send()
    bridge.start_bridge()
    assert receive() == "held"
    assert world.bridges.get_bridge_with_id(number)._is_equivalent(bridge)
    ends = [bridge._get_end_point_receiver(), bridge._get_end_point_sender()]
    assert [(each.role, each.style, each.type, each.connector._d) for each in ends] == [
        (each.role, each.style, each.type, each.type) for each in described
    ]
    assert world.bridges.get_all_bridges() == [number]
    bridge.destroy()
    raises(CORBA.OBJECT_NOT_EXIST, bridge.stop_bridge)
    raises(B.BridgeNotFound, world.bridges.get_bridge_with_id, number)
    assert world.bridges.get_all_bridges() == []


def raises(kind, call, *arguments):
    try:
        call(*arguments)
    except kind:
        return
    raise AssertionError(f"no {kind.__name__}")


def refusals(world):
    """What create_bridge refuses, with role and code."""
    mismatch, nowhere = B.MISMATCH_ENDPOINTROLE_NOTIFSTYLE, B.INVALID_JMSDESTINATION
    source, sink = world.end(B.SOURCE), world.jms(B.SINK)
    cases = [
        (source, world.jms(B.SINK, style=B.PULL), {(B.SINK, mismatch)}),
        (world.jms(B.SOURCE, style=B.PULL), world.end(B.SINK), {(B.SOURCE, mismatch)}),
        (source, world.end(B.SINK), {(B.SOURCE, mismatch), (B.SINK, mismatch)}),
        (world.end(B.SINK), world.jms(B.SOURCE), {(B.SOURCE, mismatch), (B.SINK, mismatch)}),
        (world.end(B.SOURCE, channel=99_999), sink, {(B.SOURCE, B.INVALID_CHANNELID)}),
        (source, world.jms(B.SINK, name=""), {(B.SINK, nowhere)}),
        (source, world.jms(B.SINK, factory="nobody's"), {(B.SINK, nowhere)}),
        (world.end(B.SOURCE, channel=99_999), world.jms(B.SINK, name=""), {(B.SOURCE, B.INVALID_CHANNELID), (B.SINK, nowhere)}),
    ]
    for source, sink, errors in cases:
        seen = refused(world, source, sink)
        assert seen == errors, (source, sink, seen)
    assert world.bridges.get_all_bridges() == []
    return len(cases)


CASES = {"to_jms": to_jms, "to_channel": to_channel, "refusals": refusals}


if __name__ == "__main__":
    world, code = World(Path(sys.argv[1])), 1
    try:
        for name in sys.argv[2:] or CASES:
            began = time.monotonic()
            print(f"{name}: {world.case(name)} in {time.monotonic() - began:.1f} s", flush=True)
        code = 0
    except BaseException:
        traceback.print_exc()
    finally:
        print("said:", world.foreign.said(), flush=True)
        code = world.foreign.stop() or code
        world.service.stop()
        world.provider.close()
    sys.exit(code)
