"""Bridges from a destination that push into the channel: a listener gets each message."""

from __future__ import annotations

from typing import Any, ClassVar

from reference_interworking.bridge.acknowledging import GaveUp, Supplying
from reference_interworking.bridge.bridges import ReferenceBridge
from tck import api as jms
from tck.interworking.acknowledgment import SequenceNumbers, SequencePushSupplierAck, StructuredPushSupplierAck
from tck.interworking.channel import Channel
from tck.interworking.clients import Batch, SequencePushSupplier, StructuredPushSupplier
from tck.interworking.qos import ChannelError, Disconnected


class JmsToChannel(ReferenceBridge):
    """The provider delivers to a listener, and the bridge pushes."""

    supplying: ClassVar[type[Supplying]] = Supplying
    """What keeps events until they are acknowledged; a fault has another one."""

    def _made_proxy(self, channel: Channel) -> Any:  # noqa: ANN401 - one of two kinds
        return channel.default_supplier_admin.obtain_notification_push_consumer(self._kind)[0]

    def _begin_acknowledging(self) -> None:
        self.acknowledging = self.supplying(self._proxy, self._provider.clock)

    def _prepare(self) -> None:
        self._consumer = self._made_consumer()
        self._listen()

    def _listen(self) -> None:
        """Let the provider deliver."""
        self._consumer.message_listener = _Listener(self)

    def _connect(self) -> None:
        self.acknowledging.agree(self._channel)
        on = self.acknowledging.terms.on
        if self._sequences:
            self._proxy.connect_sequence_push_supplier(_SequenceSenderAck(self) if on else _SequenceSender(self))
        else:
            self._proxy.connect_structured_push_supplier(_SenderAck(self) if on else _Sender(self))

    def carry(self, message: jms.Message) -> None:
        """Push the event of a message; a message that has expired is dropped.

        Raises:
            Disconnected: Delivery has ended; JMS may deliver until its connection is stopped.
        """
        if self._lost:
            raise Disconnected("delivery on the connection to the channel has ended")
        event = self._event(message)
        if event is None:
            return
        lost = self._broken  # of the connection that has delivered the message
        try:
            self.acknowledging.push((event,), self._push, lambda: not lost.is_set())
        except GaveUp:
            self.lost()
            raise

    def _push(self, events: Batch) -> None:
        if self._sequences:
            self._proxy.push_structured_events(events)
        else:
            self._proxy.push_structured_event(events[0])


class _Listener(jms.MessageListener):
    def __init__(self, bridge: JmsToChannel) -> None:
        self._bridge = bridge

    def on_message(self, message: jms.Message) -> None:
        try:
            self._bridge.carry(message)
        except ChannelError:
            self._bridge.pause()  # the provider delivers the message again at once
            raise


class _Sender(StructuredPushSupplier):
    def __init__(self, bridge: JmsToChannel) -> None:
        self._bridge = bridge

    def disconnect_structured_push_supplier(self) -> None:
        self._bridge.lost()


class _SequenceSender(SequencePushSupplier):
    def __init__(self, bridge: JmsToChannel) -> None:
        self._bridge = bridge

    def disconnect_sequence_push_supplier(self) -> None:
        self._bridge.lost()


class _SenderAck(_Sender, StructuredPushSupplierAck):
    def acknowledge(self, sequence_numbers: SequenceNumbers) -> None:
        self._bridge.acknowledging.acknowledge(sequence_numbers)


class _SequenceSenderAck(_SequenceSender, SequencePushSupplierAck):
    def acknowledge(self, sequence_numbers: SequenceNumbers) -> None:
        self._bridge.acknowledging.acknowledge(sequence_numbers)
