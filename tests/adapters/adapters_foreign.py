"""Drive the foreign bridge by its interfaces, with JacORB and Artemis behind it: python adapters_foreign.py FOLDER [CASE]..."""

import base64
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
EPOCH = 122_192_928_000_000_000
STYLES = [(style, kind) for style in (B.PUSH, B.PULL) for kind in (B.STRUCTURED_EVENT, B.SEQUENCE_EVENT)]
OCTETS = broker.create_sequence_tc(0, CORBA.TC_octet)
ANYS = broker.create_sequence_tc(0, CORBA.TC_any)
PROPERTIES, TIME, UTC = CORBA.TypeCode(CORBA.id(N.PropertySeq)), CORBA.TypeCode(CORBA.id(TimeBase.TimeT)), CORBA.TypeCode(CORBA.id(TimeBase.UtcT))
OUTER = CORBA.TypeCode(CORBA.id(own.Outer))
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
        self.connect()
        self.number = 0

    def connect(self):
        self.connection = self.provider.connection_factory().create_connection()
        self.connection.start()
        self.session = self.connection.create_session(transacted=False, session_mode=api.Session.AUTO_ACKNOWLEDGE)

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


def events(world):
    """Events as messages: headers, properties and bodies."""
    world.bridge(world.end(B.SOURCE), world.jms(B.SINK))[0].start_bridge()
    consumer = world.session.create_consumer(world.queue)

    def crossed(**parts):
        world.pushed.push_structured_event(event("née €", **parts))
        return world.receive(consumer)

    plain = crossed()
    assert (plain.jms_delivery_mode, plain.jms_priority, plain.jms_expiration, plain.jms_type) == (2, 4, 0, "Structured Event")
    names = [plain.get_string_property(f"${each}") for each in ("domain_type", "type_name", "event_name")]
    assert (names, plain.text) == (["domain", "type", "née €"], "née €")
    for priority, due in ((-32767, 0), (0, 0), (1, 1), (8, 8), (9, 9), (32767, 9)):
        assert crossed(header={"Priority": a(CORBA.TC_short, priority)}.items()).jms_priority == due
    assert crossed(header={"EventReliability": a(CORBA.TC_short, 0)}.items()).jms_delivery_mode == 1
    limit = a(TIME, 60_000 * 10_000)
    stop = a(UTC, TimeBase.UtcT(int(time.time() * 10**7) + EPOCH + 30 * 10**7, 0, 0, 0))
    for header, life in (({"Timeout": limit}, 60), ({"StopTime": stop}, 30), ({"Timeout": limit, "StopTime": stop}, 30)):
        message = crossed(header=header.items())
        assert abs(message.jms_expiration - message.jms_timestamp - 1000 * life) < 2000, (header, message.jms_expiration)
    fields = {
        "flag": (CORBA.TC_boolean, True), "octet": (CORBA.TC_octet, 255), "short": (CORBA.TC_short, -3), "long": (CORBA.TC_long, 7),
        "longlong": (CORBA.TC_longlong, 2**40), "float": (CORBA.TC_float, 0.5), "double": (CORBA.TC_double, 0.1),
        "string": (CORBA.TC_string, "x"), "a-b": (CORBA.TC_long, 1), "a_b": (CORBA.TC_long, 2), "ulong": (CORBA.TC_ulong, 2**32 - 1),
        "char": (CORBA.TC_char, "c"), "JMSType": (CORBA.TC_string, "t"), "fd": (OUTER, own.Outer(3, own.Inner("w"))),
        "longs": (LONGS, [1, 2]), "null": (CORBA.TC_long, 8),
    }  # fmt: skip
    header = {"sev": a(CORBA.TC_long, 5)}
    message = crossed(header=header.items(), data=[(key, a(*value)) for key, value in fields.items()])
    seen = {key: message.get_object_property(key) for key in message.get_property_names() if not key.startswith("JMSX")}
    due = {
        "flag": True, "octet": api.Byte(-1), "short": api.Short(-3), "long": api.Int(7), "longlong": 2**40, "float": api.Float(0.5),
        "double": 0.1, "string": "x", "a$002db": api.Int(1), "a_b": api.Int(2), "ulong": api.Int(-1), "char": "c", "$JMSType": "t",
        "$fd$002eseverity": api.Int(3), "$fd$002enested$002eword": "w", "$null": api.Int(8), "sev": api.Int(5),
        "$domain_type": "domain", "$type_name": "type", "$event_name": "née €",
    }  # fmt: skip
    encoded = base64.b64decode(seen.pop("longs"))
    assert encoded.hex() == "000000000000000200000001" + "00000002"
    assert seen == due, seen
    return bodies(crossed)


