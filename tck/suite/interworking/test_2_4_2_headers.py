"""Interworking 2.4.2 and 2.5: headers of an event as headers of a message."""

from __future__ import annotations

from tck import api
from tck.interworking import EVENT_RELIABILITY, PRIORITY, STOP_TIME, TIMEOUT, Any_, Kind, TypeCode, event, struct_of
from tck.suite.support import Case, asserts, expect
from tck.suite.support.interworking.bridging import TICKS, Bridged, filled
from tck.suite.support.interworking.crossing import Crossing, numbered

PERSISTENT, NON_PERSISTENT = api.DeliveryMode.PERSISTENT, api.DeliveryMode.NON_PERSISTENT
UTC = struct_of(
    "UtcT",
    time=TypeCode(Kind.ULONGLONG),
    inacclo=TypeCode(Kind.ULONG),
    inacchi=TypeCode(Kind.USHORT),
    tdf=TypeCode(Kind.SHORT),
)
EPOCH = 122_192_928_000_000_000
"""Units of 100 ns between the first day of UtcT, 15 October 1582, and that of JMS."""


def short(value: int) -> Any_:
    """Return a short."""
    return Any_.of(Kind.SHORT, value)


def ticks(milliseconds: int) -> Any_:
    """Return a time in units of 100 ns."""
    return Any_.of(Kind.ULONGLONG, milliseconds * TICKS)


def _named(bridged: Bridged) -> api.Message:
    """Return the message of an event with a name and no other header."""
    got = bridged.message(event("d", "t", "n"))
    expect.equal("$event_name", got.get_string_property("$event_name"), "n")
    return got


def _life(message: api.Message) -> int:
    return message.jms_expiration - message.jms_timestamp


@asserts("iw-2.4.2-1", plain=True)
def test_standard_fields_become_headers(case: Case) -> None:
    """EventReliability, Timeout and Priority become delivery mode, expiration and priority."""
    header = {EVENT_RELIABILITY: short(0), TIMEOUT: ticks(60_000), PRIORITY: short(7)}
    got = Bridged(case).message(event(header=header))
    seen_ = (got.jms_delivery_mode, _life(got), got.jms_priority)
    expect.equal("mode, life in ms and priority", seen_, (NON_PERSISTENT, 60_000, 7))


@asserts("iw-2.4.2-2", plain=True)
def test_without_standard_fields_the_defaults_hold(case: Case) -> None:
    """An event without these fields is a message with the defaults of JMS."""
    got = _named(Bridged(case))
    expect.equal(
        "mode, expiration and priority",
        (got.jms_delivery_mode, got.jms_expiration, got.jms_priority),
        (PERSISTENT, 0, 4),
    )


def _both_ways(case: Case, mode: int, number: int) -> None:
    bridged = Bridged(case)
    got = bridged.message(event(header={EVENT_RELIABILITY: short(number)}))
    made = bridged.event(filled(bridged.link, "text"), mode=mode).field(EVENT_RELIABILITY)
    expect.equal("both ways", (got.jms_delivery_mode, made.value if made else None), (mode, number))


@asserts("iw-2.5.1-1", plain=True)
def test_best_effort_and_non_persistent_stand_for_each_other(case: Case) -> None:
    """BestEffort becomes NON_PERSISTENT, and NON_PERSISTENT BestEffort."""
    _both_ways(case, NON_PERSISTENT, 0)


@asserts("iw-2.5.1-2", plain=True)
def test_persistent_and_persistent_stand_for_each_other(case: Case) -> None:
    """Persistent becomes PERSISTENT, and PERSISTENT Persistent."""
    _both_ways(case, PERSISTENT, 1)


