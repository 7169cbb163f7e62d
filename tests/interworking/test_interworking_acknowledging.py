"""The acknowledging half of a bridge: repetition, retries of pulls and acknowledgments, on a virtual clock."""

import threading

import pytest
from channel_clients import TICKS, Telling, numbered, numbers

from reference_interworking.bridge.acknowledging import Consuming, GaveUp, Supplying
from reference_interworking.reliable import Series, number_of, with_number
from reference_provider.clock import VirtualClock
from tck.interworking.acknowledgment import ACKNOWLEDGMENT, DELIVERY_RELIABILITY, RETRIES, RETRY_INTERVAL
from tck.interworking.qos import CommFailure

ACK = {DELIVERY_RELIABILITY: ACKNOWLEDGMENT, RETRY_INTERVAL: 200 * TICKS, RETRIES: 2}


class Proxy:
    """Notes what is acknowledged and set; raises what it is told to."""

    def __init__(self, qos=ACK):
        self.qos, self.acknowledged, self.failures = dict(qos), [], []

    def get_qos(self):
        return self.qos

    def set_qos(self, qos):
        self.qos.update(qos)

    def acknowledge(self, given):
        self.acknowledged.append(given)
        if self.failures:
            raise self.failures.pop(0)


@pytest.fixture
def clock():
    made = VirtualClock(start=1_000_000)
    with made.actor():
        yield made


def side(kind, clock, *more, qos=ACK):
    proxy, channel = Proxy(qos), Proxy({})
    made = kind(proxy, clock, *more)
    made.agree(channel)
    return made, proxy, channel


def test_of_a_batch_that_failed_only_the_rest_is_handed_on(clock):
    handed, failures = [], [None, OSError("once")]

    def hand(event):
        if failures and (error := failures.pop(0)):
            raise error
        handed.append(event)

    made, proxy, _ = side(Consuming, clock, hand)
    batch = with_number(tuple(numbered(each) for each in range(3)), 0)
    with pytest.raises(OSError, match="once"):
        made.take(batch)
    assert proxy.acknowledged == []
    made.take(batch)
    assert (numbers(handed), proxy.acknowledged) == ([0, 1, 2], [(0,)])


def test_pulls_and_acknowledgments_have_all_retries_each(clock):
    handed, answers = [], [CommFailure("1"), CommFailure("2"), with_number((numbered(0),), 0), ()]

    def pull():
        answer = answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer

    made, proxy, _ = side(Consuming, clock, handed.append)
    proxy.failures = [CommFailure("3"), CommFailure("4")]
    begin = clock.now()
    assert made.pull(pull)
    assert (clock.now() - begin, proxy.acknowledged, numbers(handed)) == (800, [(0,)] * 3, [0])
    assert not made.pull(pull)
    answers[:] = [CommFailure("dead")] * 3
    with pytest.raises(GaveUp):
        made.pull(pull)
    assert answers == []


def test_what_was_pulled_is_given_again_until_it_is_acknowledged(clock):
    made, _, _ = side(Supplying, clock)
    events = [(numbered(0),), (numbered(1),)]

    def take():
        return events.pop(0) if events else ()

    assert [number_of(made.answer(take)) for _ in range(3)] == [0, 1, None]
    made.acknowledge((0, 9))
    assert not clock.event().wait(200)
    assert [number_of(made.answer(take)) for _ in range(2)] == [1, None]


class Overlapping(Series):
    """The first call tells that it has begun, and ends once the second has begun or waits for a lock."""

    def __init__(self, second):
        super().__init__()
        self.begun, self.second = threading.Event(), second

    def give(self):
        if self.begun.is_set():
            self.second.set()
            return super().give()
        given = super().give()
        self.upcoming = given
        self.begun.set()
        assert self.second.wait(60)
        self.upcoming = given + 1
        return given


def test_two_pushes_at_a_time_have_two_numbers(clock):
    """The listener of a lost connection may still push when that of the next begins."""
    made, _, _ = side(Supplying, clock)
    lock, numbers_ = Telling(), []
    made._lock, made.series = lock, Overlapping(lock.came)

    def hand(events):
        numbers_.append(number_of(events))
        made.acknowledge((number_of(events),))

    def push():
        made.push((numbered(0),), hand)

    threads = [threading.Thread(target=push) for _ in range(2)]
    threads[0].start()
    assert made.series.begun.wait(60)
    threads[1].start()
    for each in threads:
        each.join(60)
    assert sorted(numbers_) == [0, 1]


def test_a_push_is_repeated_until_it_is_acknowledged(clock):
    made, _, _ = side(Supplying, clock)
    pushed = []

    def hand(events):
        pushed.append((clock.now(), number_of(events)))
        if len(pushed) == 1:
            raise CommFailure("lost")
        if len(pushed) > 2:
            made.acknowledge((number_of(events),))

    begin = clock.now()
    made.push((numbered(0),), hand)
    made.push((numbered(1),), hand)
    assert [(at - begin, number) for at, number in pushed] == [(0, 0), (200, 0), (400, 0), (400, 1)]
    with pytest.raises(GaveUp):
        made.push((numbered(2),), pushed.append)
    assert len(pushed) == 7
