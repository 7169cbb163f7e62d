"""The stand-in channel with many events and threads that compete: nothing is lost, doubled or reordered."""

import sys

import pytest
from channel_clients import SEQUENCE, STRUCTURED, TICKS, Client, number_of, numbered, numbers, rig

from tck.interworking.qos import FIFO_ORDER, MAXIMUM_BATCH_SIZE, ORDER_POLICY, PACING_INTERVAL, Disconnected

MANY = 10_000
SUPPLIERS, CONSUMERS, EACH = 4, 4, 500


@pytest.fixture
def on():
    with rig(**{ORDER_POLICY: FIFO_ORDER}) as made:
        yield made


@pytest.fixture(autouse=True)
def _often():
    """Let threads take turns a hundred times as often as usual."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(before / 100)
    yield
    sys.setswitchinterval(before)


def run(on, *works):
    """Run functions in threads that are actors; return once all have ended, or fail at 60 s of the clock."""
    ends = [on.clock.event() for _ in works]

    def ending(work, end):
        def body():
            work()
            end.set()

        return body

    for at, (work, end) in enumerate(zip(works, ends, strict=True)):
        on.clock.spawn(ending(work, end), f"work {at}")
    assert all(end.wait(60_000) for end in ends)


def feeding(on, first):
    """Return a function that pushes EACH numbers from `first` on through a proxy of its own."""
    proxy, _ = on.suppliers.obtain_notification_push_consumer(STRUCTURED)
    proxy.connect_structured_push_supplier(None)
    return lambda: [proxy.push_structured_event(numbered(first + at)) for at in range(EACH)]


def in_order_of_each_supplier(got):
    return all(
        sorted(part) == part for part in ([each for each in got if each // MANY == at] for at in range(SUPPLIERS))
    )


def everything():
    return [MANY * supplier + at for supplier in range(SUPPLIERS) for at in range(EACH)]


@pytest.mark.parametrize("kind", [STRUCTURED, SEQUENCE])
def test_many_events_keep_their_order_and_none_is_lost(on, kind):
    consumer, _ = on.push_consumer(kind=kind, **{MAXIMUM_BATCH_SIZE: 64, PACING_INTERVAL: TICKS})
    out = on.pulled(SEQUENCE)
    on.push(*(numbered(at) for at in range(MANY)))
    on.settle(10)
    assert consumer.got == list(range(MANY))
    assert numbers(out.try_pull_structured_events(MANY + 1)) == list(range(MANY))


def test_competing_suppliers_reach_all_consumers_in_one_order(on):
    consumers = [on.push_consumer()[0] for _ in range(3)]
    run(on, *(feeding(on, MANY * at) for at in range(SUPPLIERS)))
    on.settle()
    assert sorted(consumers[0].got) == everything()
    assert in_order_of_each_supplier(consumers[0].got)
    assert consumers[1].got == consumers[2].got == consumers[0].got


def test_competing_pulls_share_the_events_of_one_proxy(on):
    out = on.pulled()
    got = [[] for _ in range(CONSUMERS)]

    def pulling(mine):
        return lambda: [mine.append(number_of(out.pull_structured_event())) for _ in range(EACH)]

    run(on, *(feeding(on, MANY * at) for at in range(SUPPLIERS)), *(pulling(mine) for mine in got))
    assert sorted(number for mine in got for number in mine) == everything()
    assert all(in_order_of_each_supplier(mine) for mine in got)


def test_suspending_and_resuming_meanwhile_loses_nothing(on):
    consumer, proxy = on.push_consumer()

    def toggling():
        for _ in range(EACH):
            proxy.suspend_connection()
            proxy.resume_connection()

    run(on, *(feeding(on, MANY * at) for at in range(SUPPLIERS)), toggling)
    on.settle()
    assert sorted(consumer.got) == everything()
    assert in_order_of_each_supplier(consumer.got)


def test_no_time_passes_between_a_push_and_its_delivery(on):
    consumer, _ = on.push_consumer()
    begin = on.clock.now()
    on.push(numbered(0))
    on.settle(5_000)
    assert consumer.times == [begin]


def test_a_pull_waits_for_an_event_of_another_thread(on):
    out = on.pulled()
    found = []

    def pulling():
        found.append((number_of(out.pull_structured_event()), on.clock.now()))

    def pushing():
        on.settle(700)
        on.push(numbered(5))

    begin = on.clock.now()
    run(on, pulling, pushing)
    assert found == [(5, begin + 700)]


@pytest.mark.parametrize("kind", [STRUCTURED, SEQUENCE])
def test_the_end_of_a_connection_ends_a_pull_that_waits(on, kind):
    out = on.pulled(kind)
    ended = []

    def pulling():
        with pytest.raises(Disconnected):
            out.pull_structured_event() if kind == STRUCTURED else out.pull_structured_events(3)
        ended.append(on.clock.now())

    def ending():
        on.settle(100)
        out.drop()

    begin = on.clock.now()
    run(on, pulling, ending)
    assert ended == [begin + 100]


def test_a_consumer_may_call_the_channel_that_calls_it(on):
    class Echo(Client):
        def push_structured_event(self, event):
            super().push_structured_event(event)
            if self.got[-1] < 5:
                on.push(numbered(self.got[-1] + 1))
            else:
                proxy.suspend_connection()

    echo = Echo()
    proxy, _ = on.consumers.obtain_notification_push_supplier(STRUCTURED)
    proxy.connect_structured_push_consumer(echo)
    on.push(numbered(0))
    on.settle()
    on.push(numbered(9))
    on.settle(100)
    assert echo.got == [0, 1, 2, 3, 4, 5]
