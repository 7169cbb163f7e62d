"""Both clocks: waits, timers, jumps."""

import threading
from pathlib import Path

import pytest

import reference_provider
from reference_provider.clock import ProviderClock, RealClock, VirtualClock, Waiter
from tck.api import UnsupportedOperationException


@pytest.fixture(params=[RealClock, VirtualClock])
def clock(request):
    made = request.param()
    yield made
    made.close()


def test_virtual_time_stands_still_and_advances():
    clock = VirtualClock(start=1000)
    with clock.actor():
        assert clock.now() == 1000
        clock.advance(50)
        assert clock.now() == 1050


def test_real_time_cannot_be_advanced():
    with pytest.raises(UnsupportedOperationException):
        RealClock().advance(1)


def test_a_timed_wait_jumps_when_nobody_else_runs():
    clock = VirtualClock(start=0)
    with clock.actor():
        assert clock.wait(Waiter(), 70_000) is False
        assert clock.now() == 70_000


def test_a_signal_before_the_wait_is_kept(clock: ProviderClock):
    waiter = Waiter()
    clock.signal(waiter)
    with clock.actor():
        assert clock.wait(waiter, 10_000) is True


def test_no_jump_while_another_actor_runs():
    clock = VirtualClock(start=0)
    done = []
    event = clock.event()

    def work():
        done.extend(step for step in range(1000))
        event.set()

    with clock.actor():
        clock.spawn(work, "worker")
        assert event.wait(5) is True
    assert len(done) == 1000
    assert clock.now() == 0


def test_timers_fire_before_waits_of_the_same_time_end():
    clock = VirtualClock(start=0)
    waiter = Waiter()
    with clock.actor():
        clock.call_at(300, lambda: clock.signal(waiter))
        assert clock.wait(waiter, 300) is True
        assert clock.now() == 300


def test_a_cancelled_timer_does_not_fire():
    clock = VirtualClock(start=0)
    fired = []
    with clock.actor():
        timer = clock.call_at(5, lambda: fired.append(1))
        timer.cancel()
        clock.wait(Waiter(), 20)
    assert fired == []


def test_a_timer_fires_on_time(clock: ProviderClock):
    event = clock.event()
    with clock.actor():
        due = clock.now() + 20
        clock.call_at(due, event.set)
        assert event.wait(5000)
        assert clock.now() >= due


def test_timers_fire_in_the_order_of_their_times(clock: ProviderClock):
    fired = []
    last = clock.event()
    with clock.actor():
        now = clock.now()
        both = threading.Event()
        clock.call_at(now, both.wait)  # however long this thread is kept from the second call
        clock.call_at(now + 30, lambda: (fired.append("late"), last.set()))
        clock.call_at(now + 10, lambda: fired.append("early"))
        both.set()
        assert last.wait(5000)
    assert fired == ["early", "late"]


def test_an_event_wakes_all_who_wait(clock: ProviderClock):
    event, woken, all_woken = clock.event(), [], clock.event()

    def wait():
        event.wait(60_000)
        woken.append(1)
        if len(woken) == 4:
            all_woken.set()

    with clock.actor():
        for _ in range(4):
            clock.spawn(wait, "waiting")
        event.set()
        assert all_woken.wait(5_000)
        assert event.is_set()


def test_an_event_that_nobody_sets_ends_its_wait(clock: ProviderClock):
    with clock.actor():
        assert clock.event().wait(10) is False


def test_monotonic_time_increases_strictly_and_agrees_with_now(clock: ProviderClock):
    seen = [clock.monotonic_ns() for _ in range(1000)]
    assert len(set(seen)) == 1000
    assert seen == sorted(seen)
    assert abs(seen[-1] // 1_000_000 - clock.now()) <= 5


def test_three_actors_give_the_same_log_every_time():
    def run() -> list[tuple[int, str]]:
        clock = VirtualClock(start=0)
        log: list[tuple[int, str]] = []
        finished = [clock.event() for _ in range(3)]

        def work(name: str, pause: int, done) -> None:
            for _ in range(10):
                clock.wait(Waiter(), pause)
                log.append((clock.now(), name))
            done.set()

        with clock.actor():
            for (name, pause), done in zip([("a", 7), ("b", 11), ("c", 13)], finished, strict=True):
                clock.spawn(lambda name=name, pause=pause, done=done: work(name, pause, done), name)
            for done in finished:
                assert done.wait(None)
        return log

    first = run()
    assert first == sorted(first)
    assert all(run() == first for _ in range(20))


def test_a_thread_that_is_no_actor_may_wait_too():
    clock = VirtualClock(start=0)
    results = []
    thread = threading.Thread(target=lambda: results.append(clock.wait(Waiter(), 500)))
    thread.start()
    thread.join(5)
    assert results == [False]
    assert clock.now() == 500


def test_many_timed_waits_leave_nothing_behind():
    clock = VirtualClock(start=0)
    waiter = Waiter()
    with clock.actor():
        for _ in range(5000):
            clock.spawn(lambda: clock.signal(waiter), "signaller")
            assert clock.wait(waiter, 1_000_000)
    assert len(clock._heap) < 600


def test_only_the_clock_knows_time():
    package = Path(reference_provider.__file__).parent
    for module in package.rglob("*.py"):
        text = module.read_text(encoding="utf-8")
        if module.name != "clock.py" and module.parent.name != "saboteurs":
            for forbidden in (
                "import time",
                "from time",
                "acquire(timeout",
                ".join(timeout",
                "datetime.now",
                "threading.Timer",
            ):
                assert forbidden not in text, f"{module} contains {forbidden!r}: all time goes through the clock"
