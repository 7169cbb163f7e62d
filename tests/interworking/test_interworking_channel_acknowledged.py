"""The stand-in channel with DeliveryReliability Acknowledgment: numbers, what is kept and repeated, crashes, on a virtual clock."""

import pytest
from channel_clients import SEQUENCE, STRUCTURED, TICKS, Client, Rig, Source, drained, numbered, numbers, rig

from reference_interworking.reliable import Repetitions, number_of, with_number
from tck.interworking import EVENT_RELIABILITY, PERSISTENT
from tck.interworking.acknowledgment import (
    ACKNOWLEDGMENT,
    DELIVERY_RELIABILITY,
    LAST_NUMBER,
    RETRIES,
    RETRY_INTERVAL,
    SEQUENCE_NUMBER,
    Crashes,
    SequencePushSupplierAck,
    StructuredProxyPushSupplierAck,
    StructuredPullSupplierAck,
    StructuredPushSupplierAck,
)
from tck.interworking.channel import ClientType
from tck.interworking.qos import CONNECTION_RELIABILITY, MAXIMUM_BATCH_SIZE, CommFailure
from tck.suite.support.interworking.recorded import Loss, recorded

ACK = {DELIVERY_RELIABILITY: ACKNOWLEDGMENT, RETRY_INTERVAL: 200 * TICKS, RETRIES: 2}
LASTING = {EVENT_RELIABILITY: PERSISTENT, CONNECTION_RELIABILITY: PERSISTENT}


class Consumer(Client):
    """Notes the number of each push, and acknowledges while it is told to."""

    def __init__(self, clock, *failures):
        super().__init__(clock, *failures)
        self.numbers, self.acknowledges, self.proxy = [], True, None

    def push_structured_events(self, events):
        self.numbers.append(number_of(events))
        super().push_structured_events(events)
        if self.acknowledges:
            self.proxy.acknowledge((number_of(events),))


class Supplier(Client, StructuredPushSupplierAck, SequencePushSupplierAck):
    def __init__(self, *failures):
        super().__init__(None, *failures)
        self.acknowledged = []

    def acknowledge(self, sequence_numbers):
        self.acknowledged.append(sequence_numbers)
        if self.failures:
            raise self.failures.pop(0)


class Pulled(Source, StructuredPullSupplierAck):
    def __init__(self, clock, *events):
        super().__init__(clock, *events)
        self.acknowledged, self.failures, self.refused = [], [], []

    def try_pull_structured_events(self, max_number):
        if self.failures:
            self.asked.append((self.clock.now(), max_number))
            raise self.failures.pop(0)
        return super().try_pull_structured_events(max_number)

    def acknowledge(self, sequence_numbers):
        self.acknowledged.append((self.clock.now(), sequence_numbers))
        if self.refused:
            raise self.refused.pop(0)


@pytest.fixture
def on():
    with rig(**ACK) as made:
        yield made


def consumer_on(on, *failures, kind=STRUCTURED, acknowledges=True, **qos):
    proxy, _ = on.consumers.obtain_notification_push_supplier(kind)
    proxy.set_qos(qos)
    made = Consumer(on.clock, *failures)
    made.proxy, made.acknowledges = proxy, acknowledges
    (proxy.connect_structured_push_consumer if kind == STRUCTURED else proxy.connect_sequence_push_consumer)(made)
    return made


def with_numbers(*given):
    return [with_number((numbered(each),), each)[0] for each in given]


# -- the supplier side ---------------------------------------------------------------------------------------------


def test_numbers_count_up_from_zero_on_each_connection(on):
    first = consumer_on(on)
    on.push(numbered(0), numbered(1))
    on.settle()
    second = consumer_on(on)
    on.push(*with_number((numbered(2),), 77))
    on.settle(2_000)
    assert (first.numbers, second.numbers) == ([0, 1, 2], [0])
    assert first.got == [0, 1, 2]


def test_only_the_first_of_a_batch_has_a_number(on):
    on.channel.set_qos({MAXIMUM_BATCH_SIZE: 3})
    consumer = consumer_on(on, kind=SEQUENCE)
    seen = []
    consumer.proxy.acknowledge((5,))
    taken = consumer.push_structured_events
    consumer.push_structured_events = lambda events: (seen.append(events), taken(events))
    on.push(*with_numbers(*range(6)))
    on.settle()
    assert consumer.numbers == [0, 1]
    assert [each.field(SEQUENCE_NUMBER) is not None for each in seen[0]] == [True, False, False]


