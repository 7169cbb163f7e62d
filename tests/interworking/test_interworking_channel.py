"""The stand-in channel: order, lives, batches, suspension, clients that fail, all on a virtual clock."""

import pytest
from channel_clients import SEQUENCE, STRUCTURED, TICKS, Client, Source, drained, number_of, numbered, numbers, rig

from reference_bridge.channel import Options
from tck.interworking import EVENT_RELIABILITY, PERSISTENT, PRIORITY, TIMEOUT
from tck.interworking.qos import (
    ANY_ORDER,
    CONNECTION_RELIABILITY,
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
    CommFailure,
    Disconnected,
    ImpLimit,
    ObjectNotExist,
)


@pytest.fixture
def on():
    with rig() as made:
        yield made


# -- order ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("policy", "order"),
    [
        (ANY_ORDER, [0, 1, 2, 3, 4]),
        (FIFO_ORDER, [0, 1, 2, 3, 4]),
        (PRIORITY_ORDER, [2, 4, 0, 3, 1]),
        (DEADLINE_ORDER, [3, 1, 0, 2, 4]),
    ],
)
def test_a_consumer_gets_its_events_in_the_order_of_the_policy(on, policy, order):
    proxy = on.pulled(**{ORDER_POLICY: policy})
    on.push(
        numbered(0),
        numbered(1, priority=-5, timeout_ms=90),
        numbered(2, priority=7),
        numbered(3, timeout_ms=30),
        numbered(4, priority=7),
    )
    assert drained(proxy) == order


def test_a_changed_policy_orders_what_waits_already(on):
    proxy = on.pulled(**{ORDER_POLICY: FIFO_ORDER})
    on.push(*(numbered(at, priority=at) for at in range(4)))
    proxy.set_qos({ORDER_POLICY: PRIORITY_ORDER})
    assert drained(proxy) == [3, 2, 1, 0]


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


# -- lives ---------------------------------------------------------------------------------------------------------


def test_an_event_dies_in_the_millisecond_in_which_its_timeout_ends(on):
    early, late = on.pulled(), on.pulled()
    on.push(numbered(0, timeout_ms=50))
    on.settle(49)
    assert drained(early) == [0]
    on.settle(1)
    assert drained(late) == []


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


def test_a_batch_goes_when_it_is_full_and_what_is_left_after_the_interval(on):
    begin = on.clock.now()
    consumer, _ = on.push_consumer(kind=SEQUENCE, **{MAXIMUM_BATCH_SIZE: 3, PACING_INTERVAL: 200 * TICKS})
    on.push(*(numbered(at) for at in range(7)))
    on.settle(150)
    on.push(numbered(7))
    on.settle(500)
    assert consumer.batches == [[0, 1, 2], [3, 4, 5], [6, 7]]
    assert [time - begin for time in consumer.times] == [0, 0, 200]


def test_without_an_interval_an_incomplete_batch_waits(on):
    consumer, proxy = on.push_consumer(kind=SEQUENCE, **{MAXIMUM_BATCH_SIZE: 3})
    on.push(numbered(0), numbered(1))
    on.settle(100_000)
    assert consumer.batches == []
    proxy.set_qos({MAXIMUM_BATCH_SIZE: 2})
    on.settle()
    assert consumer.batches == [[0, 1]]


def test_a_batch_is_cut_anew_for_each_consumer(on):
    single, _ = on.push_consumer()
    pairs, _ = on.push_consumer(kind=SEQUENCE, **{MAXIMUM_BATCH_SIZE: 2})
    proxy, _ = on.suppliers.obtain_notification_push_consumer(SEQUENCE)
    proxy.connect_sequence_push_supplier(None)
    proxy.push_structured_events(tuple(numbered(at) for at in range(4)))
    on.settle()
    assert single.batches == [[0], [1], [2], [3]]
    assert pairs.batches == [[0, 1], [2, 3]]


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


# -- suspension and failures ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", [STRUCTURED, SEQUENCE])
def test_a_suspended_consumer_gets_what_was_kept_in_order(on, kind):
    consumer, proxy = on.push_consumer(kind=kind)
    on.push(numbered(0))
    on.settle()
    proxy.suspend_connection()
    on.push(*(numbered(at) for at in range(1, 5)))
    on.settle(1000)
    assert consumer.got == [0]
    proxy.resume_connection()
    on.settle()
    assert consumer.got == [0, 1, 2, 3, 4]


def test_a_consumer_that_raises_gets_the_event_again_before_the_next(on):
    begin = on.clock.now()
    consumer, _ = on.push_consumer(OSError("once"), OSError("twice"))
    on.push(numbered(0), numbered(1))
    on.settle(10_000)
    assert consumer.got == [0, 1]
    assert [time - begin for time in consumer.times] == [0, 2_000, 4_000, 4_000]


def test_a_consumer_that_raises_too_often_is_disconnected(on):
    consumer, proxy = on.push_consumer(*(OSError("always") for _ in range(9)))
    other, _ = on.push_consumer()
    on.push(numbered(0))
    on.settle(60_000)
    assert (len(consumer.times), consumer.ends) == (3, 1)
    assert other.got == [0]
    with pytest.raises(ObjectNotExist):
        proxy.get_qos()
    assert proxy.id not in on.consumers.push_suppliers


