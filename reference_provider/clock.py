"""Time: every timestamp, timer and wait of the provider goes through one of the two clocks here.

`RealClock` is the system's time. `VirtualClock` stands still while a thread works and jumps to the earliest deadline
when all threads are blocked, so that cases about expiry, delay and timeouts take no time. May import `tck.api` only;
must not know why threads wait.

No other module of the package may import `time` or wait with a timeout (a test checks that).
"""

from __future__ import annotations

import heapq
import itertools
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from tck.api import Clock, Event

_A_MOMENT = 0.000_2  # s; of real time under either clock


class Waiter:
    """One waiting thread: a raw lock that a signaller releases, and a slot for the object handed over.

    The lock that guards the awaited object guards the slot (usually the broker lock); the rest belongs to the clock.
    """

    __slots__ = ("blocked", "counted", "gate", "signalled", "ticket", "value")

    def __init__(self) -> None:
        self.gate = threading.Lock()
        self.gate.acquire()
        self.value: object = None
        self.blocked = False
        self.counted = False
        self.signalled = False
        self.ticket = 0


class Timer:
    """A callback at one time; `cancel` disables it. Callbacks are short, take no long locks and never raise."""

    __slots__ = ("callback", "when")

    def __init__(self, when: int, callback: Callable[[], None] | None) -> None:
        self.when = when
        self.callback = callback

    def cancel(self) -> None:
        """Disable the timer; no effect once it has fired."""
        self.callback = None


_Entry = tuple[int, int, Waiter | Timer, int]  # deadline in ms, number, waiter or timer, ticket of the waiter


class ProviderClock(Clock):
    """The part that both clocks share: waiting, signalling, timers, provider threads and events.

    `_lock` guards the heap and the state of all waiters. It is a leaf: nothing is called and no lock is taken under it.
    """

    __slots__ = ("_heap", "_lock", "_numbers")
    still = False
    """Whether time passes only by `advance` and by waits that their caller means: the clock hook."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._heap: list[_Entry] = []
        self._numbers = itertools.count()

    def wait(self, waiter: Waiter, timeout_ms: float | None = None) -> bool:
        """Block until `waiter` is signalled (True) or the timeout (False). No lock may be held."""
        raise NotImplementedError

    def signal(self, waiter: Waiter) -> None:
        """Wake `waiter`, or make its next wait return at once; may be called under the broker lock."""
        raise NotImplementedError

    def call_at(self, when: int, callback: Callable[[], None]) -> Timer:
        """Call `callback` once `now() >= when` (epoch ms)."""
        raise NotImplementedError

    def event(self) -> ClockEvent:
        """Create an event whose waits count on this clock."""
        return ClockEvent(self)

    def spawn(self, target: Callable[[], None], name: str) -> None:
        """Start a thread of the provider; it counts as an actor from now until it ends."""
        threading.Thread(target=self._run_actor, args=(target,), name=name, daemon=True).start()

    def _run_actor(self, target: Callable[[], None]) -> None:
        target()

    def give_way(self) -> None:
        """Let other threads take a lock that the caller has just released and would otherwise take again first."""
        time.sleep(_A_MOMENT)

    def close(self) -> None:
        """Stop the clock's own threads; waits no longer end."""


class ClockEvent(Event):
    """A flag that threads wait for; its waits count on the clock."""

    __slots__ = ("_clock", "_flag", "_lock", "_waiters")

    def __init__(self, clock: ProviderClock) -> None:
        self._clock = clock
        self._flag = False
        self._lock = threading.Lock()  # guards the flag and the list; nothing else is taken under it
        self._waiters: list[Waiter] = []

    def set(self) -> None:
        """Set the flag and wake all waiting threads."""
        with self._lock:
            self._flag = True
            waiters, self._waiters = self._waiters, []
        for waiter in waiters:
            self._clock.signal(waiter)

    def is_set(self) -> bool:
        """Return whether the flag is set."""
        return self._flag

    def wait(self, timeout_ms: float | None = None) -> bool:
        """Wait for the flag; return whether it is set at the timeout (ms, None for no limit)."""
        with self._lock:
            if self._flag:
                return True
            waiter = Waiter()
            self._waiters.append(waiter)
        self._clock.wait(waiter, timeout_ms)
        with self._lock:
            if waiter in self._waiters:
                self._waiters.remove(waiter)
            return self._flag


