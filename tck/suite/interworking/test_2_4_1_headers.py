"""Interworking 2.4.1: headers of a message as headers and filterable data of an event."""

from __future__ import annotations

from collections.abc import Mapping

from tck import api
from tck.interworking import PRIORITY, TIMEOUT, Any_, Kind, StructuredEvent, event
from tck.interworking.qos import ORDER_POLICY, PRIORITY_ORDER
from tck.suite.support import Case, asserts, expect
from tck.suite.support.interworking.bridging import KINDS, TICKS, Bridged, filled, item, once, seen
from tck.suite.support.interworking.crossing import Crossing

HOUR = 3_600_000


def _types(case: Case, *kinds: str) -> Mapping[str, StructuredEvent]:
    """Return the event of a message of each kind."""
    bridged = Bridged(case)
    return {kind: bridged.event(filled(bridged.link, kind)) for kind in kinds}


@asserts("iw-2.4-1", plain=True)
def test_each_type_of_message_becomes_an_event(case: Case) -> None:
    """A message of each of the five types becomes an event, and each has its own type_name."""
    names = [made.header.fixed_header.event_type.type_name for made in _types(case, *KINDS).values()]
    expect.distinct("the type names", names)


@asserts("iw-2.4.1-1", plain=True)
def test_headers_do_not_depend_on_the_type(case: Case) -> None:
    """Messages with the same headers and properties have the same items, whatever their type, but for identifier and times."""
    bridged = Bridged(case)
    found = {}
    for kind in KINDS:
        message = filled(bridged.link, kind)
        message.jms_type, message.jms_correlation_id = "alarm", "c-1"
        message.set_int_property("severity", 3)
        made = bridged.event(message, priority=7, ttl=HOUR)
        items = {each.name: seen(each.value) for each in (*made.header.variable_header, *made.filterable_data)}
        own = {"JMSMessageID", "JMSTimestamp", "JMSXRcvTimestamp", TIMEOUT}
        found[kind] = {name: value for name, value in items.items() if name not in own}
    expect.equal("JMSType in the event of a text", found["text"].get("JMSType"), item(Kind.STRING, "alarm"))
    expect.equal("the items of all types", [found[kind] for kind in KINDS[1:]], [found["text"]] * 4)


@asserts("iw-2.4.1-2", plain=True)
def test_type_names_begin_with_one_percent_sign(case: Case) -> None:
    """type_name begins with a percent sign, as names that the service reserves do, and has no other."""
    for kind, made in _types(case, *KINDS).items():
        name = made.header.fixed_header.event_type.type_name
        expect.true(
            f"the type name of a {kind} message is a reserved one", name[:1] == "%" and "%" not in name[1:], name
        )


@asserts("iw-2.4.1-9", plain=True)
def test_the_type_name_of_a_message_without_body_is_recorded(case: Case) -> None:
    """A message without body becomes an event with its headers; the name of its type is left open."""
    bridged = Bridged(case)
    message = filled(bridged.link, "plain")
    message.jms_type = "alarm"
    made = bridged.event(message)
    expect.equal("JMSType", seen(once(made.filterable_data, "JMSType")), item(Kind.STRING, "alarm"))
    expect.record(f"a plain message is {made.header.fixed_header.event_type.type_name or 'without a type name'}")


@asserts("iw-2.4.1-10", plain=True)
def test_the_event_name_is_empty_or_that_of_the_destination(case: Case) -> None:
    """event_name is empty, or the name of the queue or topic."""
    bridged = Bridged(case)
    place = bridged.link.destination
    name = (
        place.queue_name if isinstance(place, api.Queue) else place.topic_name if isinstance(place, api.Topic) else ""
    )
    made = bridged.event()
    once(made.filterable_data, "JMSDestination")
    seen_name = made.header.fixed_header.event_name
    expect.one_of("event_name", seen_name, {"": "it is empty", name: "it is the name of the destination"})


@asserts("iw-2.4.1-13", "iw-2.4.1-14", plain=True)
def test_the_expiration_becomes_a_timeout(case: Case) -> None:
    """Timeout counts the life that is left, or the time of expiration, in units of 100 ns; which of them is left open."""
    bridged = Bridged(case)
    bridged.link.send("x", ttl=HOUR)
    received = bridged.link.receive()
    before = case.now()
    made = bridged.event_of(received)
    after = case.now()
    found = once(made.header.variable_header, TIMEOUT)
    ends = received.jms_expiration
    with expect.for_row("iw-2.4.1-13"):
        expect.equal("the type of Timeout", str(found.type.plain), "unsigned long long")
        left = range((ends - after) * TICKS, (ends - before) * TICKS + 1)
        fits = found.value in left or found.value == ends * TICKS
        expect.true("Timeout is what is left, or the time of expiration, in units of 100 ns", fits, repr(found.value))
    with expect.for_row("iw-2.4.1-14"):
        expect.true("Timeout is a time", isinstance(found.value, int), repr(found.value))
        expect.record("the time of expiration" if found.value == ends * TICKS else "the life that is left")