def test_the_number_after_the_last_is_zero(on):
    consumer = consumer_on(on)
    on.factory.set_next_number(consumer.proxy, LAST_NUMBER)
    on.push(numbered(0), numbered(1))
    on.settle()
    assert consumer.numbers == [LAST_NUMBER, 0]


def test_what_is_not_acknowledged_is_repeated_and_then_given_up(on):
    consumer = consumer_on(on, acknowledges=False)
    begin = on.clock.now()
    on.push(numbered(0))
    on.settle(5_000)
    assert [time - begin for time in consumer.times] == [0, 200, 400]
    assert consumer.numbers == [0, 0, 0]
    on.push(numbered(1))
    on.settle(5_000)
    [failure] = on.factory.delivery_failures()
    assert (failure.proxy, failure.operation, len(consumer.times), consumer.ends) == (consumer.proxy, "push", 3, 0)
    consumer.acknowledges = True
    on.factory.recover_delivery(consumer.proxy)
    on.settle()
    assert consumer.numbers == [0, 0, 0, 0, 1]


def test_what_raises_is_repeated_before_the_next_and_the_count_begins_anew_after_a_success(on):
    consumer = consumer_on(on, OSError("1"), OSError("2"))
    on.push(numbered(0), numbered(1))
    on.settle(1_000)
    consumer.failures = [OSError("3"), OSError("4")]
    on.push(numbered(2))
    on.settle(1_000)
    assert consumer.numbers == [0, 0, 0, 1, 2, 2, 2]
    assert on.factory.delivery_failures() == ()


def test_an_acknowledgment_removes_what_it_names_and_nothing_else(on):
    consumer = consumer_on(on, acknowledges=False)
    on.push(*(numbered(each) for each in range(4)))
    on.settle()
    assert consumer.numbers == [0, 1, 2, 3]
    consumer.proxy.acknowledge((2, 0, 99))
    consumer.proxy.acknowledge((0,))
    on.settle(250)
    assert consumer.numbers == [0, 1, 2, 3, 1, 3]


def test_what_was_pulled_is_given_again_until_it_is_acknowledged(on):
    proxy = on.pulled()
    on.push(numbered(0), numbered(1))
    assert drained(proxy) == [0, 1]
    on.settle(300)
    again = proxy.pull_structured_event()
    assert (number_of((again,)), numbers([again])) == (0, [0])
    proxy.acknowledge((0, 1))
    on.settle(300)
    assert drained(proxy) == []


def test_a_pull_that_waits_gets_what_is_given_again(on):
    proxy = on.pulled()
    on.push(numbered(0))
    assert drained(proxy) == [0]
    begin = on.clock.now()
    assert numbers([proxy.pull_structured_event()]) == [0]
    assert on.clock.now() - begin == 200


def test_numbers_and_what_is_kept_outlive_suspension_and_crash(on):
    on.channel.set_qos(LASTING)
    consumer = consumer_on(on, acknowledges=False)
    on.push(numbered(0))
    on.settle()
    consumer.proxy.suspend_connection()
    on.push(numbered(1))
    on.channel.crash()
    on.channel.restart()
    consumer.acknowledges = True
    consumer.proxy.resume_connection()
    on.settle()
    assert consumer.numbers == [0, 0, 1]


def test_a_channel_without_acknowledgment_adds_no_number(on):
    on.channel.set_qos({DELIVERY_RELIABILITY: 0})
    plain = consumer_on(on, acknowledges=False)
    other = consumer_on(on, **{DELIVERY_RELIABILITY: ACKNOWLEDGMENT})
    on.push(numbered(0))
    on.settle(2_000)
    assert (plain.numbers, other.numbers) == ([None], [0])


# -- the consumer side ---------------------------------------------------------------------------------------------


def supplier_on(on, *failures):
    proxy, _ = on.suppliers.obtain_notification_push_consumer(STRUCTURED)
    supplier = Supplier(*failures)
    proxy.connect_structured_push_supplier(supplier)
    return supplier, proxy