class RealClock(ProviderClock):
    """The system's time. A thread for timers is started with the first timer."""

    __slots__ = ("_closed", "_last_ns", "_offset_ns", "_timer_waiter", "_timers_running")

    def __init__(self) -> None:
        super().__init__()
        self._offset_ns = time.time_ns() - time.perf_counter_ns()
        self._last_ns = 0
        self._timer_waiter = Waiter()
        self._timers_running = False
        self._closed = False

    @property
    def virtual(self) -> bool:
        """Return False: this clock cannot be advanced."""
        return False

    def now(self) -> int:
        """Return milliseconds since 1970-01-01 UTC; never runs backwards."""
        return (time.perf_counter_ns() + self._offset_ns) // 1_000_000

    def monotonic_ns(self) -> int:
        """Return nanoseconds since 1970-01-01 UTC, strictly increasing over all threads."""
        with self._lock:
            self._last_ns = max(self._last_ns + 1, time.perf_counter_ns() + self._offset_ns)
            return self._last_ns

    def advance(self, ms: float) -> None:
        """Refuse: real time cannot be advanced."""
        raise _cannot_advance(ms)

    @contextmanager
    def actor(self) -> Iterator[None]:
        """Do nothing: real time does not depend on running threads."""
        yield

    def wait(self, waiter: Waiter, timeout_ms: float | None = None) -> bool:  # noqa: D102 # see ProviderClock
        with self._lock:
            if waiter.signalled:
                waiter.signalled = False
                return True
            if timeout_ms is not None and timeout_ms <= 0:
                return False
            waiter.blocked = True
        if timeout_ms is None:
            return waiter.gate.acquire()
        if waiter.gate.acquire(timeout=min(timeout_ms / 1000, threading.TIMEOUT_MAX)):
            return True
        with self._lock:
            if waiter.blocked:
                waiter.blocked = False
                return False
        return waiter.gate.acquire()  # signalled at the last moment: the gate is open or about to be

    def signal(self, waiter: Waiter) -> None:  # noqa: D102
        with self._lock:
            if not waiter.blocked:
                waiter.signalled = True
                return
            waiter.blocked = False
        waiter.gate.release()

    def call_at(self, when: int, callback: Callable[[], None]) -> Timer:  # noqa: D102
        timer = Timer(when, callback)
        with self._lock:
            heapq.heappush(self._heap, (when, next(self._numbers), timer, 0))
            start, self._timers_running = not self._timers_running, True
        if start:
            self.spawn(self._run_timers, "reference-provider-timers")
        else:
            self.signal(self._timer_waiter)
        return timer

    def _run_timers(self) -> None:
        while not self._closed:
            with self._lock:
                pause = None if not self._heap else self._heap[0][0] - self._exact_ms()
                entry = heapq.heappop(self._heap) if pause is not None and pause <= 0 else None
            if entry is None:
                self.wait(self._timer_waiter, pause)
            elif isinstance(timer := entry[2], Timer) and (callback := timer.callback) is not None:
                callback()

    def _exact_ms(self) -> float:
        return (time.perf_counter_ns() + self._offset_ns) / 1_000_000

    def close(self) -> None:
        """End the timer thread."""
        self._closed = True
        self.signal(self._timer_waiter)


