"""Interworking 4.2, 4.2.1, 4.2.2, 4.2.5: the interfaces of event acknowledgment, and the numbers of events on a connection."""

from __future__ import annotations

from typing import Any

from tck.interworking import Any_, Kind, StructuredEvent
from tck.interworking import acknowledgment as ack
from tck.interworking.qos import QoSErrorCode, UnsupportedQoS
from tck.suite.support import Case, asserts, expect
from tck.suite.support.harness.outcome import Undecided
from tck.suite.support.interworking.acknowledging import (
    INTERVAL,
    KINDS,
    SEQUENCE,
    SILENCE,
    STRUCTURED,
    TICKS,
    PullSource,
    Push,
    Reliable,
    number_in,
    offering,
    terms,
    with_number,
)
from tck.suite.support.interworking.crossing import numbered

PROXIES = {
    ("push", STRUCTURED): ack.StructuredProxyPushSupplierAck,
    ("pull", STRUCTURED): ack.StructuredProxyPullSupplierAck,
    ("push", SEQUENCE): ack.SequenceProxyPushSupplierAck,
    ("pull", SEQUENCE): ack.SequenceProxyPullSupplierAck,
}


def _firsts(on: Reliable) -> list[Push]:
    """Return the first push or pull of a connection of each kind: single and in batches."""
    probes = [on.pushed_to(kind=kind) for kind in KINDS]
    proxies = [on.pulls_from(kind) for kind in KINDS]
    on.publish(0)
    found = [on.needed(each) for each in proxies]
    on.until("the event was pushed to both consumers", lambda: all(each.pushes for each in probes))
    return found + [each.pushes[0] for each in probes]


@asserts("iw-4.2-1", "iw-4.2.1-1", "iw-4.2.5-1", plain=True)
def test_the_number_is_a_long_in_the_variable_header(case: Case) -> None:
    """An acknowledged event has one header item called SequenceNumber, of type long, and nothing of it elsewhere."""
    with expect.all_of():
        for each in (found.events[0] for found in _firsts(Reliable(case))):
            items = [item for item in each.header.variable_header if item.name == "SequenceNumber"]
            expect.equal("items called SequenceNumber in the header", len(items), 1)
            with expect.for_row("iw-4.2.1-1"):
                expect.equal("the kind of the value", [item.value.type.kind for item in items], [Kind.LONG])
            with expect.for_row("iw-4.2.5-1"):
                expect.equal("the item in filterable_data", each.data("SequenceNumber"), None)


@asserts("iw-4.2.1-2", plain=True)
def test_acknowledge_takes_numbers(case: Case) -> None:
    """Acknowledge takes a list of numbers, whatever long they are, and what they name is not sent again."""
    on = Reliable(case)
    for kind in KINDS:
        probe = on.pushed_to(kind=kind, otherwise=SILENCE)
        on.publish(0)
        on.until("the event was pushed", lambda: probe.pushes)
        on.calls("acknowledge", lambda: probe.proxy.acknowledge((probe.pushes[0].known, ack.LAST_NUMBER)))
        before = len(probe.pushes)
        on.intervals()
        expect.equal("pushes after the acknowledgment", len(probe.pushes) - before, 0)


def _set(on: Reliable, name: str, value: int) -> None:
    """Set a property on channel, admin and proxy and read it back; a value out of a range may be refused, its type not."""
    on.works()
    admin = on.channel.new_for_consumers()[0]
    proxy: Any = admin.obtain_notification_push_supplier(STRUCTURED)[0]
    for each in (on.channel, admin, proxy):
        try:
            each.set_qos({name: value})
        except UnsupportedQoS as error:
            codes = [fault.code for fault in error.errors]
            unknown = (QoSErrorCode.BAD_TYPE, QoSErrorCode.BAD_PROPERTY, QoSErrorCode.UNSUPPORTED_PROPERTY)
            refused = any(code in unknown for code in codes)
            expect.true(f"{name} may be {value}, or that value is out of range", not refused, str(error))
        else:
            expect.equal(f"{name} read back", each.get_qos()[name], value)


