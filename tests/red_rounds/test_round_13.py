"""Witnesses of red round 13: each fault of a bridge or channel shows itself to a program that uses the interfaces alone."""

from __future__ import annotations

import pytest
from red_bridges_13 import MANY, ONE, PULL, PUSH, SINK, SOURCE, Puller, S, bodies, converter, named, text, world

from faults.interworking.nearly_right import all_nearly_right_bridges
from tck import api as jms
from tck.interworking import OCTET_SEQ, Any_, Kind, TypeCode, event, struct_of
from tck.interworking.acknowledgment import (
    DELIVERY_RELIABILITY,
    LAST_NUMBER,
    RETRIES,
    RETRY_INTERVAL,
    SequencePushSupplierAck,
)
from tck.interworking.bridge import (
    DestinationType,
    ExternalEndpoint,
    InvalidExternalEndPoints,
    JMSDestination,
    MessageType,
)
from tck.interworking.channel import ClientType
from tck.interworking.coordinator import Point
from tck.interworking.filters import EXTENDED_TCL, ConstraintExp, MappingConstraintPair
from tck.interworking.qos import CONNECTION_RELIABILITY, ORDER_POLICY, PRIORITY_ORDER
from tck.interworking.transactions import ENABLE_TRANSACTION, TRANSACTION_EVENT_SEQUENCES

# -- mapping


def show_bridge_stop_time_in_its_zone(opens):
    utc = struct_of(
        "UtcT",
        time=TypeCode(Kind.ULONGLONG),
        inacclo=TypeCode(Kind.ULONG),
        inacchi=TypeCode(Kind.USHORT),
        tdf=TypeCode(Kind.SHORT),
    )
    with world(opens) as w:
        stop = 122_192_928_000_000_000 + (w.clock.now() + 60_000) * 10_000
        return [
            converter(opens)
            .to_message(event(header={"StopTime": Any_(utc, (stop, 0, 0, tdf))}), w.session, w.clock.now())
            .time_to_live
            for tdf in (0, 120)
        ]


def show_bridge_typedef_of_octets_encapsulated(opens):
    alias = TypeCode(Kind.ALIAS, "Blob", "IDL:Blob:1.0", content=OCTET_SEQ)
    with world(opens) as w:
        made = [
            converter(opens).to_message(event(body=Any_(each, b"abc")), w.session, w.clock.now()).message
            for each in (OCTET_SEQ, alias)
        ]
        return [converter(opens).to_event(each, w.clock.now()).remainder_of_body.value for each in made]


def show_bridge_no_map_of_no_properties(opens):
    with world(opens) as w:
        made = (
            converter(opens).to_message(event(body=Any_.properties(each)), w.session, w.clock.now()).message
            for each in ({"a": text("b")}, {})
        )
        return [isinstance(each, jms.MapMessage) for each in made]


def show_bridge_object_numbers_as_doubles(opens):
    with world(opens) as w:
        message = w.session.create_object_message({"id": [2**53 + 1, 7]})
        made = converter(opens).to_event(message, w.clock.now())
        return converter(opens).read_object(made.remainder_of_body.value)


def show_bridge_empty_bytes_leave_streams(opens):
    with world(opens) as w:
        message = w.session.create_stream_message()
        for each in (b"ab", b"", "x"):
            message.write_object(each)
        return [each.value for each in converter(opens).to_event(message, w.clock.now()).remainder_of_body.value]


def show_bridge_structs_of_two_levels_only(opens):
    long = TypeCode(Kind.LONG)
    inner = struct_of("I", d=long)
    outer = struct_of("A", b=struct_of("B", c=inner, e=long))
    with world(opens) as w:
        made = (
            converter(opens).to_message(event(data={"a": Any_(outer, (((1,), 2),))}), w.session, w.clock.now()).message
        )
        return sorted(each for each in made.get_property_names() if each[0] != "$" or each.startswith("$a"))


# -- life and factory


def show_bridge_started_by_a_failed_restart(opens):
    with world(opens) as w:
        channel = w.channel(ConnectionReliability=1, EventReliability=1)
        bridge = w.to_jms(channel)
        bridge.start_bridge()
        bridge.stop_bridge()
        channel.crash()
        try:
            bridge.start_bridge()
        except InvalidExternalEndPoints as error:
            seen = str(error)
        status = bridge.get_status().name
        channel.restart()
        return seen, status