class VirtualClock(ProviderClock):
    """Time that stands still while an actor runs and jumps to the earliest deadline when all are blocked.

    Actors are the threads inside `actor()` and those started by `spawn`. A thread that wakes another counts it as
    running before releasing it, so that no jump can happen in between. A thread that is no actor may wait too; it
    prevents no jump.
    """

    __slots__ = ("_depth", "_last_ns", "_now", "_running")
    still = True

    def __init__(self, start: int | None = None) -> None:
        super().__init__()
        self._now = time.time_ns() // 1_000_000 if start is None else start
        self._last_ns = 0
        self._running = 0
        self._depth = threading.local()

    @property
    def virtual(self) -> bool:
        """Return True: time moves by `advance` and by jumps."""
        return True

    def now(self) -> int:
        """Return milliseconds since 1970-01-01 UTC."""
        return self._now

    def monotonic_ns(self) -> int:
        """Return nanoseconds since 1970-01-01 UTC, strictly increasing over all threads."""
        with self._lock:
            self._last_ns = max(self._last_ns + 1, self._now * 1_000_000)
            return self._last_ns

    def advance(self, ms: float) -> None:
        """Move the time forward by `ms` and fire the timers that are then due."""
        if ms < 0:
            raise _cannot_advance(ms)
        with self._lock:
            self._now += int(ms)
        self._fire_due(only_when_idle=False)

    @contextmanager
    def actor(self) -> Iterator[None]:
        """Count the calling thread as running within the block; may be nested."""
        depth: int = getattr(self._depth, "value", 0)
        self._depth.value = depth + 1
        if depth == 0:
            with self._lock:
                self._running += 1
        try:
            yield
        finally:
            self._depth.value = depth
            if depth == 0:
                self._leave()

    def _leave(self) -> None:
        with self._lock:
            self._running -= 1
        self._jump()

    def spawn(self, target: Callable[[], None], name: str) -> None:  # noqa: D102 # see ProviderClock
        with self._lock:
            self._running += 1
        super().spawn(target, name)

    def _run_actor(self, target: Callable[[], None]) -> None:
        self._depth.value = 1
        try:
            target()
        finally:
            self._leave()

    def wait(self, waiter: Waiter, timeout_ms: float | None = None) -> bool:  # noqa: D102
        counted = getattr(self._depth, "value", 0) > 0
        with self._lock:
            if waiter.signalled:
                waiter.signalled = False
                return True
            if timeout_ms is not None and timeout_ms <= 0:
                return False
            waiter.blocked = True
            waiter.counted = counted
            waiter.ticket += 1
            ticket = waiter.ticket
            if timeout_ms is not None:
                self._drop_stale_entries()
                deadline = self._now + max(1, int(timeout_ms))
                heapq.heappush(self._heap, (deadline, next(self._numbers), waiter, waiter.ticket))
            if counted:
                self._running -= 1
        self._jump()
        waiter.gate.acquire()
        return waiter.ticket == ticket  # a timeout advances the ticket once more

    def signal(self, waiter: Waiter) -> None:  # noqa: D102
        with self._lock:
            if not waiter.blocked:
                waiter.signalled = True
                return
            waiter.blocked = False
            if waiter.counted:
                self._running += 1
        waiter.gate.release()

    def call_at(self, when: int, callback: Callable[[], None]) -> Timer:  # noqa: D102
        timer = Timer(when, callback)
        with self._lock:
            heapq.heappush(self._heap, (when, next(self._numbers), timer, 0))
        return timer

    def _drop_stale_entries(self) -> None:
        if len(self._heap) > 256 and self._heap[0][0] > self._now:
            live = [entry for entry in self._heap if _is_live(entry)]
            if len(live) * 2 < len(self._heap):
                heapq.heapify(live)
                self._heap[:] = live

    def _jump(self) -> None:
        """Move on to the earliest deadline as long as no thread runs."""
        while True:
            with self._lock:
                if self._running > 0:
                    return
                while self._heap and not _is_live(self._heap[0]):
                    heapq.heappop(self._heap)
                if not self._heap:
                    return
                self._now = max(self._now, self._heap[0][0])
            if self._fire_due(only_when_idle=True):
                return

    def _fire_due(self, *, only_when_idle: bool) -> bool:
        """Fire all due timers, then wake the overdue waiters (not if a timer made a thread run and the caller asks so).

        Return whether a thread was woken that is not counted.
        """
        timers: list[Timer] = []
        with self._lock:
            kept = []
            while self._heap and self._heap[0][0] <= self._now:
                entry = heapq.heappop(self._heap)
                if isinstance(entry[2], Timer):
                    timers.append(entry[2])
                else:
                    kept.append(entry)
            for entry in kept:
                heapq.heappush(self._heap, entry)
            self._running += 1  # the callbacks run: no second jump in the meantime
        for timer in timers:
            if (callback := timer.callback) is not None:
                callback()
        with self._lock:
            self._running -= 1
            if only_when_idle and self._running > 0:
                return False
            return self._wake_overdue()

    def _wake_overdue(self) -> bool:
        stranger = False
        while self._heap and self._heap[0][0] <= self._now and not isinstance(self._heap[0][2], Timer):
            entry = heapq.heappop(self._heap)
            waiter = entry[2]
            if isinstance(waiter, Waiter) and _is_live(entry):
                waiter.blocked = False
                waiter.ticket += 1
                if waiter.counted:
                    self._running += 1
                else:
                    stranger = True
                waiter.gate.release()
        return stranger


def _is_live(entry: _Entry) -> bool:
    who = entry[2]
    if isinstance(who, Timer):
        return who.callback is not None
    return who.blocked and who.ticket == entry[3]


def _cannot_advance(ms: float) -> Exception:
    from tck.api import UnsupportedOperationException  # noqa: PLC0415 # only an error needs it

    return UnsupportedOperationException(f"this clock cannot be advanced by {ms} ms")