@asserts("iw-4.2.1-3", plain=True)
def test_delivery_reliability_is_none_or_acknowledgment(case: Case) -> None:
    """DeliveryReliability 1 is accepted and turns acknowledgment on; 0 turns it off."""
    on = Reliable(case)
    probes = [on.pushed_to(qos=terms(**{ack.DELIVERY_RELIABILITY: value})) for value in (1, 0)]
    on.publish(0)
    on.until("both consumers got the event", lambda: all(each.pushes for each in probes))
    expect.equal("the numbers with 1 and with 0", [each.numbers[0] for each in probes], [0, None])


@asserts("iw-4.2.1-4", plain=True)
def test_retry_interval_is_a_time(case: Case) -> None:
    """RetryInterval takes values of TimeT, also those that no long holds."""
    on = Reliable(case)
    for value in (INTERVAL * TICKS, 2**33):
        _set(on, "RetryInterval", value)


@asserts("iw-4.2.1-5", plain=True)
def test_retries_is_a_long(case: Case) -> None:
    """Retries takes values of type long, also those that no short holds."""
    on = Reliable(case)
    for value in (3, 40_000):
        _set(on, "Retries", value)


@asserts("iw-4.2.1-6", "iw-4.2.1-8", plain=True)
def test_a_supplier_that_pushes_is_acknowledged_to(case: Case) -> None:
    """A supplier with acknowledge, connected like any other, learns the number of what it has pushed: single events and batches."""
    with expect.all_of():
        on = Reliable(case)
        for kind, row in ((STRUCTURED, "iw-4.2.1-6"), (SEQUENCE, "iw-4.2.1-8")):
            with expect.for_row(row):
                source = on.pushing(kind=kind)
                source.push(with_number(numbered(1)[0], 0))
                on.until("acknowledge was called with 0", lambda: source.numbers[:1] == [0])


@asserts("iw-4.2.1-7", "iw-4.2.1-9", plain=True)
def test_a_supplier_that_is_pulled_is_acknowledged_to(case: Case) -> None:
    """A supplier with acknowledge, connected like any other, learns the number of what was pulled: single events and batches."""
    with expect.all_of():
        on = Reliable(case)
        for kind, row in ((STRUCTURED, "iw-4.2.1-7"), (SEQUENCE, "iw-4.2.1-9")):
            with expect.for_row(row):
                source = PullSource(case, *offering(1))
                on.pulled_by_channel(source, kind=kind)
                on.until("acknowledge was called with 0", lambda: source.numbers[:1] == [(0,)])


@asserts("iw-4.2.1-10", plain=True)
def test_an_event_without_number_is_not_acknowledged(case: Case) -> None:
    """An event without SequenceNumber, pushed before two with numbers, is carried, and only those two are acknowledged."""
    on = Reliable(case)
    out, source = on.consumer(), on.pushing()
    bare, *rest = numbered(3)
    source.push(bare)
    for number, each in enumerate(rest):
        source.push(with_number(each, number))
    expect.equal("events at the consumer", [_name(each) for each in on.pulled(out, 3)], ["0", "1", "2"])
    on.until("the last event was acknowledged", lambda: 1 in source.numbers)
    expect.equal("the acknowledged numbers", sorted(source.numbers), [0, 1])


def _name(event: StructuredEvent) -> str:
    return event.header.fixed_header.event_name


@asserts("iw-4.2.2-1", "iw-4.2.2-2", "iw-4.2.2-3", "iw-4.2.2-4", plain=True)
def test_proxy_suppliers_can_be_acknowledged_to(case: Case) -> None:
    """With acknowledgment each kind of proxy for consumers has acknowledge, and it removes the event."""
    with expect.all_of():
        on = Reliable(case)
        for row, ((style, kind), interface) in enumerate(PROXIES.items(), 1):
            with expect.for_row(f"iw-4.2.2-{(1, 2, 3, 4)[row - 1]}"):
                probe = on.pushed_to(kind=kind, otherwise=SILENCE) if style == "push" else None
                proxy = on.pulls_from(kind) if probe is None else probe.proxy
                expect.true(f"the proxy is a {interface.__name__}", isinstance(proxy, interface), repr(type(proxy)))
                on.publish(0)
                first = on.needed(proxy) if probe is None else on.first(probe)
                on.calls("acknowledge", lambda: proxy.acknowledge((first.known,)))
                seen = 0 if probe is None else len(probe.pushes)
                on.intervals()
                again = on.pull(proxy, INTERVAL) is not None if probe is None else len(probe.pushes) > seen
                expect.true("what was acknowledged does not come again", not again, "it came again")