@asserts("iw-2.4.1-15", plain=True)
def test_an_expired_message_becomes_no_event(case: Case) -> None:
    """A message that expires after its receipt, before it is converted, becomes no event; one that lives longer does."""
    bridged = Bridged(case)
    life = case.long_delay()
    bridged.link.send("short", ttl=life)
    bridged.link.send("long", ttl=100 * life)
    short, long = bridged.link.receive(), bridged.link.receive()
    case.pass_time(2 * life, "the message must expire")
    made = bridged.calls("to_event", lambda: bridged.converter.to_event(short, case.now()))
    expect.equal("the event of an expired message", made, None)
    once(bridged.event_of(long).filterable_data, "JMSMessageID")


@asserts("iw-2.4.1-16", "iw-2.5.4-3", plain=True)
def test_the_priority_is_copied(case: Case) -> None:
    """Each of the ten priorities becomes the same number as a short Priority."""
    bridged = Bridged(case)
    found = {level: seen(once(bridged.event(priority=level).header.variable_header, PRIORITY)) for level in range(10)}
    expect.equal("Priority by JMSPriority", found, {level: item(Kind.SHORT, level) for level in range(10)})


def _reply_to(made: StructuredEvent) -> tuple[str, Any_]:
    names = [each.name for each in made.filterable_data if each.name.lower() == "jmsreplyto"]
    expect.equal("the number of items for JMSReplyTo", len(names), 1)
    return names[0], once(made.filterable_data, names[0])


@asserts("iw-2.4.1-23", "iw-2.4.1-28", plain=True)
def test_the_reply_destination_is_filterable(case: Case) -> None:
    """JMSReplyTo is a string among the filterable data that has the name of the destination; spelling and form are left open."""
    bridged = Bridged(case)
    for domain in ("queue", "topic"):
        reply = case.destination(domain)
        name = reply.queue_name if isinstance(reply, api.Queue) else getattr(reply, "topic_name", "")
        message = bridged.link.text("x")
        message.jms_reply_to = reply
        spelt, found = _reply_to(bridged.event(message))
        with expect.for_row("iw-2.4.1-23"):
            expect.equal("the type of JMSReplyTo", found.type.plain.kind.name, "STRING")
            expect.true(f"JMSReplyTo names the {domain}", name in str(found.value), repr(found.value))
        with expect.for_row("iw-2.4.1-28"):
            expect.one_of("the name of the item", spelt, {"JMSReplyTo": "JMSReplyTo", "JMSreplyTo": "JMSreplyTo"})
            expect.record("the bare name" if found.value == name else f"more than the name: {found.value!r}")


@asserts("iw-2.4.1-30", plain=True)
def test_headers_without_a_value_may_be_left_out(case: Case) -> None:
    """A header without a value is left out, or has an empty value."""
    made = Bridged(case).event()
    once(made.filterable_data, "JMSMessageID")
    names = {"JMSCorrelationID", "JMSReplyTo", "JMSreplyTo", "JMSType"}
    found = [each for each in made.filterable_data if each.name in names]
    empty = all(each.value.value in (None, "") for each in found)
    expect.true("items of headers without a value are empty", empty, repr(found))
    expect.record("they are empty" if found else "they are left out")


@asserts("iw-2.4.1-17", plain=True)
def test_higher_priorities_come_out_first(case: Case) -> None:
    """Of messages with the priorities 1, 9 and 5 that wait at a proxy with PriorityOrder, a consumer gets 9, 5 and 1."""
    crossing = Crossing(case)
    crossing.bridge(crossing.to_channel())
    waiting, watch = crossing.consumer(), crossing.consumer()
    waiting.set_qos({ORDER_POLICY: PRIORITY_ORDER})
    for priority in (1, 9, 5):
        crossing.sender.send(str(priority), priority=priority)
        crossing.pulled(watch, 1)
    found = [each.remainder_of_body.value for each in crossing.pulled(waiting, 3)]
    expect.equal("the bodies", found, ["9", "5", "1"])


@asserts("iw-2.4.1-19", plain=True)
def test_an_answer_by_an_event_is_recorded(case: Case) -> None:
    """A consumer that answers with an event on the channel of another bridge reaches the sender of the request."""
    request, answer = Crossing(case), Crossing(case)
    request.bridge(request.to_channel())
    answer.bridge(answer.to_jms())
    consumer = request.consumer()
    message = request.sender.text("a request")
    message.jms_reply_to, message.jms_correlation_id = answer.place, "c-1"
    request.sender.send(message)
    asked = request.pulled(consumer, 1)[0]
    items = {name: value for name in ("JMSCorrelationID", "JMSReplyTo") if (value := asked.data(name)) is not None}
    supplier = answer.supplier()
    supplier.push_structured_event(event("d", "t", "an answer", data=items))
    got = answer.received(1)[0]
    expect.equal("$event_name of the answer", got.get_string_property("$event_name"), "an answer")
    found = [name for name in got.get_property_names() if got.get_object_property(name) == "c-1"]
    kept = got.jms_correlation_id == "c-1"
    how = "as JMSCorrelationID" if kept else f"as the property {found[0]}" if found else "not at all"
    expect.record(f"the correlation identifier comes back {how}")
