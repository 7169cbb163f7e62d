"""The four ends at the channel: it pushes to the bridge, is pulled by it, is pushed to, or pulls. Each takes single events and batches."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar, Final

from reference_interworking.bridge.bridges import ReferenceBridge
from tck import api as jms
from tck.interworking import StructuredEvent, acknowledgment, clients
from tck.interworking.channel import Channel, ClientType
from tck.interworking.clients import Batch
from tck.interworking.qos import Disconnected

MOST: Final = 16
"""The most events that are pulled in one batch."""


class _Client:
    """A client of a proxy: calls go to the bridge."""

    def __init__(self, bridge: ReferenceBridge) -> None:
        self.bridge = bridge

    def acknowledge(self, sequence_numbers: acknowledgment.SequenceNumbers) -> None:
        self.bridge.delivery.acknowledge(sequence_numbers)

    def lost(self) -> None:
        self.bridge.lost()

    disconnect_structured_push_consumer = disconnect_sequence_push_consumer = lost
    disconnect_structured_pull_consumer = disconnect_sequence_pull_consumer = lost
    disconnect_structured_push_supplier = disconnect_sequence_push_supplier = lost
    disconnect_structured_pull_supplier = disconnect_sequence_pull_supplier = lost

    def push_structured_event(self, event: StructuredEvent) -> None:
        self.bridge.delivery.take((event,))

    def push_structured_events(self, events: Batch) -> None:
        self.bridge.delivery.take(events)

    def pull_structured_event(self) -> StructuredEvent:
        return self._given(1, wait=True)[0]

    def try_pull_structured_event(self) -> StructuredEvent | None:
        return next(iter(self._given(1, wait=False)), None)

    def pull_structured_events(self, max_number: int) -> Batch:
        return self._given(max_number, wait=True)

    def try_pull_structured_events(self, max_number: int) -> Batch:
        return self._given(max_number, wait=False)

    def _given(self, most: int, *, wait: bool) -> Batch:
        def take() -> Batch:
            """Return at most so many events; wait for the first, if asked to."""
            found: list[StructuredEvent] = []
            carrier = self.bridge.carrier
            while len(found) < most and (event := carrier.next_event(wait=wait and not found)) is not None:
                found.append(event)
            return tuple(found)

        given: Batch = self.bridge.delivery.answer(take)
        return given


class _Receiver(_Client, clients.StructuredPushConsumer): ...


class _SequenceReceiver(_Client, clients.SequencePushConsumer): ...


class _Puller(_Client, clients.StructuredPullConsumer): ...


class _SequencePuller(_Client, clients.SequencePullConsumer): ...


class _Sender(_Client, clients.StructuredPushSupplier): ...


class _SequenceSender(_Client, clients.SequencePushSupplier): ...


class _SenderAck(_Client, acknowledgment.StructuredPushSupplierAck): ...


class _SequenceSenderAck(_Client, acknowledgment.SequencePushSupplierAck): ...


class _Pulled(_Client, clients.StructuredPullSupplier): ...


class _SequencePulled(_Client, clients.SequencePullSupplier): ...


class _PulledAck(_Client, acknowledgment.StructuredPullSupplierAck): ...


class _SequencePulledAck(_Client, acknowledgment.SequencePullSupplierAck): ...


class ChannelEnd:
    """What the four ends have in common: the proxy, and the client that is connected to it.

    Attributes:
        operations: What obtains the proxy from an admin, and what the operation that connects a client is called behind its kind.
        clients: The client of single events and that of batches; behind them, those that are acknowledged to, if there are any.
    """

    operations: ClassVar[tuple[str, str]]
    clients: ClassVar[tuple[type[_Client], ...]]

    def __init__(self, bridge: ReferenceBridge) -> None:
        self.bridge = bridge

    def made_proxy(self, channel: Channel) -> Any:  # noqa: ANN401 - one of eight kinds
        """Make the proxy."""
        obtain, connect = self.operations
        consumer = connect.endswith("consumer")
        admin = channel.default_consumer_admin if consumer else channel.default_supplier_admin
        kind = ClientType.SEQUENCE_EVENT if self.bridge.sequences else ClientType.STRUCTURED_EVENT
        return getattr(admin, obtain)(kind)[0]

    def connect(self) -> None:
        """Connect to the proxy."""
        delivery, sequences = self.bridge.delivery, self.bridge.sequences
        delivery.agree(self.bridge.channel)
        kinds = self.clients[2:] if delivery.terms.on and self.clients[2:] else self.clients
        kind = "sequence" if sequences else "structured"
        getattr(self.bridge.proxy, f"connect_{kind}_{self.operations[1]}")(kinds[sequences](self.bridge))


class PushedTo(ChannelEnd):
    """The channel pushes to the bridge."""

    operations = "obtain_notification_push_supplier", "push_consumer"
    clients = _Receiver, _SequenceReceiver


class Pulling(ChannelEnd):
    """The bridge pulls from the channel."""

    operations = "obtain_notification_pull_supplier", "pull_consumer"
    clients = _Puller, _SequencePuller

    def ask(self) -> Sequence[StructuredEvent]:
        """Try to pull."""
        if self.bridge.sequences:
            return tuple(self.bridge.proxy.try_pull_structured_events(MOST))
        found = self.bridge.proxy.try_pull_structured_event()
        return () if found is None else (found,)


class Pushing(ChannelEnd):
    """The bridge pushes into the channel."""

    operations = "obtain_notification_push_consumer", "push_supplier"
    clients = _Sender, _SequenceSender, _SenderAck, _SequenceSenderAck

    def put(self, message: jms.Message) -> None:
        """Push the event of a message; a message that has expired is dropped.

        Raises:
            Disconnected: Delivery has ended; JMS may deliver until its connection is stopped.
            GaveUp: All retries have failed.
        """
        if self.bridge.ended:
            raise Disconnected("delivery on the connection to the channel has ended")
        event = self.bridge.event(message)
        if event is not None:
            lost = self.bridge.broken  # of the connection that has delivered the message
            self.bridge.delivery.push((event,), self._push, lambda: not lost.is_set())

    def _push(self, events: Batch) -> None:
        if self.bridge.sequences:
            self.bridge.proxy.push_structured_events(events)
        else:
            self.bridge.proxy.push_structured_event(events[0])


class PulledFrom(ChannelEnd):
    """The channel pulls from the bridge."""

    operations = "obtain_notification_pull_consumer", "pull_supplier"
    clients = _Pulled, _SequencePulled, _PulledAck, _SequencePulledAck