def octets(message):
    buffer = bytearray(99)
    return bytes(buffer[: message.read_bytes(buffer)])


def bodies(crossed):
    item = lambda of, value: crossed(body=a(of, value))  # noqa: E731
    assert item(CORBA.TC_wstring, "wide €").text == "wide €"
    assert octets(item(OCTETS, b"\0\xff")) == b"\0\xff"
    one = item(CORBA.TC_long, 5)
    assert one.read_int() == 5
    raises(api.MessageEOFException, one.read_int)
    items = [a(CORBA.TC_short, 1), a(CORBA.TC_boolean, True), a(CORBA.TC_string, "s"), a(OCTETS, b"o")]
    assert [(got := item(ANYS, items)).read_short(), got.read_boolean(), got.read_string(), octets(got)] == [1, True, "s", b"o"]
    pairs = [N.Property("k", a(CORBA.TC_long, 1)), N.Property("s", a(CORBA.TC_string, "v"))]
    mapped = item(PROPERTIES, pairs)
    assert {key: mapped.get_object(key) for key in mapped.get_map_names()} == {"k": api.Int(1), "s": "v"}
    struct = item(OUTER, own.Outer(3, own.Inner("w")))
    assert octets(struct).hex() == "00000000" + "00000003" + "00000002" + "7700"
    assert isinstance(item(CORBA.TC_null, None), api.Message)
    return 7


def messages(world):
    """Messages as events: headers, properties and bodies."""
    world.bridge(world.jms(B.SOURCE), world.end(B.SINK))[0].start_bridge()
    producer, made = world.session.create_producer(world.queue), world.session

    def crossed(message, *terms):
        producer.send(message, **terms[0]) if terms else producer.send(message)
        return world.take()

    message = made.create_text_message("née €")
    message.jms_type, message.jms_correlation_id, message.jms_reply_to = "t", "c", world.queue
    for name, value in {"boolean": True, "int": 7, "string": "x", "double": 0.1}.items():
        getattr(message, f"set_{name}_property")(f"a_{name}", value)
    message.set_byte_property("a_byte", -1)
    message.set_short_property("a_short", 3)
    message.set_long_property("a_long", 2**40)
    message.set_float_property("a_float", 0.5)
    got = crossed(message, {"delivery_mode": 1, "priority": 7, "time_to_live": 60_000})
    fixed = got.header.fixed_header
    assert (fixed.event_type.domain_name, fixed.event_type.type_name, fixed.event_name) == ("", "%TextMessage", f"q{world.number}")
    header = {each.name: each.value for each in got.header.variable_header}
    assert (header["EventReliability"].value(), header["Priority"].value()) == (0, 7), header
    assert 590_000_000 < header["Timeout"].value() <= 600_000_000
    data = {each.name: each.value for each in got.filterable_data}
    plain = {key: (value.typecode().kind(), value.value()) for key, value in data.items()}
    kinds = CORBA.tk_boolean, CORBA.tk_octet, CORBA.tk_short, CORBA.tk_long, CORBA.tk_longlong, CORBA.tk_float, CORBA.tk_double
    values = zip(("boolean", "byte", "short", "int", "long", "float", "double"), kinds, (True, 255, 3, 7, 2**40, 0.5, 0.1), strict=True)
    due = {f"a_{name}": (kind, value) for name, kind, value in values} | {
        "a_string": (CORBA.tk_string, "x"), "JMSType": (CORBA.tk_string, "t"), "JMSCorrelationID": (CORBA.tk_string, "c"),
        "JMSReplyTo": (CORBA.tk_string, f"q{world.number}"), "JMSDestination": (CORBA.tk_string, f"q{world.number}"),
        "JMSRedelivered": (CORBA.tk_boolean, False), "JMSMessageID": (CORBA.tk_string, message.jms_message_id),
        "JMSTimestamp": (CORBA.tk_longlong, message.jms_timestamp),
    }  # fmt: skip
    assert {key: plain.get(key) for key in due} == due, plain
    assert got.remainder_of_body.value() == "née €"
    assert not {"Timeout"} & {each.name for each in crossed(made.create_text_message("later")).header.variable_header}
    return carried(crossed, made)


