"""Drive the foreign bridge by its interfaces: python adapters_foreign_cases.py FOLDER [CASE]... prints the cases that went right."""

import base64
import sys
import time
from pathlib import Path

from adapters_foreign import CORBA, B, N, TimeBase, World, broker, event, omniORB, raises, soon

from tck import api

omniORB.importIDLString("struct Inner { string word; }; struct Outer { long severity; Inner nested; };")
import _GlobalIDL as own  # noqa: E402

EPOCH = 122_192_928_000_000_000
"""1970 in units of 100 ns since 15 October 1582."""
STYLES = [(style, kind) for style in (B.PUSH, B.PULL) for kind in (B.STRUCTURED_EVENT, B.SEQUENCE_EVENT)]
OCTETS, ANYS, LONGS = [broker.create_sequence_tc(0, each) for each in (CORBA.TC_octet, CORBA.TC_any, CORBA.TC_long)]
PROPERTIES, TIME, UTC, OUTER = [
    CORBA.TypeCode(CORBA.id(each)) for each in (N.PropertySeq, TimeBase.TimeT, TimeBase.UtcT, own.Outer)
]
a = CORBA.Any
CASES = {}


def case(function):
    CASES[function.__name__] = function
    return function


@case
def to_jms(world):
    """Channel to queue, each way: in order, held while stopped, no more after the end."""
    for style, kind in STYLES:
        ends = world.end(B.SOURCE, style, kind), world.jms(B.SINK)
        bridge, number = world.bridges.create_bridge(*ends)
        consumer = world.session.create_consumer(world.queue)
        bridge.start_bridge()
        for at in range(10):
            world.pushed.push_structured_event(event(str(at)))
        assert [consumer.receive(20_000).text for _ in range(10)] == list(map(str, range(10))), (style, kind)

        def held(consumer=consumer):
            world.pushed.push_structured_event(event("held"))
            while world.take().remainder_of_body.value() != "held":
                pass
            assert consumer.receive_no_wait() is None

        alternated(world, ends, number, held)
        assert consumer.receive(20_000).text == "held"
        ended(world, number)
        consumer.close()


@case
def to_channel(world):
    """Queue to channel, each way."""
    producer = world.session.create_producer(world.queue)

    def held():
        producer.send(world.session.create_text_message("held"))
        soon(lambda: world.provider.pending(world.queue) == 1)
        assert not world.pulled.try_pull_structured_event()[1]

    for style, kind in STYLES:
        ends = world.jms(B.SOURCE), world.end(B.SINK, style, kind)
        bridge, number = world.bridges.create_bridge(*ends)
        bridge.start_bridge()
        for at in range(10):
            producer.send(world.session.create_text_message(str(at)))
        taken = [world.take().remainder_of_body.value() for _ in range(10)]
        assert taken == list(map(str, range(10))), (style, kind)
        alternated(world, ends, number, held)
        assert world.take().remainder_of_body.value() == "held"
        ended(world, number)


def alternated(world, described, number, held):
    """Start and stop at the wrong time, stop and start again, and compare the ends with what was asked for."""
    bridge = world.bridges.get_bridge_with_id(number)
    raises(B.BridgeAlreadyStarted, bridge.start_bridge)
    bridge.stop_bridge()
    raises(B.BridgeInactive, bridge.stop_bridge)
    held()
    bridge.start_bridge()
    seen = [bridge._get_end_point_receiver(), bridge._get_end_point_sender()]
    parts = [[(each.role, each.style, each.type, each.connector._d) for each in ends] for ends in (seen, described)]
    assert parts[0] == parts[1]


def ended(world, number):
    bridge = world.bridges.get_bridge_with_id(number)
    assert world.bridges.get_all_bridges() == [number]
    bridge.destroy()
    raises(CORBA.OBJECT_NOT_EXIST, bridge.stop_bridge)
    raises(B.BridgeNotFound, world.bridges.get_bridge_with_id, number)
    assert world.bridges.get_all_bridges() == []


