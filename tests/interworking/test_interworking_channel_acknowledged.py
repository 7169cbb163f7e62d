"""The stand-in channel with DeliveryReliability Acknowledgment: what is repeated and for how long, and the recorder, on a virtual clock."""

import pytest
from channel_clients import STRUCTURED, TICKS, Client, Rig, drained, numbered, numbers, rig

from reference_interworking.reliable import Repetitions, number_of, with_number
from tck.interworking import EVENT_RELIABILITY, PERSISTENT
from tck.interworking.acknowledgment import (
    ACKNOWLEDGMENT,
    DELIVERY_RELIABILITY,
    LAST_NUMBER,
    RETRIES,
    RETRY_INTERVAL,
    Crashes,
    SequencePushSupplierAck,
    StructuredProxyPushSupplierAck,
    StructuredPushSupplierAck,
)
from tck.interworking.qos import CONNECTION_RELIABILITY, CommFailure
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


# -- the consumer side ---------------------------------------------------------------------------------------------


def supplier_on(on, *failures):
    proxy, _ = on.suppliers.obtain_notification_push_consumer(STRUCTURED)
    supplier = Supplier(*failures)
    proxy.connect_structured_push_supplier(supplier)
    return supplier, proxy


def test_an_acknowledgment_that_fails_is_not_repeated_for_what_is_pushed(on):
    supplier, proxy = supplier_on(on, OSError("once"))
    proxy.push_structured_event(with_numbers(0)[0])
    on.settle(5_000)
    assert supplier.acknowledged == [(0,)]
    proxy.push_structured_event(with_numbers(0)[0])
    on.settle()
    assert supplier.acknowledged == [(0,), (0,)]


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