@asserts("iw-4.2.5-2", "iw-4.2.3.1-1", "iw-4.2.5-6", "iw-4.2.5-7", plain=True)
def test_numbers_count_up_from_zero(case: Case) -> None:
    """Every event or batch of a connection with acknowledgment has the next number from 0 on; without it none has one."""
    with expect.all_of():
        on = Reliable(case)
        probes = [on.pushed_to(kind=kind) for kind in KINDS]
        plain = on.pushed_to(qos=terms(**{ack.DELIVERY_RELIABILITY: ack.NONE}))
        on.publish(*range(7))
        on.until("all events came", lambda: all(len(each.names) >= 7 for each in (*probes, plain)))
        for each in probes:
            numbers = each.numbers
            with expect.for_row("iw-4.2.3.1-1"):
                expect.true("all that is pushed has numbers", None not in numbers, repr(numbers))
            with expect.for_row("iw-4.2.5-2"):
                expect.true("all have numbers", None not in numbers, repr(numbers))
                expect.equal("numbers without acknowledgment", plain.numbers, [None] * 7)
            with expect.for_row("iw-4.2.5-6"):
                expect.equal("the first number", numbers[0], 0)
            with expect.for_row("iw-4.2.5-7"):
                first = numbers[0] or 0
                expect.equal("the numbers from the first on", numbers, list(range(first, first + len(numbers))))


@asserts("iw-4.2.5-4", "iw-4.2.5.1-4", plain=True)
def test_a_number_of_an_earlier_hop_is_replaced(case: Case) -> None:
    """An event that comes with number 3 leaves with one number: that of the connection it leaves by."""
    with expect.all_of():
        on = Reliable(case)
        early, source = on.pushed_to(), on.pushing()
        for number, each in enumerate(numbered(3)):
            source.push(with_number(each, number))
        on.until("three events came", lambda: len(early.names) >= 3)
        late = on.pushed_to()
        source.push(with_number(numbered(4)[3], 3))
        on.until("the fourth came to both", lambda: "3" in early.names and "3" in late.names)
        event = late.pushes[0].events[0]
        with expect.for_row("iw-4.2.5-4"):
            items = [each for each in event.header.variable_header if each.name == "SequenceNumber"]
            expect.equal("the item of the late consumer", [each.value for each in items], [Any_.of(Kind.LONG, 0)])
        with expect.for_row("iw-4.2.5.1-4"):
            last = next(each.number for each in early.pushes if each.names == ["3"])
            expect.equal("its numbers on two connections", (last, number_in(event)), (3, 0))


@asserts("iw-4.2.5-5", "iw-4.2.5-8", plain=True)
def test_zero_follows_the_last_number(case: Case) -> None:
    """Where the next number is set to the last one, 0 follows, and no number is out of the range."""
    with expect.all_of():
        on = Reliable(case)
        hook = on.hook(ack.SetsNumbers)
        for kind in KINDS:
            probe = on.pushed_to(kind=kind)
            hook.set_next_number(on.channels.plain(probe.proxy), ack.LAST_NUMBER)
            on.publish(*range(9))
            on.until("nine events came", lambda: len(probe.names) >= 9)
            with expect.for_row("iw-4.2.5-5"):
                out = [each.number for each in probe.pushes if not 0 <= each.known <= ack.LAST_NUMBER]
                expect.equal("numbers out of the range", out, [])
            with expect.for_row("iw-4.2.5-8"):
                expect.equal("the first numbers", probe.numbers[:3], [ack.LAST_NUMBER, 0, 1])


