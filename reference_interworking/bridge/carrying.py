"""Between the two ends: the carrier, and the thread of a bridge that asks for data again and again.

Such a bridge asks at once as long as something comes, else after PacingInterval of its proxy, or after `ASK_MS` where that is 0. The thread
runs while the bridge is started. What cannot be handed on is kept, and tried again in the same rhythm before anything more is asked for.
"""

from __future__ import annotations

import logging
import threading
from collections import deque
from collections.abc import Callable
from typing import Any, Final

from reference_interworking.bridge.acknowledging import GaveUp
from reference_interworking.bridge.bridges import ReferenceBridge
from tck import api as jms
from tck.interworking import StructuredEvent
from tck.interworking.qos import PACING_INTERVAL, Disconnected, ObjectNotExist

ASK_MS: Final = 100
"""Time from a question that nothing answers to the next, in ms, unless PacingInterval says otherwise."""
TICKS: Final = 10_000
"""Units of 100 ns, in which PacingInterval counts, in a ms."""
_START_S: Final = 60.0
"""How long the start of the thread may take, in seconds, on a machine that does much else."""
_LOG: Final = logging.getLogger(__name__)


class Carrier:
    """Hands on one item after the other, each within a unit of work."""

    def __init__(self, bridge: ReferenceBridge) -> None:
        self.bridge = bridge

    def carry(self, item: Any) -> None:  # noqa: ANN401 - an event or a message
        """Hand on one item; what raises was not handed on."""
        with self.bridge.unit.work():
            self.bridge.to.put(item)

    def next_event(self, *, wait: bool) -> StructuredEvent | None:
        """Return the next event, for a channel that pulls; None if there is none. A call that waits does so without the lock."""
        with self.bridge.lock:
            self.bridge.unit.within()
            found: StructuredEvent | None = None if wait else self.bridge.from_.next_event(wait=False)
        return self.bridge.from_.next_event(wait=True) if wait else found


class Rhythm:
    """A thread that makes steps until it is stopped. It is an actor of the clock, which so waits for a step that runs.

    Args:
        clock: What it waits on between the steps.
        step: Returns whether there may be more to do at once; an exception means that there is not.
        interval: Time to the next step otherwise, in ms.
        name: Of the thread.
    """

    def __init__(self, clock: jms.Clock, step: Callable[[], bool], interval: int, name: str) -> None:
        self._clock, self._step, self._interval = clock, step, interval
        self._counted, self._stopped, self._ended = threading.Event(), clock.event(), clock.event()
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)

    def start(self) -> None:
        """Start the thread, and wait until the clock counts it."""
        self._thread.start()
        if not self._counted.wait(_START_S):
            raise RuntimeError(f"the thread {self._thread.name} did not start within {_START_S:g} s")

    def stop(self) -> None:
        """Make no more steps, and wait for the one that runs: on the clock, since the step may wait there too."""
        self._stopped.set()
        if threading.current_thread() is not self._thread:
            self._ended.wait(None)

    def _run(self) -> None:
        with self._clock.actor():
            self._counted.set()
            while not self._stopped.is_set():
                if not self._made():
                    self._stopped.wait(self._interval)
            self._ended.set()

    def _made(self) -> bool:
        try:
            return self._step()
        except Exception:  # noqa: BLE001 - the next step may succeed
            _LOG.warning("a step of %s failed", self._thread.name, exc_info=True)
            return False


class Asking:
    """The asking of a bridge: its thread, and what it keeps."""

    def __init__(self, bridge: ReferenceBridge) -> None:
        self._bridge = bridge
        self._kept: deque[Any] = deque()
        self._rhythm: Rhythm | None = None

    def start(self) -> None:
        """Begin to ask for data."""
        pacing = -(-self._bridge.proxy.get_qos().get(PACING_INTERVAL, 0) // TICKS)
        name = f"{type(self._bridge.from_).__name__} to {type(self._bridge.to).__name__}"
        self._rhythm = Rhythm(self._bridge.provider.clock, self._step, pacing or ASK_MS, name)
        self._rhythm.start()

    def stop(self) -> None:
        """Ask no more, and wait for the step under way: not to be called with the lock of the bridge."""
        if self._rhythm is not None:
            self._rhythm.stop()
            self._rhythm = None

    def _step(self) -> bool:
        """Ask once, and hand on what came; with acknowledgment a channel keeps it until it has been handed on."""
        if self._bridge.ended or self._bridge.broken.is_set():
            return False
        try:
            if self._bridge.delivery.pulls:
                return bool(self._bridge.delivery.pull(self._bridge.from_.ask))
            if not self._kept:
                self._kept.extend(self._bridge.from_.ask())
            found = bool(self._kept)
            while self._kept:
                self._bridge.carrier.carry(self._kept[0])
                self._kept.popleft()
        except (Disconnected, ObjectNotExist, GaveUp):
            self._bridge.lost()
            return False
        return found