@asserts("iw-2.5.4-1", "iw-2.5.4-2", plain=True)
def test_the_default_tables_of_priorities_hold(case: Case) -> None:
    """Without any setting both tables of priorities hold; what else a bridge offers is its own affair."""
    bridged = Bridged(case)
    levels = (-32767, -1, 0, 1, 4, 8, 9, 10, 32767)
    there = [bridged.message(event(header={PRIORITY: short(each)})).jms_priority for each in levels]
    made = [bridged.event(filled(bridged.link, "text"), priority=each).field(PRIORITY) for each in range(10)]
    expect.equal("JMSPriority", there, [0, 0, 0, 1, 4, 8, 9, 9, 9])
    expect.equal("Priority", [each.value if each else None for each in made], list(range(10)))


@asserts("iw-2.4.2-12", plain=True)
def test_the_rounding_of_a_timeout_is_recorded(case: Case) -> None:
    """A Timeout of 1.5 ms is rounded in one way or the other; one below 1 ms may not become a message that never expires."""
    bridged = Bridged(case)
    whole = _life(bridged.message(event(header={TIMEOUT: ticks(60_000)})))
    expect.equal("a life of whole ms", whole, 60_000)
    lives = [
        bridged.converted(event(header={TIMEOUT: Any_.of(Kind.ULONGLONG, each)})).time_to_live
        for each in (15_000, 5_000)
    ]
    permitted = {1: "1.5 ms is rounded down", 2: "1.5 ms is rounded up"}
    expect.true("the life is 1 or 2 ms", lives[0] in permitted, f"{lives[0]} ms")
    expect.record(f"{permitted.get(lives[0], '')}, half a ms is {f'{lives[1]} ms' if lives[1] else 'no end at all'}")


@asserts("iw-2.5.5-1", plain=True)
def test_the_stop_time_ends_the_life(case: Case) -> None:
    """A StopTime a minute ahead is the JMSExpiration, within rounding."""
    bridged = Bridged(case)
    stop = case.now() + 60_000
    got = bridged.message(event(header={STOP_TIME: Any_(UTC, (EPOCH + stop * TICKS, 0, 0, 0))}))
    expect.between("JMSExpiration", got.jms_expiration - stop, -1 - case.timing.tolerance, 1 + case.timing.deadline)


@asserts("iw-2.5.5-2", plain=True)
def test_stop_time_beside_a_timeout_is_recorded(case: Case) -> None:
    """Which of both ends the life, where they differ, is left open."""
    bridged = Bridged(case)
    hour = 3_600_000
    header = {TIMEOUT: ticks(hour), STOP_TIME: Any_(UTC, (EPOCH + (case.now() + 3 * hour) * TICKS, 0, 0, 0))}
    life = _life(bridged.message(event(header=header)))
    ends = {1: "the Timeout", 3: "the StopTime"}
    expect.true("one of both ends the life", round(life / hour) in ends, f"{life} ms")
    expect.record(ends.get(round(life / hour), ""))


@asserts("iw-2.4.2-4", plain=True)
def test_the_bridge_supplies_the_other_headers(case: Case) -> None:
    """JMSMessageID, JMSTimestamp, JMSDestination and JMSType have values."""
    got = Bridged(case).message(event("d", "t", "n"))
    lacking = [
        name for name in ("jms_message_id", "jms_timestamp", "jms_destination", "jms_type") if not getattr(got, name)
    ]
    expect.equal("headers without a value", lacking, [])


def _sent(case: Case, count: int) -> tuple[Crossing, list[api.Message]]:
    """Return what a bridge that runs makes of events."""
    crossing = Crossing(case)
    crossing.bridge(crossing.to_jms())
    supplier = crossing.supplier()
    for each in numbered(count):
        supplier.push_structured_event(each)
    return crossing, crossing.received(count)


@asserts("iw-2.4.2-21", plain=True)
def test_the_destination_is_the_sink(case: Case) -> None:
    """JMSDestination is the destination at the end of the bridge."""
    crossing, got = _sent(case, 1)
    expect.equal("JMSDestination", got[0].jms_destination, crossing.place)