@case
def refusals(world):
    """What create_bridge refuses, with role and code."""
    mismatch, nowhere = B.MISMATCH_ENDPOINTROLE_NOTIFSTYLE, B.INVALID_JMSDESTINATION
    source, sink, unknown = world.end(B.SOURCE), world.jms(B.SINK), world.end(B.SOURCE, channel=99_999)
    no_channel = (B.SOURCE, B.INVALID_CHANNELID)
    for *ends, errors in (
        (source, world.jms(B.SINK, style=B.PULL), {(B.SINK, mismatch)}),
        (source, world.end(B.SINK), {(B.SOURCE, mismatch), (B.SINK, mismatch)}),
        (world.end(B.SINK), world.jms(B.SOURCE), {(B.SOURCE, mismatch), (B.SINK, mismatch)}),
        (unknown, sink, {no_channel}),
        (source, world.jms(B.SINK, name=""), {(B.SINK, nowhere)}),
        (source, world.jms(B.SINK, factory="nobody's"), {(B.SINK, nowhere)}),
        (unknown, world.jms(B.SINK, name=""), {no_channel, (B.SINK, nowhere)}),
    ):
        error = raises(B.InvalidExternalEndPoints, world.bridges.create_bridge, *ends)
        assert {(each.role, each.code) for each in error.error} == errors, (ends, error)
    raises(CORBA.NO_IMPLEMENT, world.bridges.create_bridge, world.jms(B.SOURCE, style=B.PULL), world.end(B.SINK))
    assert world.bridges.get_all_bridges() == []


def crossing(world):
    """Return a call that pushes an event and receives its message."""
    world.started(world.end(B.SOURCE), world.jms(B.SINK))
    consumer = world.session.create_consumer(world.queue)

    def crossed(**parts):
        world.pushed.push_structured_event(event("née €", **parts))
        return consumer.receive(20_000)

    return crossed


@case
def headers(world):
    """The headers of events as those of messages."""
    crossed = crossing(world)
    plain = crossed()
    assert (plain.jms_delivery_mode, plain.jms_priority, plain.jms_expiration) == (2, 4, 0)
    assert (plain.jms_type, plain.text) == ("Structured Event", "née €")
    for priority, due in ((-32767, 0), (0, 0), (1, 1), (8, 8), (9, 9), (32767, 9)):
        assert crossed(header={"Priority": a(CORBA.TC_short, priority)}).jms_priority == due
    assert crossed(header={"EventReliability": a(CORBA.TC_short, 0)}).jms_delivery_mode == 1
    limit = {"Timeout": a(TIME, 60_000 * 10_000)}
    stop = {"StopTime": a(UTC, TimeBase.UtcT(int((time.time() + 30) * 10**7) + EPOCH, 0, 0, 0))}
    for header, life in ((limit, 60_000), (stop, 30_000), (limit | stop, 30_000)):
        message = crossed(header=header)
        assert abs(message.jms_expiration - message.jms_timestamp - life) < 2000, header


@case
def fields(world):
    """The fields of events as properties."""
    sent = {
        "flag": (CORBA.TC_boolean, True), "octet": (CORBA.TC_octet, 255), "short": (CORBA.TC_short, -3), "long": (CORBA.TC_long, 7),
        "longlong": (CORBA.TC_longlong, 2**40), "float": (CORBA.TC_float, 0.5), "double": (CORBA.TC_double, 0.1),
        "string": (CORBA.TC_string, "x"), "a-b": (CORBA.TC_long, 1), "a_b": (CORBA.TC_long, 2), "ulong": (CORBA.TC_ulong, 2**32 - 1),
        "char": (CORBA.TC_char, "c"), "JMSType": (CORBA.TC_string, "t"), "fd": (OUTER, own.Outer(3, own.Inner("w"))),
        "longs": (LONGS, [1, 2]), "null": (CORBA.TC_long, 8),
    }  # fmt: skip
    message = crossing(world)(header={"sev": a(CORBA.TC_long, 5)}, data={key: a(*value) for key, value in sent.items()})
    seen = {key: message.get_object_property(key) for key in message.get_property_names() if not key.startswith("JMSX")}
    assert base64.b64decode(seen.pop("longs")).hex() == "00000000" + "00000002" + "00000001" + "00000002"
    assert seen == {
        "flag": True, "octet": api.Byte(-1), "short": api.Short(-3), "long": api.Int(7), "longlong": 2**40, "float": api.Float(0.5),
        "double": 0.1, "string": "x", "a$002db": api.Int(1), "a_b": api.Int(2), "ulong": api.Int(-1), "char": "c", "$JMSType": "t",
        "$fd$002eseverity": api.Int(3), "$fd$002enested$002eword": "w", "$null": api.Int(8), "sev": api.Int(5),
        "$domain_type": "domain", "$type_name": "type", "$event_name": "née €",
    }  # fmt: skip


