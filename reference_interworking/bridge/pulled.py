"""Bridges from a destination that the channel pulls: each pull receives, or takes what a listener has got before."""

from __future__ import annotations

import threading
from collections import deque
from typing import Any, ClassVar

from reference_interworking.bridge.acknowledging import Supplying
from reference_interworking.bridge.bridges import ReferenceBridge
from tck import api as jms
from tck.interworking import StructuredEvent
from tck.interworking.acknowledgment import SequenceNumbers, SequencePullSupplierAck, StructuredPullSupplierAck
from tck.interworking.channel import Channel
from tck.interworking.clients import Batch, SequencePullSupplier, StructuredPullSupplier
from tck.interworking.qos import Disconnected


class PulledFromJms(ReferenceBridge):
    """The channel pulls, and each pull receives from the destination."""

    supplying: ClassVar[type[Supplying]] = Supplying
    """What keeps events until they are acknowledged; a fault has another one."""

    def _made_proxy(self, channel: Channel) -> Any:  # noqa: ANN401 - one of two kinds
        return channel.default_supplier_admin.obtain_notification_pull_consumer(self._kind)[0]

    def _begin_acknowledging(self) -> None:
        self.acknowledging = self.supplying(self._proxy, self._provider.clock)

    def _prepare(self) -> None:
        self._consumer = self._made_consumer()

    def _connect(self) -> None:
        self.acknowledging.agree(self._channel)
        on = self.acknowledging.terms.on
        if self._sequences:
            self._proxy.connect_sequence_pull_supplier(_PulledSequencesAck(self) if on else _PulledSequences(self))
        else:
            self._proxy.connect_structured_pull_supplier(_PulledAck(self) if on else _Pulled(self))

    def next_event(self, *, wait: bool) -> StructuredEvent | None:
        """Return the event of the next message; None if there is none.

        Raises:
            Disconnected: The connection to JMS has ended.
        """
        while True:
            try:
                message = self._consumer.receive() if wait else self._consumer.receive_no_wait()
            except jms.JMSException as error:
                raise Disconnected(str(error)) from error
            if message is None and wait:
                raise Disconnected("the connection to JMS was closed")
            event = None if message is None else self._event(message)
            if message is None or event is not None:
                return event

    def next_events(self, most: int, *, wait: bool) -> Batch:
        """Return the events of at most so many messages; wait for the first, if told to."""
        found: list[StructuredEvent] = []
        while len(found) < most and (event := self.next_event(wait=wait and not found)) is not None:
            found.append(event)
        return tuple(found)


class _Pulled(StructuredPullSupplier):
    def __init__(self, bridge: PulledFromJms) -> None:
        self._bridge = bridge

    def pull_structured_event(self) -> StructuredEvent:
        return self._bridge.acknowledging.answer(lambda: self._bridge.next_events(1, wait=True))[0]

    def try_pull_structured_event(self) -> StructuredEvent | None:
        return next(iter(self._bridge.acknowledging.answer(lambda: self._bridge.next_events(1, wait=False))), None)

    def disconnect_structured_pull_supplier(self) -> None:
        self._bridge.lost()


class _PulledAck(_Pulled, StructuredPullSupplierAck):
    def acknowledge(self, sequence_numbers: SequenceNumbers) -> None:
        self._bridge.acknowledging.acknowledge(sequence_numbers)


class _PulledSequences(SequencePullSupplier):
    def __init__(self, bridge: PulledFromJms) -> None:
        self._bridge = bridge

    def pull_structured_events(self, max_number: int) -> Batch:
        return self._bridge.acknowledging.answer(lambda: self._bridge.next_events(max_number, wait=True))

    def try_pull_structured_events(self, max_number: int) -> Batch:
        return self._bridge.acknowledging.answer(lambda: self._bridge.next_events(max_number, wait=False))

    def disconnect_sequence_pull_supplier(self) -> None:
        self._bridge.lost()


class _PulledSequencesAck(_PulledSequences, SequencePullSupplierAck):
    def acknowledge(self, sequence_numbers: SequenceNumbers) -> None:
        self._bridge.acknowledging.acknowledge(sequence_numbers)


class Buffered(PulledFromJms):
    """The provider delivers to a listener, which holds the events until the channel pulls them."""

    def __init__(self, *given: Any) -> None:  # noqa: ANN401 - what every bridge is made of
        self._buffer: deque[StructuredEvent] = deque()
        self._came: jms.Event | None = None  # for a pull that waits
        self._guard = threading.Lock()  # guards the two above; no lock but that of the clock is taken under it
        super().__init__(*given)

    def _prepare(self) -> None:
        super()._prepare()
        self._consumer.message_listener = _Holding(self)

    def hold(self, message: jms.Message) -> None:
        """Keep the event of a message until it is pulled; a message that has expired is dropped."""
        event = self._event(message)
        if event is not None:
            with self._guard:
                self._buffer.append(event)
                self._wake()

    def next_event(self, *, wait: bool) -> StructuredEvent | None:
        """Return the oldest event that is held; None if there is none.

        Raises:
            Disconnected: The bridge was destroyed.
        """
        while True:
            with self._guard:
                if self._buffer:
                    return self._buffer.popleft()
                came = self._came = self._provider.clock.event()
            if self._destroyed:
                raise Disconnected("the bridge was destroyed")
            if not wait:
                return None
            came.wait(None)

    def destroy(self) -> None:
        """Let no pull wait on."""
        super().destroy()
        with self._guard:
            self._wake()

    def _wake(self) -> None:
        if self._came is not None:
            self._came.set()


class _Holding(jms.MessageListener):
    def __init__(self, bridge: Buffered) -> None:
        self._bridge = bridge

    def on_message(self, message: jms.Message) -> None:
        self._bridge.hold(message)
