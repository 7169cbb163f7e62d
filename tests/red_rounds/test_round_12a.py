"""Witnesses of red round 12: each fault of a bridge or channel shows itself to a program that uses the interfaces alone."""

from __future__ import annotations

import pytest
from red_bridges import MANY, bodies, named, pulled, short, text, world

from faults.interworking.nearly_right import all_nearly_right_bridges
from tck import api as jms
from tck.interworking import PERSISTENT, Any_, Kind, TypeCode, event, sequence_of, struct_of
from tck.interworking.bridge import DestinationType as D
from tck.interworking.qos import CONNECTION_RELIABILITY, DEADLINE_ORDER, MAXIMUM_BATCH_SIZE, ORDER_POLICY

# -- mapping -----------------------------------------------------------------------------------------------------------


def show_bridge_double_as_float(opens):
    with world(opens) as w:
        message = w.session.create_text_message("")
        message.set_double_property("half", 0.5)
        message.set_double_property("tenth", 0.1)
        made = w.carried(message)
        return {each: made.data(each).type.kind.name for each in ("half", "tenth")}


def show_bridge_timeout_in_32_bits(opens):
    with world(opens) as w:
        found = []
        for life in (60_000, 500_000):
            w.session.create_producer(w.queue).send(
                w.session.create_text_message(""), delivery_mode=2, priority=4, time_to_live=life
            )
            found.append(w.converter.to_event(w.received()[0], w.clock.now()).field("Timeout").value)
        return found


def show_bridge_stream_up_to_null(opens):
    with world(opens) as w:
        message = w.session.create_stream_message()
        for each in ("a", None, "b"):
            message.write_string(each)
        return [each.value for each in w.carried(message).remainder_of_body.value]


def show_bridge_whole_buffers(opens):
    with world(opens) as w:
        found = []
        for size in (4096, 5000):
            message = w.session.create_bytes_message()
            message.write_bytes(b"x" * size)
            found.append(len(w.carried(message).remainder_of_body.value))
        return found


def show_bridge_no_temporary_reply_to(opens):
    with world(opens) as w:
        found = []
        for place in (w.queue, w.session.create_temporary_queue()):
            message = w.session.create_text_message("")
            message.jms_reply_to = place
            found.append(w.carried(message).data("JMSReplyTo") is not None)
        return found


def show_bridge_redelivered_from_the_third(opens):
    with world(opens) as w:
        w.send("a")
        session = w.connection.create_session(transacted=False, session_mode=jms.JMSContext.CLIENT_ACKNOWLEDGE)
        consumer, found = session.create_consumer(w.queue), []
        for _ in range(3):
            found.append(w.converter.to_event(consumer.receive_no_wait(), w.clock.now()).data("JMSRedelivered").value)
            session.recover()
        return found


def show_bridge_priority_by_its_low_byte(opens):
    with world(opens) as w:
        return [w.made(event(header={"Priority": short(each)})).priority for each in (9, 255, 256, 32767)]


def show_bridge_lone_char_as_text(opens):
    with world(opens) as w:
        values = Any_.of(Kind.LONG, 1), Any_.of(Kind.CHAR, "c")
        return [type(w.made(event(body=each)).message).__name__ for each in values]


def show_bridge_first_member_decides(opens):
    with world(opens) as w:
        type_ = struct_of("S", a=TypeCode(Kind.LONG), b=sequence_of(TypeCode(Kind.SHORT)))
        return sorted(w.made(event(data={"s": Any_(type_, (1, (2,)))})).message.get_property_names())


def show_bridge_data_overwrites_header(opens):
    with world(opens) as w:
        given = event(header={"Colour": text("red")}, data={"Colour": text("blue")})
        message = w.made(given).message
        return {path: message.get_string_property(name) for path, name in w.converter.names(given).items()}


def show_bridge_object_in_the_basic_plane(opens):
    with world(opens) as w:
        made = w.carried(w.session.create_object_message(["\u00e9", "\U0001f600"]))
        return ascii(w.converter.read_object(made.remainder_of_body.value))


