"""Bridges that ask for data again and again: from a channel that is pulled, and from a destination that is received from.

A thread of the bridge asks at once as long as something comes, else after PacingInterval of its proxy, or after `ASK_MS` where that is 0. It
runs while the bridge is started. What cannot be handed on is kept, and tried again in the same rhythm before anything more is asked for.
"""

from __future__ import annotations

import logging
import threading
from abc import abstractmethod
from collections import deque
from collections.abc import Callable, Sequence
from typing import Any, Final

from reference_interworking.bridge.acknowledging import GaveUp
from reference_interworking.bridge.bridges import ChannelToJms, ReferenceBridge
from reference_interworking.bridge.pushed import JmsToChannel
from tck import api as jms
from tck.interworking import StructuredEvent
from tck.interworking.channel import Channel
from tck.interworking.clients import SequencePullConsumer, StructuredPullConsumer
from tck.interworking.qos import PACING_INTERVAL, Disconnected, ObjectNotExist

ASK_MS: Final = 100
"""Time from a question that nothing answers to the next, in ms, unless PacingInterval says otherwise."""
MOST: Final = 16
"""The most events that are pulled in one batch."""
TICKS: Final = 10_000
"""Units of 100 ns, in which PacingInterval counts, in a ms."""
_START_S: Final = 60.0
"""How long the start of the thread may take, in seconds, on a machine that does much else."""
_LOG: Final = logging.getLogger(__name__)


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


class Polling(ReferenceBridge):
    """What bridges that ask have in common: `ask` gets items, `carry` hands one on, and this class is between them."""

    _rhythm: Rhythm | None = None

    def __init__(self, *given: Any) -> None:  # noqa: ANN401 - what every bridge is made of
        self._kept: deque[Any] = deque()
        super().__init__(*given)

    @abstractmethod
    def ask(self) -> Sequence[Any]:
        """Return the next items; none if there are none now.

        Raises:
            Disconnected: The connection to the channel has ended; ObjectNotExist too.
        """

    @abstractmethod
    def carry(self, item: Any) -> None:  # noqa: ANN401 - an event or a message
        """Hand on one item; what raises is kept and handed on later."""

    def _begin_asking(self) -> None:
        pacing = -(-self._proxy.get_qos().get(PACING_INTERVAL, 0) // TICKS)
        self._rhythm = Rhythm(self._provider.clock, self._step, pacing or ASK_MS, type(self).__name__)
        self._rhythm.start()

    def _end_asking(self) -> None:
        if self._rhythm is not None:
            self._rhythm.stop()
            self._rhythm = None

    def _step(self) -> bool:
        """Ask once, and hand on what came."""
        if self._lost or self._broken.is_set():
            return False
        try:
            if not self._kept:
                self._kept.extend(self.ask())
            found = bool(self._kept)
            while self._kept:
                self.carry(self._kept[0])
                self._kept.popleft()
        except (Disconnected, ObjectNotExist):
            self.lost()
            return False
        return found


class PulledToJms(Polling, ChannelToJms):
    """The bridge pulls from the channel, and sends."""

    def _made_proxy(self, channel: Channel) -> Any:  # noqa: ANN401 - one of two kinds
        return channel.default_consumer_admin.obtain_notification_pull_supplier(self._kind)[0]

    def _connect(self) -> None:
        self.acknowledging.agree(self._channel)
        if self._sequences:
            self._proxy.connect_sequence_pull_consumer(_SequencePuller(self))
        else:
            self._proxy.connect_structured_pull_consumer(_Puller(self))

    def _step(self) -> bool:
        """Ask once, and hand on what came; with acknowledgment the channel keeps it until it has been handed on."""
        if not self.acknowledging.terms.on:
            return super()._step()
        if self._lost or self._broken.is_set():
            return False
        try:
            return self.acknowledging.pull(lambda: tuple(self.ask()))
        except (Disconnected, ObjectNotExist, GaveUp):
            self.lost()
            return False

    def ask(self) -> Sequence[StructuredEvent]:
        """Try to pull."""
        if self._sequences:
            return tuple(self._proxy.try_pull_structured_events(MOST))
        found = self._proxy.try_pull_structured_event()
        return () if found is None else (found,)

    carry = ChannelToJms.carry  # type: ignore[assignment]


class _Puller(StructuredPullConsumer):
    def __init__(self, bridge: ReferenceBridge) -> None:
        self._bridge = bridge

    def disconnect_structured_pull_consumer(self) -> None:
        self._bridge.lost()


class _SequencePuller(SequencePullConsumer):
    def __init__(self, bridge: ReferenceBridge) -> None:
        self._bridge = bridge

    def disconnect_sequence_pull_consumer(self) -> None:
        self._bridge.lost()


class ReceivedToChannel(Polling, JmsToChannel):
    """The bridge receives from the destination, and pushes."""

    def _listen(self) -> None:
        """Set no listener."""

    def ask(self) -> Sequence[jms.Message]:
        """Receive a message, if there is one."""
        found = self._consumer.receive_no_wait()
        return () if found is None else (found,)

    carry = JmsToChannel.carry  # type: ignore[assignment]