def show_bridge_factory_stops_at_the_first_error(opens):
    with world(opens) as w:
        try:
            w.bridges.create_bridge(
                ExternalEndpoint(SOURCE, 99, PUSH, ONE),
                ExternalEndpoint(
                    SINK, JMSDestination(DestinationType.QUEUE, "q", "no such factory"), PUSH, MessageType.JMS_MESSAGE
                ),
            )
        except InvalidExternalEndPoints as error:
            return str(error)


def show_bridge_stops_the_connection_of_others(opens):
    with world(opens) as w:
        there, back = w.channel(), w.channel()
        got = w.listener(back)
        one, two = w.to_jms(there), w.from_jms(back)
        one.start_bridge()
        two.start_bridge()
        w.send("before")
        w.sleep(1000)
        one.stop_bridge()
        w.send("after")
        w.sleep(1000)
        return bodies(got), two.get_status().name


def show_bridge_durable_name_without_channel(opens):
    with world(opens) as w:
        made = []
        for _ in range(2):
            try:
                bridge = w.from_jms(w.channel(ConnectionReliability=1), "t", kind=DestinationType.TOPIC)
                bridge.start_bridge()
                made.append(bridge.get_status().name)
            except Exception as error:  # noqa: BLE001
                made.append(type(error).__name__)
        return made


# -- acknowledgment


def acknowledged(w, **more):
    return w.channel(
        **{
            DELIVERY_RELIABILITY: 1,
            RETRY_INTERVAL: S,
            RETRIES: 3,
            "EventReliability": 1,
            "ConnectionReliability": 1,
            **more,
        }
    )


def show_bridge_zero_after_the_wrap_is_a_repetition(opens):
    with world(opens) as w:
        channel = acknowledged(w)
        bridge = w.to_jms(channel)
        bridge.start_bridge()
        w.channels.set_next_number(
            channel.default_consumer_admin.get_proxy_supplier(channel.default_consumer_admin.push_suppliers[0]),
            LAST_NUMBER - 1,
        )
        supplier = w.supplier(channel)
        for each in "abcd":
            supplier.push_structured_event(named(each))
        w.sleep(8000)
        return [each.text for each in w.received()]


def show_bridge_channel_number_named_twice(opens):
    with world(opens) as w:
        channel = acknowledged(w)
        proxy = channel.default_consumer_admin.obtain_notification_pull_supplier(ClientType.STRUCTURED_EVENT)[0]
        proxy.connect_structured_pull_consumer(Puller())
        supplier = w.supplier(channel)
        for each in "ab":
            supplier.push_structured_event(named(each))
            proxy.try_pull_structured_event()
        proxy.acknowledge((0, 0))
        w.sleep(2000)
        again = proxy.try_pull_structured_event()
        return again and again.remainder_of_body.value


def show_bridge_acknowledgment_of_channels_only(opens):
    with world(opens) as w:
        channel = w.channel()
        admin = channel.default_consumer_admin
        admin.set_qos({DELIVERY_RELIABILITY: 1, RETRY_INTERVAL: S, RETRIES: 2})
        w.to_jms(channel).start_bridge()
        w.supplier(channel).push_structured_event(named("a"))
        w.sleep(8000)
        return [each.text for each in w.received()], len(w.channels.delivery_failures())


class AckedSupplier(SequencePushSupplierAck):
    def __init__(self):
        self.numbers = []

    def acknowledge(self, sequence_numbers):
        self.numbers += sequence_numbers

    def disconnect_sequence_push_supplier(self):
        pass


def show_bridge_channel_repeated_batch_unanswered(opens):
    with world(opens) as w:
        channel, client = acknowledged(w), AckedSupplier()
        proxy = channel.default_supplier_admin.obtain_notification_push_consumer(ClientType.SEQUENCE_EVENT)[0]
        proxy.connect_sequence_push_supplier(client)
        w.listener(w.channel())
        number = Any_.of(Kind.LONG, 0)
        for batch in ((named("a", SequenceNumber=number), named("b")),) * 2:
            proxy.push_structured_events(batch)
            w.sleep(500)
        proxy.push_structured_events((named("c", SequenceNumber=Any_.of(Kind.LONG, 1)),))
        w.sleep(500)
        return client.numbers