def octets(message):
    buffer = bytearray(99)
    return bytes(buffer[: message.read_bytes(buffer)])


@case
def bodies(world):
    """The bodies of events as those of messages."""
    crossed = crossing(world)

    def got(of, value):
        return crossed(body=a(of, value))

    assert got(CORBA.TC_wstring, "wide €").text == "wide €"
    assert octets(got(OCTETS, b"\0\xff")) == b"\0\xff"
    one = got(CORBA.TC_long, 5)
    assert one.read_int() == 5
    raises(api.MessageEOFException, one.read_int)
    items = [a(CORBA.TC_short, 1), a(CORBA.TC_boolean, True), a(CORBA.TC_string, "s"), a(OCTETS, b"o")]
    stream = got(ANYS, items)
    assert (stream.read_short(), stream.read_boolean(), stream.read_string(), octets(stream)) == (1, True, "s", b"o")
    mapped = got(PROPERTIES, [N.Property("k", a(CORBA.TC_long, 1)), N.Property("s", a(CORBA.TC_string, "v"))])
    assert {key: mapped.get_object(key) for key in mapped.get_map_names()} == {"k": api.Int(1), "s": "v"}
    assert octets(got(OUTER, own.Outer(3, own.Inner("w")))).hex() == "00000000" + "00000003" + "00000002" + "7700"
    assert not isinstance(got(CORBA.TC_null, None), api.TextMessage | api.BytesMessage | api.StreamMessage)


@case
def messages(world):
    """The headers and properties of messages as those of events."""
    world.started(world.jms(B.SOURCE), world.end(B.SINK))
    message = world.session.create_text_message("née €")
    message.jms_type, message.jms_correlation_id, message.jms_reply_to = "t", "c", world.queue
    typed = {
        "boolean": (CORBA.tk_boolean, True), "byte": (CORBA.tk_octet, -1), "short": (CORBA.tk_short, 3), "int": (CORBA.tk_long, 7),
        "long": (CORBA.tk_longlong, 2**40), "float": (CORBA.tk_float, 0.5), "double": (CORBA.tk_double, 0.1),
        "string": (CORBA.tk_string, "x"),
    }  # fmt: skip
    for name, (_, value) in typed.items():
        getattr(message, f"set_{name}_property")(f"a_{name}", value)
    producer = world.session.create_producer(world.queue)
    producer.send(message, delivery_mode=1, priority=7, time_to_live=60_000)
    got = world.take()
    fixed = got.header.fixed_header
    assert (fixed.event_type.domain_name, fixed.event_type.type_name) == ("", "%TextMessage")
    assert (fixed.event_name, got.remainder_of_body.value()) == (world.name, "née €")
    header = {each.name: each.value.value() for each in got.header.variable_header}
    assert (header["EventReliability"], header["Priority"]) == (0, 7)
    assert 590_000_000 < header["Timeout"] <= 600_000_000
    texts = {"Type": "t", "CorrelationID": "c", "ReplyTo": world.name, "Destination": world.name}
    due = {f"a_{name}": value for name, value in typed.items()} | {"a_byte": (CORBA.tk_octet, 255)}
    due |= {f"JMS{name}": (CORBA.tk_string, value) for name, value in texts.items()}
    due["JMSMessageID"] = CORBA.tk_string, message.jms_message_id
    due["JMSTimestamp"] = CORBA.tk_longlong, message.jms_timestamp
    due["JMSRedelivered"] = CORBA.tk_boolean, False
    seen = {each.name: (each.value.typecode().kind(), each.value.value()) for each in got.filterable_data}
    assert {key: seen.get(key) for key in due} == due
    producer.send(world.session.create_text_message("for ever"))
    assert "Timeout" not in {each.name for each in world.take().header.variable_header}