def test_failures_count_from_the_last_success(on):
    consumer, _ = on.push_consumer(OSError("1"), OSError("2"))
    on.push(numbered(0))
    on.settle(10_000)
    consumer.failures = [OSError("3"), OSError("4")]
    on.push(numbered(1))
    on.settle(10_000)
    assert consumer.got == [0, 1]


def test_a_consumer_that_says_it_is_disconnected_is_not_called_again(on):
    consumer, _ = on.push_consumer(Disconnected("gone"))
    on.push(numbered(0))
    on.settle(60_000)
    assert (len(consumer.times), consumer.ends) == (1, 0)
    assert on.consumers.push_suppliers == ()


# -- pulling suppliers ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", [STRUCTURED, SEQUENCE])
def test_a_supplier_is_pulled_until_nothing_comes_and_again_after_the_interval(on, kind):
    begin = on.clock.now()
    out = on.pulled()
    source = Source(on.clock, numbered(0), numbered(1), numbered(2))
    proxy, _ = on.suppliers.obtain_notification_pull_consumer(kind)
    proxy.set_qos({PACING_INTERVAL: 300 * TICKS, MAXIMUM_BATCH_SIZE: 2})
    if kind == STRUCTURED:
        proxy.connect_structured_pull_supplier(source)
    else:
        proxy.connect_sequence_pull_supplier(source)
    on.settle(200)
    source.events.append(numbered(3))
    on.settle(200)
    assert drained(out) == [0, 1, 2, 3]
    most, early = (1, 4) if kind == STRUCTURED else (2, 3)
    assert [(time - begin, number) for time, number in source.asked] == [(0, most)] * early + [(300, most)] * 2


def test_a_suspended_supplier_is_not_pulled(on):
    out = on.pulled()
    source = Source(on.clock)
    proxy, _ = on.suppliers.obtain_notification_pull_consumer(STRUCTURED)
    proxy.connect_structured_pull_supplier(source)
    on.settle()
    proxy.suspend_connection()
    source.events.append(numbered(0))
    on.settle(10_000)
    assert source.events
    proxy.resume_connection()
    on.settle(1_000)
    assert drained(out) == [0]


def test_an_event_that_was_pulled_for_a_full_channel_is_not_lost(on):
    on.channel.set_admin({MAX_QUEUE_LENGTH: 1, REJECT_NEW_EVENTS: True})
    out = on.pulled()
    source = Source(on.clock, numbered(0), numbered(1), numbered(2))
    proxy, _ = on.suppliers.obtain_notification_pull_consumer(STRUCTURED)
    proxy.connect_structured_pull_supplier(source)
    got = [number_of(out.pull_structured_event()) for _ in range(3)]
    assert got == [0, 1, 2]
    assert source.ends == 0


# -- crashes -------------------------------------------------------------------------------------------------------


def test_a_crash_leaves_persistent_events_of_persistent_connections(on):
    on.channel.set_qos({EVENT_RELIABILITY: PERSISTENT, CONNECTION_RELIABILITY: PERSISTENT})
    consumer, proxy = on.push_consumer()
    volatile, lost = on.push_consumer(**{CONNECTION_RELIABILITY: 0})
    proxy.suspend_connection()
    lost.suspend_connection()
    on.push(numbered(0))
    on.channel.set_qos({EVENT_RELIABILITY: 0})
    on.push(numbered(1))
    on.channel.crash()
    for call in (proxy.get_qos, proxy.resume_connection, on.channel.get_qos, lambda: on.push(numbered(2))):
        with pytest.raises(CommFailure):
            call()
    on.settle(1_000)
    on.channel.restart()
    with pytest.raises(ObjectNotExist):
        lost.resume_connection()
    proxy.resume_connection()
    on.push(numbered(3))
    on.settle()
    assert (consumer.got, volatile.got) == ([0, 3], [])
    assert (consumer.ends, volatile.ends) == (0, 0)


def test_what_a_consumer_was_handed_as_the_channel_crashed_comes_again(on):
    consumer, _ = on.push_consumer(**{CONNECTION_RELIABILITY: PERSISTENT})
    on.channel.set_qos({EVENT_RELIABILITY: PERSISTENT})
    taken = consumer.push_structured_event

    def crashing(event):
        taken(event)
        if len(consumer.batches) == 1:
            on.channel.crash()

    consumer.push_structured_event = crashing
    on.push(numbered(0))
    on.settle(10)
    assert consumer.got == [0]
    on.channel.restart()
    on.settle()
    assert consumer.got == [0, 0]


def test_a_pull_that_waits_learns_of_a_crash(on):
    proxy = on.pulled()
    ended = []

    def pull():
        with pytest.raises(CommFailure) as caught:
            proxy.pull_structured_event()
        ended.append(caught.value)

    on.clock.spawn(pull, "pull")
    on.settle()
    on.channel.crash()
    on.settle()
    assert len(ended) == 1


def test_a_client_hears_of_the_end_from_the_other_side_only(on):
    consumer, proxy = on.push_consumer()
    proxy.disconnect_structured_push_supplier()
    assert consumer.ends == 0
    supplier, consumer = Client(), Client()
    proxy, _ = on.suppliers.obtain_notification_push_consumer(STRUCTURED)
    proxy.connect_structured_push_supplier(supplier)
    out, _ = on.consumers.obtain_notification_pull_supplier(STRUCTURED)
    out.connect_structured_pull_consumer(consumer)
    on.channel.destroy()
    assert (supplier.ends, consumer.ends) == (1, 1)