def test_what_a_supplier_numbers_is_published_once_and_acknowledged_each_time(on):
    out = on.pulled()
    out.set_qos({DELIVERY_RELIABILITY: 0})
    supplier, proxy = supplier_on(on)
    for each in (*with_numbers(0, 1, 1, 0, 2), numbered(3)):
        proxy.push_structured_event(each)
    on.settle()
    assert supplier.acknowledged == [(0,), (1,), (1,), (0,), (2,)]
    assert drained(out) == [0, 1, 2, 3]


def test_an_acknowledgment_that_fails_is_not_repeated_for_what_is_pushed(on):
    supplier, proxy = supplier_on(on, OSError("once"))
    proxy.push_structured_event(with_numbers(0)[0])
    on.settle(5_000)
    assert supplier.acknowledged == [(0,)]
    proxy.push_structured_event(with_numbers(0)[0])
    on.settle()
    assert supplier.acknowledged == [(0,), (0,)]


def test_pulls_and_acknowledgments_are_repeated_and_counted_apart(on):
    out = on.pulled()
    out.set_qos({DELIVERY_RELIABILITY: 0})
    source = Pulled(on.clock, *with_numbers(0, 0, 1))
    source.failures, source.refused = [OSError("1"), OSError("2")], [OSError("3"), OSError("4")]
    begin = on.clock.now()
    proxy, _ = on.suppliers.obtain_notification_pull_consumer(ClientType.STRUCTURED_EVENT)
    proxy.connect_structured_pull_supplier(source)
    on.settle(1_000)
    assert [time - begin for time, _ in source.asked][:3] == [0, 200, 400]
    assert [(time - begin, given) for time, given in source.acknowledged][:3] == [
        (400, (0,)),
        (600, (0,)),
        (800, (0,)),
    ]
    assert [given for _, given in source.acknowledged][3:] == [(0,), (1,)]
    assert drained(out) == [0, 1]
    assert on.factory.delivery_failures() == ()


def test_a_supplier_that_always_raises_is_pulled_no_more(on):
    source = Pulled(on.clock)
    source.failures = [OSError("always")] * 9
    proxy, _ = on.suppliers.obtain_notification_pull_consumer(ClientType.STRUCTURED_EVENT)
    proxy.connect_structured_pull_supplier(source)
    on.settle(60_000)
    [failure] = on.factory.delivery_failures()
    assert (failure.proxy, failure.operation, len(source.asked), source.ends) == (proxy, "pull", 3, 0)


def test_what_came_is_known_around_the_end_of_the_numbers():
    came = Repetitions()
    for each in (LAST_NUMBER - 2, LAST_NUMBER, 0):
        assert not came.has(each)
        came.note(each)
    assert [came.has(each) for each in (LAST_NUMBER - 2, LAST_NUMBER - 1, LAST_NUMBER, 0, 1)] == [
        True,
        False,
        True,
        True,
        False,
    ]


# -- the recorder --------------------------------------------------------------------------------------------------


def test_acknowledgments_are_recorded_in_both_directions_and_can_be_lost():
    with rig(**ACK) as plain:
        factory = recorded(plain.factory)
        on = Rig(plain.clock, factory, **ACK)
        consumer = consumer_on(on)
        supplier, proxy = supplier_on(on)
        factory.losing(
            lambda call: (
                Loss.UNNOTICED if call.operation == "acknowledge" and not factory.calls("acknowledge")[1:] else None
            )
        )
        proxy.push_structured_event(with_numbers(0)[0])
        on.settle(1_000)
        assert consumer.numbers in ([0, 0], [0])
        targets = {(each.by_channel, each.target) for each in factory.calls("acknowledge")}
        assert targets == {(True, supplier), (False, consumer.proxy)}
        assert isinstance(consumer.proxy, StructuredProxyPushSupplierAck)
        factory.losing(lambda call: Loss.OF_CALL)
        with pytest.raises(CommFailure):
            consumer.proxy.get_qos()
        factory.losing(lambda call: Loss.OF_ANSWER)
        with pytest.raises(CommFailure):
            consumer.proxy.suspend_connection()
        factory.losing(lambda call: None)
        consumer.proxy.resume_connection()
        hook = factory.hook(Crashes)
        hook.crash(factory.plain(on.channel))
        with pytest.raises(CommFailure):
            on.channel.get_qos()
        hook.restart(factory.plain(on.channel))
        assert factory.shown(factory.plain(on.channel)) is on.channel
        assert factory.hook(Client) is None