def carried(crossed, made):
    def got(message, kind):
        event = crossed(message)
        assert event.header.fixed_header.event_type.type_name == kind, event.header.fixed_header
        return event.remainder_of_body

    octets = made.create_bytes_message()
    octets.write_bytes(b"\0\xff")
    assert bytes(got(octets, "%BytesMessage").value()) == b"\0\xff"
    stream = made.create_stream_message()
    stream.write_short(1)
    stream.write_string("s")
    stream.write_bytes(b"o")
    assert [each.value() for each in got(stream, "%StreamMessage").value()] == [1, "s", b"o"]
    mapped = made.create_map_message()
    mapped.set_long("k", 2)
    mapped.set_boolean("b", False)
    assert {each.name: each.value.value() for each in got(mapped, "%MapMessage").value()} == {"k": 2, "b": False}
    assert bytes(got(made.create_object_message("é"), "%ObjectMessage").value())[:2] == b"\xac\xed"
    assert got(made.create_message(), "%Message").typecode().kind() == CORBA.tk_null
    assert got(made.create_text_message(), "%TextMessage").typecode().kind() == CORBA.tk_null
    return 6


def inactive(bridge):
    """Whether the bridge has noticed that a side is lost: it cannot be stopped."""
    try:
        bridge.stop_bridge()
    except B.BridgeInactive:
        return True
    bridge.start_bridge()
    return False


def losses(world):
    """The end of the channel, and a broker that starts again while a message for a topic is published."""
    seen = []
    for reliability in (0, 1):
        asked = N.Property("ConnectionReliability", a(CORBA.TC_short, reliability))
        world.channel._get_default_supplier_admin().set_qos([asked])
        topic = world.provider.create_topic(f"t{reliability}")
        bridge = world.bridge(world.jms(B.SOURCE, f"t{reliability}", kind=B.TOPIC), world.end(B.SINK))[0]
        bridge.start_bridge()
        publish(world, topic, "before")
        assert world.take().remainder_of_body.value() == "before"
        world.provider.restart()
        soon(lambda bridge=bridge: inactive(bridge))
        world.connect()
        publish(world, topic, "between")
        bridge.start_bridge()
        publish(world, topic, "after")
        while (text := world.take().remainder_of_body.value()) != "after":
            seen.append((reliability, text))
        bridge.destroy()
    assert seen == [(1, "between")], seen
    bridge = world.bridge(world.end(B.SOURCE), world.jms(B.SINK))[0]
    bridge.start_bridge()
    world.channel.destroy()
    soon(lambda: inactive(bridge))
    raises(B.InvalidExternalEndPoints, bridge.start_bridge)
    bridge.destroy()
    world.channel = world.channels.create_channel([], [])[0]
    return len(seen)


def publish(world, topic, text):
    world.session.create_producer(topic).send(world.session.create_text_message(text))


def requested(world):
    """The properties of the bridge's proxies: FifoOrder, and Persistent for a queue; and a topic as a sink."""
    admin = world.channel._get_default_consumer_admin()
    asked = []
    for kind in (B.QUEUE, B.TOPIC):
        before = set(admin._get_push_suppliers())
        bridge = world.bridge(world.end(B.SOURCE), world.jms(B.SINK, f"n{kind}", kind=kind))[0]
        (number,) = set(admin._get_push_suppliers()) - before
        terms = {each.name: each.value.value() for each in admin.get_proxy_supplier(number).get_qos()}
        asked.append((terms["OrderPolicy"], terms["ConnectionReliability"]))
        made = world.provider.create_queue if kind == B.QUEUE else world.provider.create_topic
        consumer = world.session.create_consumer(made(f"n{kind}"))
        bridge.start_bridge()
        world.pushed.push_structured_event(event("there"))
        assert world.receive(consumer).text == "there"
        bridge.destroy()
        assert set(admin._get_push_suppliers()) == before
    assert asked == [(1, 1), (1, 0)], asked
    return len(asked)


CASES = {
    each.__name__: each for each in (to_jms, to_channel, refusals, events, messages, requested, losses)
}


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
