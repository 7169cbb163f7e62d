"""The proxies that suppliers connect to: they take what is pushed, or pull on the clock, and publish what passes their filters.

Imports `tck.interworking` only.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from typing import ClassVar, TypeVar

from reference_interworking.channel import transacted
from reference_interworking.channel.acknowledged import Heard
from reference_interworking.channel.proxies import Calling, Owner, StandInProxy
from reference_interworking.channel.settings import TICKS
from tck.interworking import Any_, StructuredEvent, event
from tck.interworking.channel import (
    ProxyPushConsumer,
    ProxyType,
    SequenceProxyPullConsumer,
    SequenceProxyPushConsumer,
    StructuredProxyPullConsumer,
    StructuredProxyPushConsumer,
    SupplierAdmin,
)
from tck.interworking.clients import (
    Batch,
    PushSupplier,
    SequencePullSupplier,
    SequencePushSupplier,
    StructuredPullSupplier,
    StructuredPushSupplier,
)
from tck.interworking.qos import MAXIMUM_BATCH_SIZE, PACING_INTERVAL, Disconnected, ImpLimit
from tck.interworking.transactions import TransactionPolicy

ClientT = TypeVar("ClientT")


class Consuming(StandInProxy[SupplierAdmin, ClientT]):
    """A proxy that publishes the events of a supplier."""

    hearing: ClassVar[type[Heard]] = Heard
    """What knows repetitions and acknowledges; a fault has another one."""

    def __init__(self, owner: Owner, admin: SupplierAdmin, type_: ProxyType, proxy_id: int) -> None:
        super().__init__(owner, admin, type_, proxy_id)
        self.heard = self.hearing(self.core, self.qos, self)

    def publish(self, events: Batch) -> None:
        """Publish what passes, or raise Disconnected before a connection."""
        with self.core.lock:
            self.check()
            if not self.connected:
                raise Disconnected(f"{self} has no client that might push")
            if not self.heard.repeated(events):
                self.core.publish([each for each in events if self.passes(each)])
                self.heard.stored(events)

    def passes(self, event: StructuredEvent) -> bool:
        """Return whether an event passes, or raise if the channel's file could not keep it. Needs the lock."""
        self.core.keepable(event)
        return super().passes(event)

    def accept(self, events: Batch) -> None:
        """Publish what a supplier pushes, within the supplier's transaction if it has one, as the policy wants it."""
        joined = transacted.joined(self)
        if joined is None:
            self.publish(events)
        else:
            transacted.store(self, events, joined)

    @property
    def transaction_policy(self) -> TransactionPolicy:
        """Whether suppliers push within a transaction."""
        return transacted.policy(self)

    def recover(self) -> None:
        """Keep a persistent connection only. Needs the lock."""
        self.heard.recover()
        if not self.lasting:
            self.leave()


class Taking(Consuming[ClientT]):
    """A proxy that is pushed to; the channel's thread acknowledges to a supplier that can be told."""

    def serve(self) -> None:
        """Let the channel's thread acknowledge. Needs the lock."""
        if self.heard.serve(self.client):
            self.core.dispatcher.add(self.heard)

    def leave(self) -> None:
        """Remove the proxy from the channel. Needs the lock."""
        self.core.dispatcher.remove(self.heard)
        super().leave()

    def recover(self) -> None:
        """Keep a persistent connection only. Needs the lock."""
        super().recover()
        if not self.gone:
            self.serve()


class AnyTaking(Consuming[PushSupplier], ProxyPushConsumer):
    """Takes untyped events; each becomes a structured one with the value as the rest of its body."""

    def connect_any_push_supplier(self, push_supplier: PushSupplier | None) -> None:
        """Connect the supplier."""
        self.connect(push_supplier)

    def push(self, data: Any_) -> None:
        """Publish an event."""
        self.publish((event("", "%ANY", body=data),))

    def disconnect_push_consumer(self) -> None:
        """End the connection."""
        self.disconnect()

    def tell(self, client: PushSupplier) -> None:
        """Tell the supplier of the end."""
        client.disconnect_push_supplier()


class StructuredTaking(Taking[StructuredPushSupplier], StructuredProxyPushConsumer):
    """Takes single events."""

    def connect_structured_push_supplier(self, push_supplier: StructuredPushSupplier | None) -> None:
        """Connect the supplier."""
        self.connect(push_supplier)

    def push_structured_event(self, event: StructuredEvent) -> None:
        """Publish an event."""
        self.accept((event,))

    def disconnect_structured_push_consumer(self) -> None:
        """End the connection."""
        self.disconnect()

    def tell(self, client: StructuredPushSupplier) -> None:
        """Tell the supplier of the end."""
        client.disconnect_structured_push_supplier()


