"""The stand-in channel: suspension, clients that fail, suppliers that are pulled, crashes, all on a virtual clock."""

import pytest
from channel_clients import SEQUENCE, STRUCTURED, TICKS, Client, Source, drained, number_of, numbered, numbers, rig

from tck.interworking import EVENT_RELIABILITY, PERSISTENT
from tck.interworking.qos import (
    CONNECTION_RELIABILITY,
    FIFO_ORDER,
    MAX_QUEUE_LENGTH,
    MAXIMUM_BATCH_SIZE,
    ORDER_POLICY,
    PACING_INTERVAL,
    REJECT_NEW_EVENTS,
    CommFailure,
    Disconnected,
    ObjectNotExist,
)


@pytest.fixture
def on():
    with rig() as made:
        yield made


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


def test_what_is_owed_after_a_failure_outlives_a_crash_if_it_is_persistent(on):
    on.channel.set_qos({CONNECTION_RELIABILITY: PERSISTENT})
    consumer, _ = on.push_consumer(OSError("once"))
    lasting, _ = on.push_consumer(OSError("once"), **{ORDER_POLICY: FIFO_ORDER})
    on.push(numbered(0))
    on.settle()
    on.channel.crash()
    on.channel.restart()
    on.channel.set_qos({EVENT_RELIABILITY: PERSISTENT})
    on.settle(10_000)
    lasting.failures = [OSError("again")]
    on.push(numbered(1))
    on.settle()
    on.channel.crash()
    on.channel.restart()
    on.settle(10_000)
    assert (consumer.got, lasting.got) == ([1], [1])


def test_a_crash_loses_what_was_pulled_for_a_full_channel(on):
    on.channel.set_qos({EVENT_RELIABILITY: PERSISTENT, CONNECTION_RELIABILITY: PERSISTENT})
    on.channel.set_admin({MAX_QUEUE_LENGTH: 1, REJECT_NEW_EVENTS: True})
    out = on.pulled()
    source = Source(on.clock, numbered(0), numbered(1), numbered(2))
    proxy, _ = on.suppliers.obtain_notification_pull_consumer(STRUCTURED)
    proxy.connect_structured_pull_supplier(source)
    on.settle()
    assert numbers(source.events) == [2]
    on.channel.crash()
    on.channel.restart()
    assert [number_of(out.pull_structured_event()) for _ in range(2)] == [0, 2]


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