@asserts("iw-4.2.5-9", "iw-4.2.5.1-2", plain=True)
def test_each_connection_has_its_own_numbers(case: Case) -> None:
    """A consumer that connects after five events begins at 0, and so does one that disconnects and connects anew."""
    with expect.all_of():
        on = Reliable(case)
        first = on.pushed_to()
        on.publish(*range(5))
        on.until("five events came", lambda: len(first.names) >= 5)
        with expect.for_row("iw-4.2.5-9"):
            second = on.pushed_to()
            on.publish(5)
            on.until("the sixth came to both", lambda: "5" in first.names and "5" in second.names)
            expect.equal("the numbers", (first.numbers, second.numbers), ([0, 1, 2, 3, 4, 5], [0]))
        with expect.for_row("iw-4.2.5.1-2"):
            admin = first.proxy.admin
            first.proxy.disconnect_structured_push_supplier()
            first.proxy = admin.obtain_notification_push_supplier(STRUCTURED)[0]
            first.proxy.connect_structured_push_consumer(first)
            on.publish(6)
            on.until("the seventh came", lambda: "6" in first.names)
            expect.equal("the number on the new connection", first.numbers[-1], 0)


@asserts("iw-4.2.5.2-3", "iw-4.2.3.1-3", plain=True)
def test_the_return_of_push_removes_nothing(case: Case) -> None:
    """What was pushed and not acknowledged comes again, and once acknowledged not again."""
    on = Reliable(case)
    for kind in KINDS:
        probe = on.pushed_to(SILENCE, kind=kind)
        on.publish(0)
        on.until("the event came again", lambda: len(probe.pushes) >= 2)
        before = on.settled(lambda: len(probe.pushes))
        expect.between("pushes until the acknowledgment", before, 2, 2)


@asserts("iw-4.2.3.2-1", plain=True)
def test_what_is_pulled_has_a_number(case: Case) -> None:
    """Each event or batch that is pulled has the next number."""
    on = Reliable(case)
    proxies = [on.pulls_from(kind) for kind in KINDS]
    on.publish(0, 1)
    for proxy in proxies:
        numbers: list[object] = []
        names: list[str] = []
        while "1" not in names:
            found = on.needed(proxy)
            names += found.names
            numbers.append(found.number)
            if isinstance(found.number, int):
                proxy.acknowledge((found.number,))
        expect.equal("the numbers", numbers, list(range(len(numbers))))


@asserts("iw-4.2.5.2-4", "iw-4.2.7.2-5", plain=True)
def test_one_acknowledgment_may_name_several_pulled_events(case: Case) -> None:
    """Three events are pulled, their numbers acknowledged in one call, and none comes again."""
    on = Reliable(case)
    proxy = on.pulls_from()
    on.publish(0, 1, 2)
    came = [on.needed(proxy) for _ in range(3)]
    seen = {each.known for each in came}
    on.calls("acknowledge", lambda: proxy.acknowledge(tuple(seen)))
    on.intervals()
    again = on.pull(proxy, INTERVAL)
    expect.true("none of them comes again", again is None or again.number not in seen, repr(again))


@asserts("iw-4.2.5.2-6", "iw-4.2.6-1", "iw-4.2.7.2-4", plain=True)
def test_an_acknowledgment_removes_what_it_names(case: Case) -> None:
    """Of three events that were pulled, one in the middle is acknowledged twice: the others still come again, and it does not."""
    on = Reliable(case)
    proxy = on.pulls_from()
    on.publish(0, 1, 2)
    came = {found.number: found.names for found in (on.needed(proxy) for _ in range(3))}
    if len(came) < 3:
        raise Undecided(f"the channel gives no further event before an acknowledgment: {came}")
    proxy.acknowledge((1,))
    proxy.acknowledge((1,))
    on.publish(3)
    left: list[str] = []
    for _ in range(12):
        found = on.pull(proxy, 5 * INTERVAL)
        left += found.names if found else []
    expect.true("the events 0, 2 and 3 come", {"0", "2", "3"} <= set(left), f"{left} came after 1 was acknowledged")
    expect.true("what was acknowledged does not come again", "1" not in left, str(left))