class SequenceTaking(Taking[SequencePushSupplier], SequenceProxyPushConsumer):
    """Takes batches; all of a batch is published, or none of it."""

    def connect_sequence_push_supplier(self, push_supplier: SequencePushSupplier | None) -> None:
        """Connect the supplier."""
        self.connect(push_supplier)

    def push_structured_events(self, events: Batch) -> None:
        """Publish a batch."""
        self.accept(events)

    def disconnect_sequence_push_consumer(self) -> None:
        """End the connection."""
        self.disconnect()

    def tell(self, client: SequencePushSupplier) -> None:
        """Tell the supplier of the end."""
        client.disconnect_sequence_push_supplier()


class Pulling(Calling[SupplierAdmin, ClientT], Consuming[ClientT]):
    """A proxy that pulls with try_pull: until nothing comes, and again after PacingInterval or the channel's own rhythm.

    Events that a full channel rejects are kept, and no more are pulled until they are published.
    """

    def __init__(self, owner: Owner, admin: SupplierAdmin, type_: ProxyType, proxy_id: int) -> None:
        super().__init__(owner, admin, type_, proxy_id)
        self._kept: Batch = ()
        self.heard.pause = self._pause

    def serve(self) -> None:
        """Let the channel's thread pull, and acknowledge to a supplier that can be told. Needs the lock."""
        self.heard.serve(self.client)
        super().serve()

    def next_call(self, client: ClientT, now: int) -> Callable[[], None] | None:
        """Return a pull, or an acknowledgment of one. Needs the lock."""
        if self.transacts and not self._kept:
            return lambda: transacted.pull(self, client)
        if self.heard.client is not None and self.heard.on and not self.transacts:
            return self.heard.next_pull(lambda: self.ask(client), self.publish, now)
        return lambda: self._pull(client)

    def next_time(self, now: int) -> int | None:
        """Return when there is something to pull or to acknowledge. Needs the lock."""
        otherwise = super().next_time(now)
        acknowledged = self.heard.client is not None and self.heard.on
        return self.heard.next_pull_time(now, otherwise) if acknowledged else otherwise

    def _pause(self) -> int:
        """Return the time from a pull that finds nothing to the next, in ms. Needs the lock."""
        return -(-self.qos[PACING_INTERVAL] // TICKS) or self.core.options.pull_ms

    def next_chance(self, now: int) -> int | None:
        """Return now: there is always something to pull."""
        return now

    def _pull(self, client: ClientT) -> None:
        self._kept = self._kept or self.ask(client)
        if self._kept:
            try:
                self.publish(self._kept)
            except ImpLimit:
                pass
            else:
                self._kept = ()
                return
        self.idle()

    def idle(self) -> None:
        """Pull no more for a while."""
        with self.core.lock:
            self.not_before = self.core.clock.now() + self._pause()

    def recover(self) -> None:
        """Keep a persistent connection only; what was pulled and not published is lost. Needs the lock."""
        self._kept = ()
        super().recover()
        if not self.gone:
            self.serve()

    @abstractmethod
    def ask(self, client: ClientT) -> Batch:
        """Return the supplier's next events; none if it has none now."""


class StructuredPulling(Pulling[StructuredPullSupplier], StructuredProxyPullConsumer):
    """Pulls single events."""

    def connect_structured_pull_supplier(self, pull_supplier: StructuredPullSupplier) -> None:
        """Connect the supplier."""
        self.connect(pull_supplier)

    def disconnect_structured_pull_consumer(self) -> None:
        """End the connection."""
        self.disconnect()

    def ask(self, client: StructuredPullSupplier) -> Batch:
        """Try to pull an event."""
        found = client.try_pull_structured_event()
        return () if found is None else (found,)

    def tell(self, client: StructuredPullSupplier) -> None:
        """Tell the supplier of the end."""
        client.disconnect_structured_pull_supplier()


class SequencePulling(Pulling[SequencePullSupplier], SequenceProxyPullConsumer):
    """Pulls batches of at most MaximumBatchSize."""

    def connect_sequence_pull_supplier(self, pull_supplier: SequencePullSupplier) -> None:
        """Connect the supplier."""
        self.connect(pull_supplier)

    def disconnect_sequence_pull_consumer(self) -> None:
        """End the connection."""
        self.disconnect()

    def ask(self, client: SequencePullSupplier) -> Batch:
        """Try to pull a batch."""
        with self.core.lock:
            most = self.qos[MAXIMUM_BATCH_SIZE]
        return client.try_pull_structured_events(most)

    def tell(self, client: SequencePullSupplier) -> None:
        """Tell the supplier of the end."""
        client.disconnect_sequence_pull_supplier()
