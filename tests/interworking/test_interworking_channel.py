"""The stand-in channel: order, lives and batches, all on a virtual clock."""

import pytest
from channel_clients import SEQUENCE, STRUCTURED, TICKS, Client, drained, number_of, numbered, numbers, rig

from reference_interworking.channel import Options
from tck.interworking import PRIORITY, TIMEOUT
from tck.interworking.qos import (
    ANY_ORDER,
    DEADLINE_ORDER,
    DISCARD_POLICY,
    FIFO_ORDER,
    LIFO_ORDER,
    MAX_EVENTS_PER_CONSUMER,
    MAX_QUEUE_LENGTH,
    MAXIMUM_BATCH_SIZE,
    ORDER_POLICY,
    PACING_INTERVAL,
    PRIORITY_ORDER,
    REJECT_NEW_EVENTS,
    ImpLimit,
)


@pytest.fixture
def on():
    with rig() as made:
        yield made


# -- order ---------------------------------------------------------------------------------------------------------


def test_an_unstable_channel_turns_the_order_within_a_priority_round():
    with rig(Options(stable_priority=False)) as on:
        proxy = on.pulled()
        on.push(numbered(0, priority=1), numbered(1, priority=1), numbered(2, priority=2))
        assert drained(proxy) == [2, 1, 0]


def test_the_priority_of_the_proxy_holds_for_events_without_one(on):
    proxy = on.pulled(**{PRIORITY: 5})
    on.push(numbered(0, priority=4), numbered(1), numbered(2, priority=6))
    assert drained(proxy) == [2, 1, 0]


@pytest.mark.parametrize(
    ("policy", "left"),
    [
        (ANY_ORDER, [1, 2, 3]),
        (FIFO_ORDER, [1, 2, 3]),
        (LIFO_ORDER, [0, 1, 2]),
        (PRIORITY_ORDER, [0, 1, 3]),
        (DEADLINE_ORDER, [0, 2, 3]),
    ],
)
def test_an_overflow_discards_by_the_policy(on, policy, left):
    proxy = on.pulled(**{ORDER_POLICY: FIFO_ORDER, DISCARD_POLICY: policy, MAX_EVENTS_PER_CONSUMER: 3})
    other = on.pulled(**{ORDER_POLICY: FIFO_ORDER})
    on.push(
        numbered(0, priority=2),
        numbered(1, priority=1, timeout_ms=50),
        numbered(2, priority=0),
        numbered(3, priority=3, timeout_ms=70),
    )
    assert drained(proxy) == left
    assert drained(other) == [0, 1, 2, 3]


@pytest.mark.parametrize("policy", [LIFO_ORDER, PRIORITY_ORDER, DEADLINE_ORDER])
def test_of_equals_the_younger_is_discarded(on, policy):
    proxy = on.pulled(**{DISCARD_POLICY: policy, MAX_EVENTS_PER_CONSUMER: 2})
    on.push(*(numbered(at, priority=1, timeout_ms=50) for at in range(4)))
    assert drained(proxy) == [0, 1]


def test_what_is_dead_leaves_its_place_before_an_overflow(on):
    proxy = on.pulled(**{MAX_EVENTS_PER_CONSUMER: 2})
    on.push(numbered(0), numbered(1, timeout_ms=5))
    on.settle(5)
    on.push(numbered(2))
    assert drained(proxy) == [0, 2]


def test_a_full_channel_rejects_where_it_is_told_to_and_discards_otherwise(on):
    proxy = on.pulled()
    on.channel.set_admin({MAX_QUEUE_LENGTH: 2, REJECT_NEW_EVENTS: True})
    on.push(numbered(0), numbered(1))
    with pytest.raises(ImpLimit):
        on.push(numbered(2))
    on.channel.set_admin({REJECT_NEW_EVENTS: False})
    on.push(numbered(3))
    assert drained(proxy) == [1, 3]


def test_an_event_that_is_owed_after_a_failure_takes_a_place(on):
    on.push_consumer(OSError("once"))
    on.channel.set_admin({MAX_QUEUE_LENGTH: 2, REJECT_NEW_EVENTS: True})
    on.push(numbered(0))
    on.settle()
    on.push(numbered(1))
    with pytest.raises(ImpLimit):
        on.push(numbered(2))


# -- lives ---------------------------------------------------------------------------------------------------------


def test_the_earlier_of_timeout_and_stop_time_ends_a_life(on):
    proxy = on.pulled()
    now = on.clock.now()
    on.push(numbered(0, timeout_ms=50, stop=now + 20), numbered(1, timeout_ms=50, stop=now + 90), numbered(2))
    on.settle(20)
    on.push(numbered(3, stop=now + 10))
    assert drained(proxy) == [1, 2]
    on.push(numbered(4, stop=now + 60))
    on.settle(30)
    assert drained(proxy) == [4]


def test_the_timeout_of_the_proxy_holds_for_events_without_one(on):
    proxy = on.pulled(**{TIMEOUT: 30 * TICKS})
    on.push(numbered(0), numbered(1, timeout_ms=60))
    on.settle(30)
    assert drained(proxy) == [1]