def show_bridge_best_effort_without_time(opens):
    with world(opens) as w:
        w.bridge(True)[0].start_bridge()
        w.publish(event(), event(header={"EventReliability": short(0)}), event())
        w.settle()
        return [each.jms_timestamp > 0 for each in w.received()]


# -- bridges and factory -----------------------------------------------------------------------------------------------


def show_bridge_leaves_suspended_after_a_loss(opens):
    with world(opens) as w:
        made, found = w.bridge(True)[0], []
        for lost in (False, True):
            made.start_bridge()
            made.stop_bridge()
            if lost:
                w.provider.sever(made._connection)
                w.settle()
            w.publish(event(name=f"lost: {lost}"))
            made.start_bridge()
            w.settle()
            found.append((made.get_status().name, [named(each) for each in w.received()]))
            made.stop_bridge() if not lost else None
        return found


def show_bridge_id_by_count(opens):
    with world(opens) as w:
        first, _ = w.bridge(True)
        second, b = w.bridge(True)
        first.destroy()
        _, c = w.bridge(True)
        return b == c, w.factory.get_bridge_with_id(b) is second, len(w.factory.get_all_bridges())


def show_bridge_second_loss_unnoticed(opens):
    with world(opens) as w:
        made, found = w.bridge(True)[0], []
        for _ in range(2):
            made.start_bridge()
            w.provider.sever(made._connection)
            w.settle()
            found.append(made.get_status().name)
        return found


def show_bridge_durable_until_a_loss(opens):
    with world(opens) as w:
        w.channel.set_qos({CONNECTION_RELIABILITY: PERSISTENT})
        made, topic, puller = w.bridge(False, kind=D.TOPIC)[0], w.session.create_topic("Q"), w.puller()
        found = []
        for each in ("one", "two"):
            made.start_bridge()
            w.settle()
            made.stop_bridge() if each == "one" else w.provider.sever(made._connection)
            w.settle()
            w.send(each, destination=topic)
            made.start_bridge()
            w.settle()
            found += bodies(pulled(puller))
            made.stop_bridge()
        return found


def show_bridge_urgent_first(opens):
    with world(opens) as w:
        made = w.bridge(True, type_=MANY)[0]
        made._proxy.set_qos({MAXIMUM_BATCH_SIZE: 3})
        made.start_bridge()
        w.publish(event(name="a"), event(name="b", header={"Timeout": Any_.of(Kind.ULONGLONG, 10**9)}), event(name="c"))
        w.settle()
        return [named(each) for each in w.received()]


def show_bridge_leaves_deadline_order(opens):
    with world(opens) as w:
        w.channel.default_consumer_admin.set_qos({ORDER_POLICY: DEADLINE_ORDER})
        return w.bridge(True)[0]._proxy.get_qos()[ORDER_POLICY] == DEADLINE_ORDER


def show_bridge_checks_a_channel_once(opens):
    with world(opens) as w:
        w.bridge(True)[0].destroy()
        w.channel.destroy()
        try:
            w.bridge(True)
        except Exception as error:  # noqa: BLE001 - whichever it is
            return type(error).__name__, str(error)


def show_bridge_stopped_stays_connected(opens):
    with world(opens) as w:
        found = []
        for stop in (False, True):
            made = w.bridge(True)[0]
            made.start_bridge()
            if stop:
                made.stop_bridge()
            made.destroy()
            found.append(len(w.channel.default_consumer_admin.push_suppliers))
        return found


@pytest.mark.parametrize("show", [name for name in sorted(globals()) if name.startswith("show_")])
def test_the_fault_shows_itself(show):
    name = show.removeprefix("show_").replace("_", "-")
    fault = {**all_nearly_right_bridges(), **all_nearly_right_bridges(noticed=False)}[name]
    sound = globals()[show](None)
    assert globals()[show](fault.opens) != sound
    assert globals()[show](None) == sound