def show_bridge_application_acknowledges_the_last(opens):
    with world(opens) as w:
        w.bridges.use_session_mode(jms.JMSContext.CLIENT_ACKNOWLEDGE)
        channel = acknowledged(w, **{RETRY_INTERVAL: 60 * S})
        w.to_jms(channel).start_bridge()
        supplier = w.supplier(channel)
        for each in "abc":
            supplier.push_structured_event(named(each))
        w.sleep(1000)
        w.bridges.messages_acknowledged([each.jms_message_id for each in w.received()])
        w.sleep(600_000)
        return len(w.channels.delivery_failures())


# -- transactions


def show_bridge_batches_counted_as_events(opens):
    with world(opens, transacts=True) as w:
        channel = w.channel(MaximumBatchSize=4)
        w.to_jms(channel, type_=MANY).enable_transaction(8, 0)
        return channel.get_admin()[TRANSACTION_EVENT_SEQUENCES]


def show_bridge_channel_undoes_the_last_pull(opens):
    with world(opens, transacts=True) as w:
        channel = w.channel()
        got = w.listener(channel)
        refused = []
        w.service.hooks.append(
            lambda point, number: point != Point.ASKED or bool(refused) or refused.append(number) is not None
        )
        w.send(*"abc")
        bridge = w.from_jms(channel, styles=(PULL, PULL))
        bridge.enable_transaction(3, 0)
        bridge.start_bridge()
        w.sleep(10_000)
        return bodies(got)


def show_bridge_channel_own_reliability_stays(opens):
    with world(opens, transacts=True) as w:
        seen = []
        for own in ({}, {CONNECTION_RELIABILITY: 0}):
            proxy = w.channel().default_consumer_admin.obtain_notification_push_supplier(ClientType.STRUCTURED_EVENT)[0]
            proxy.set_qos(own)
            proxy.set_qos({ENABLE_TRANSACTION: True})
            seen.append(proxy.get_qos()[CONNECTION_RELIABILITY])
        return seen


def show_bridge_restarts_on_the_plain_session(opens):
    with world(opens, transacts=True) as w:
        channel = w.channel()
        bridge = w.to_jms(channel)
        bridge.enable_transaction(2, 0)
        bridge.start_bridge()
        bridge.stop_bridge()
        bridge.start_bridge()
        refused = []
        w.service.hooks.append(
            lambda point, number: point != Point.ASKED or bool(refused) or refused.append(number) is not None
        )
        supplier = w.supplier(channel)
        for each in "ab":
            supplier.push_structured_event(named(each))
        w.sleep(10_000)
        return [each.text for each in w.received()]


# -- filters


def show_bridge_filter_value_zero_is_none(opens):
    with world(opens) as w:
        channel = w.channel()
        found = channel.default_filter_factory.create_mapping_filter(EXTENDED_TCL, Any_.of(Kind.SHORT, 3))
        found.add_mapping_constraints(
            [MappingConstraintPair(ConstraintExp((), "$event_name == 'low'"), Any_.of(Kind.SHORT, 0))]
        )
        proxy = channel.default_consumer_admin.obtain_notification_pull_supplier(ClientType.STRUCTURED_EVENT)[0]
        proxy.set_qos({ORDER_POLICY: PRIORITY_ORDER})
        proxy.priority_filter = found
        proxy.connect_structured_pull_consumer(Puller())
        supplier = w.supplier(channel)
        supplier.push_structured_event(named("low", Priority=Any_.of(Kind.SHORT, 9)))
        supplier.push_structured_event(named("mid", Priority=Any_.of(Kind.SHORT, 5)))
        return [proxy.try_pull_structured_event().remainder_of_body.value for _ in range(2)]


@pytest.mark.parametrize("show", [name for name in sorted(globals()) if name.startswith("show_")])
def test_the_fault_shows_itself(show):
    name = show.removeprefix("show_").replace("_", "-")
    fault = {**all_nearly_right_bridges(), **all_nearly_right_bridges(noticed=False)}[name]
    sound = globals()[show](None)
    assert globals()[show](fault.opens) != sound
    assert globals()[show](None) == sound