def test_start_time_holds_an_event_back_for_both_styles(on):
    consumer, _ = on.push_consumer(**{ORDER_POLICY: FIFO_ORDER})
    proxy = on.pulled()
    start = on.clock.now() + 500
    on.push(numbered(0, start=start), numbered(1), numbered(2, start=start - 1000))
    on.settle(499)
    assert consumer.got == [1, 2]
    assert drained(proxy) == [1, 2]
    assert number_of(proxy.pull_structured_event()) == 0
    assert on.clock.now() == start
    on.settle()
    assert consumer.got == [1, 2, 0]
    assert consumer.times[2] == start


def test_a_millisecond_before_its_start_an_event_is_held_back(on):
    proxy = on.pulled()
    on.push(numbered(0, start=on.clock.now() + 1))
    assert proxy.try_pull_structured_event() is None
    on.settle(1)
    assert drained(proxy) == [0]


def test_start_time_holds_a_batch_back(on):
    consumer, _ = on.push_consumer(kind=SEQUENCE)
    start = on.clock.now() + 70
    on.push(numbered(0, start=start))
    on.settle(100)
    assert (consumer.batches, consumer.times) == ([[0]], [start])


def test_an_event_may_die_before_its_start(on):
    consumer, _ = on.push_consumer()
    on.push(numbered(0, start=on.clock.now() + 50, timeout_ms=20))
    on.settle(100)
    assert consumer.got == []


def test_an_event_that_dies_between_two_tries_is_not_pushed_again(on):
    consumer, _ = on.push_consumer(OSError("once"))
    on.push(numbered(0, timeout_ms=100), numbered(1))
    on.settle(5_000)
    assert consumer.got == [1]


# -- batches -------------------------------------------------------------------------------------------------------


def test_the_interval_begins_with_the_arrival_also_for_a_start_time_long_past(on):
    begin = on.clock.now()
    consumer, _ = on.push_consumer(kind=SEQUENCE, **{MAXIMUM_BATCH_SIZE: 3, PACING_INTERVAL: 200 * TICKS})
    on.push(numbered(0, start=begin - 5_000))
    on.settle(500)
    assert [time - begin for time in consumer.times] == [200]


@pytest.mark.parametrize("of_channel", [False, True])
def test_without_an_interval_an_incomplete_batch_waits_until_a_setting_makes_it_full(on, of_channel):
    consumer, proxy = on.push_consumer(kind=SEQUENCE)
    setting = on.channel if of_channel else proxy
    setting.set_qos({MAXIMUM_BATCH_SIZE: 3})
    on.push(numbered(0), numbered(1))
    on.settle(100_000)
    assert consumer.batches == []
    setting.set_qos({MAXIMUM_BATCH_SIZE: 2})
    on.settle()
    assert consumer.batches == [[0, 1]]


def test_a_batch_that_does_not_fit_is_rejected_as_a_whole(on):
    on.channel.set_admin({MAX_QUEUE_LENGTH: 3, REJECT_NEW_EVENTS: True})
    out = on.pulled(SEQUENCE)
    proxy, _ = on.suppliers.obtain_notification_push_consumer(SEQUENCE)
    proxy.connect_sequence_push_supplier(None)
    with pytest.raises(ImpLimit):
        proxy.push_structured_events(tuple(numbered(at) for at in range(4)))
    assert out.try_pull_structured_events(9) == ()


def test_a_pull_of_a_batch_returns_no_more_than_it_asks_for(on):
    proxy = on.pulled(SEQUENCE)
    on.push(*(numbered(at) for at in range(5)))
    assert numbers(proxy.pull_structured_events(3)) == [0, 1, 2]
    assert numbers(proxy.try_pull_structured_events(3)) == [3, 4]
    with pytest.raises(ValueError, match="at least 1"):
        proxy.pull_structured_events(0)


def test_consumers_are_served_in_turn(on):
    turns = []

    class Noting(Client):
        def push_structured_events(self, events):
            super().push_structured_events(events)
            turns.append((names[self], self.got[-1]))

    names = {Noting(): "a", Noting(): "b"}
    for consumer in names:
        proxy, _ = on.consumers.obtain_notification_push_supplier(STRUCTURED)
        proxy.connect_structured_push_consumer(consumer)
    start = on.clock.now() + 50
    on.push(*(numbered(at, start=start) for at in range(3)))
    on.settle(100)
    assert turns == [("a", 0), ("b", 0), ("a", 1), ("b", 1), ("a", 2), ("b", 2)]


def test_each_consumer_has_its_own_interval(on):
    begin = on.clock.now()
    waiting = {
        ms: on.push_consumer(kind=SEQUENCE, **{MAXIMUM_BATCH_SIZE: 3, PACING_INTERVAL: ms * TICKS})[0]
        for ms in (300, 100, 200)
    }
    on.push(numbered(0))
    on.settle(500)
    assert {ms: [time - begin for time in each.times] for ms, each in waiting.items()} == {
        ms: [ms] for ms in (300, 100, 200)
    }