@case
def contents(world):
    """The bodies of messages as those of events."""
    world.started(world.jms(B.SOURCE), world.end(B.SINK))
    producer, made = world.session.create_producer(world.queue), world.session

    def got(message, kind):
        producer.send(message)
        event = world.take()
        assert event.header.fixed_header.event_type.type_name == kind
        return event.remainder_of_body

    raw, stream, mapped = made.create_bytes_message(), made.create_stream_message(), made.create_map_message()
    raw.write_bytes(b"\0\xff")
    assert bytes(got(raw, "%BytesMessage").value()) == b"\0\xff"
    stream.write_short(1)
    stream.write_string("s")
    stream.write_char("ü")
    assert [each.value() for each in got(stream, "%StreamMessage").value()] == [1, "s", "ü"]
    mapped.set_long("k", 2)
    mapped.set_boolean("b", False)
    assert {each.name: each.value.value() for each in got(mapped, "%MapMessage").value()} == {"k": 2, "b": False}
    assert bytes(got(made.create_object_message("é"), "%ObjectMessage").value())[:2] == b"\xac\xed"
    assert got(made.create_message(), "%Message").typecode().kind() == CORBA.tk_null
    assert got(made.create_text_message(), "%TextMessage").typecode().kind() == CORBA.tk_null


@case
def requested(world):
    """FifoOrder for every proxy, and Persistent for a queue; a topic is a sink, too."""
    admin = world.channel._get_default_consumer_admin()
    before = set(admin._get_push_suppliers())
    for kind, make, due in ((B.QUEUE, world.provider.create_queue, 1), (B.TOPIC, world.provider.create_topic, 0)):
        consumer = world.session.create_consumer(make(f"{kind}"))
        bridge = world.started(world.end(B.SOURCE), world.jms(B.SINK, f"{kind}", kind=kind))
        (number,) = set(admin._get_push_suppliers()) - before
        terms = {each.name: each.value.value() for each in admin.get_proxy_supplier(number).get_qos()}
        assert (terms["OrderPolicy"], terms["ConnectionReliability"]) == (1, due)
        world.pushed.push_structured_event(event("there"))
        assert consumer.receive(20_000).text == "there"
        bridge.destroy()
        assert set(admin._get_push_suppliers()) == before


def inactive(bridge):
    """Whether the bridge has noticed that a side is lost: it cannot be stopped."""
    try:
        bridge.stop_bridge()
    except B.BridgeInactive:
        return True
    bridge.start_bridge()
    return False


@case
def losses(world):
    """A broker that starts again while a message for a topic is published, and the end of the channel."""
    between = []
    for reliability in (0, 1):
        asked = N.Property("ConnectionReliability", a(CORBA.TC_short, reliability))
        world.channel._get_default_supplier_admin().set_qos([asked])
        topic = world.provider.create_topic(f"t{reliability}")
        bridge = world.started(world.jms(B.SOURCE, f"t{reliability}", kind=B.TOPIC), world.end(B.SINK))
        publish(world, topic, "before")
        assert world.take().remainder_of_body.value() == "before"
        world.provider.restart()
        soon(lambda bridge=bridge: inactive(bridge))
        world.connect()
        publish(world, topic, "between")
        bridge.start_bridge()
        publish(world, topic, "after")
        while (text := world.take().remainder_of_body.value()) != "after":
            between += (
                [reliability] if text == "between" else []
            )  # the other may come twice: its acknowledgment was lost
        bridge.destroy()
    assert between == [1]
    bridge = world.started(world.end(B.SOURCE), world.jms(B.SINK))
    world.channel.destroy()
    soon(lambda: inactive(bridge))
    raises(B.InvalidExternalEndPoints, bridge.start_bridge)
    bridge.destroy()


def publish(world, topic, text):
    world.session.create_producer(topic).send(world.session.create_text_message(text))


def main(folder, *names):
    world = World(Path(folder))
    try:
        for name in names or CASES:
            world.begin()
            CASES[name](world)
            sys.stdout.write(f"{name}\n")
    finally:
        sys.stderr.write(world.foreign.said())
        code = world.close()
    return code


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
