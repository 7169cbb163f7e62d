"""The four ends at JMS: a producer, a consumer that is received from, one with a listener, and one whose listener holds until it is asked."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Sequence

from reference_interworking.bridge.acknowledging import GaveUp
from reference_interworking.bridge.bridges import ReferenceBridge
from reference_interworking.bridge.transacting import OVER
from tck import api as jms
from tck.interworking import StructuredEvent
from tck.interworking.qos import ChannelError, Disconnected
from tck.interworking.transactions import Coordinator, Status


class Sending:
    """The bridge sends."""

    producer: jms.MessageProducer

    def __init__(self, bridge: ReferenceBridge) -> None:
        self.bridge = bridge

    def prepare(self) -> None:
        """Make the producer on the session of the bridge."""
        self.producer = self.bridge.session.create_producer(self.bridge.destination)

    def put(self, event: StructuredEvent) -> None:
        """Send the message of an event; an event that has expired is dropped."""
        with self.bridge.lock:
            made = self.bridge.converter.to_message(event, self.bridge.session, self.bridge.provider.clock.now())
            if made is None:
                return

            def send() -> None:
                self.producer.send(
                    made.message,
                    delivery_mode=made.delivery_mode,
                    priority=made.priority,
                    time_to_live=made.time_to_live,
                )

            self.bridge.delivery.sent(send, made.message)

    def close(self) -> None:
        """Leave the producer to its session."""


class Receiving:
    """The bridge receives, when it is asked to or by itself."""

    consumer: jms.MessageConsumer

    def __init__(self, bridge: ReferenceBridge) -> None:
        self.bridge = bridge

    def prepare(self) -> None:
        """Make the consumer on the session of the bridge."""
        self.consumer = self.bridge.made_consumer()

    def ask(self) -> Sequence[jms.Message]:
        """Receive a message, if there is one."""
        found = self.consumer.receive_no_wait()
        return () if found is None else (found,)

    def next_event(self, *, wait: bool) -> StructuredEvent | None:
        """Return the event of the next message; None if there is none.

        Raises:
            Disconnected: The connection to JMS has ended.
        """
        while True:
            try:
                message = self.consumer.receive() if wait else self.consumer.receive_no_wait()
            except jms.JMSException as error:
                raise Disconnected(str(error)) from error
            if message is None and wait:
                raise Disconnected("the connection to JMS was closed")
            event = None if message is None else self.bridge.event(message)
            if message is None or event is not None:
                return event

    def close(self) -> None:
        """Close the consumer; a message that its listener has is waited for."""
        self.consumer.close()


class Listening(Receiving):
    """The provider delivers to a listener, which hands on."""

    def prepare(self) -> None:
        """Make the consumer, and let the provider deliver."""
        super().prepare()
        self.consumer.message_listener = _Handing(self.bridge)


class _Handing(jms.MessageListener):
    def __init__(self, bridge: ReferenceBridge) -> None:
        self._bridge = bridge

    def on_message(self, message: jms.Message) -> None:
        try:
            self._bridge.carrier.carry(message)
        except GaveUp:
            self._bridge.lost()
            raise
        except ChannelError:
            self._bridge.pause()  # the provider delivers the message again at once
            raise


class Holding(Receiving):
    """The provider delivers to a listener, which holds the events until the channel pulls them.

    While routing transactions are on there is no listener: each pull receives in the XA session. Events that it holds already are given first, and
    once more if its transaction is rolled back.
    """

    def __init__(self, bridge: ReferenceBridge) -> None:
        super().__init__(bridge)
        self._buffer: deque[StructuredEvent] = deque()
        self._given: deque[StructuredEvent] = deque()  # to the transaction that follows
        self._taker: Coordinator | None = None
        self._came: jms.Event | None = None  # for a pull that waits
        self._guard = (
            threading.Lock()
        )  # guards those above; no lock but that of the clock or a coordinator is taken under it

    def prepare(self) -> None:
        """Make the consumer, and let the provider deliver, unless pulls receive in a transaction."""
        super().prepare()
        if not self.bridge.unit.working:
            self.consumer.message_listener = _Holder(self)

    def hold(self, message: jms.Message) -> None:
        """Keep the event of a message until it is pulled; a message that has expired is dropped."""
        event = self.bridge.event(message)
        if event is not None:
            with self._guard:
                self._buffer.append(event)
            self._wake()

    def next_event(self, *, wait: bool) -> StructuredEvent | None:
        """Return the oldest event that is held; None if there is none.

        Raises:
            Disconnected: The bridge was destroyed, or its routing transactions were switched on during the wait.
        """
        waited = False
        while True:
            with self._guard:
                taker = self._settle()
                if self._buffer:
                    found = self._buffer.popleft()
                    if taker is not None:
                        self._given.append(found)
                        self._taker = taker
                    return found
                came = self._came = self.bridge.provider.clock.event()
            if self.bridge.destroyed:
                raise Disconnected("the bridge was destroyed")
            if self.bridge.unit.working:
                if waited:
                    raise Disconnected("the bridge receives in transactions from now on")
                return super().next_event(wait=wait)
            if not wait:
                return None
            came.wait(None)
            waited = True

    def _settle(self) -> Coordinator | None:
        """Take back what a transaction that did not succeed was given; return the one that takes now, or None. Needs the guard."""
        if self._taker is not None and (status := self._taker.get_status()) in OVER:
            if status != Status.COMMITTED:
                self._buffer.extendleft(reversed(self._given))
            self._given.clear()
            self._taker = None
        joined: Coordinator | None = self.bridge.unit.joined
        return joined

    def close(self) -> None:
        """Close the consumer; a pull that waits looks how things stand."""
        try:
            super().close()
        finally:
            self._wake()

    def _wake(self) -> None:
        with self._guard:
            if self._came is not None:
                self._came.set()


class _Holder(jms.MessageListener):
    def __init__(self, end: Holding) -> None:
        self._end = end

    def on_message(self, message: jms.Message) -> None:
        self._end.hold(message)
