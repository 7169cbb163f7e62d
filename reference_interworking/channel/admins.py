"""The admins of a channel: they make proxies, keep them by number, and count them against the channel's limits.

A proxy counts from its making to its end, connected or not. Imports `tck.interworking` only.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from typing import Generic, TypeAlias, TypeVar

from reference_interworking.channel.consumers import (
    AnyTaking,
    SequencePulling,
    SequenceTaking,
    StructuredPulling,
    StructuredTaking,
)
from reference_interworking.channel.core import Core
from reference_interworking.channel.proxies import Owner
from reference_interworking.channel.settings import Level
from reference_interworking.channel.suppliers import (
    SequencePulled,
    SequencePushing,
    StructuredPulled,
    StructuredPushing,
)
from tck.interworking.channel import (
    Admin,
    Channel,
    ClientType,
    ConsumerAdmin,
    FilterOperator,
    ProxyType,
    SupplierAdmin,
)
from tck.interworking.qos import MAX_CONSUMERS, MAX_SUPPLIERS, AdminLimitExceeded, ProxyNotFound

Supplier: TypeAlias = StructuredPushing | SequencePushing | StructuredPulled | SequencePulled
Consumer: TypeAlias = AnyTaking | StructuredTaking | SequenceTaking | StructuredPulling | SequencePulling
ProxyT = TypeVar("ProxyT", Supplier, Consumer)

_PUSHING = frozenset({ProxyType.PUSH_ANY, ProxyType.PUSH_STRUCTURED, ProxyType.PUSH_SEQUENCE})


class StandInAdmin(Owner, Admin, Generic[ProxyT]):
    """What admins of both sides have in common.

    Args:
        core: Of the channel.
        channel: The channel.
        admin_id: Number of the admin.
        operator: How its filters and those of its proxies are joined.
        forget_admin: Removes the admin from the channel; called with the lock.
    """

    def __init__(
        self,
        core: Core,
        channel: Channel,
        admin_id: int,
        operator: FilterOperator,
        forget_admin: Callable[[int], object],
    ) -> None:
        super().__init__(core, Level.ADMIN, core.qos)
        self.operator = operator
        self.proxies: dict[int, ProxyT] = {}
        self._channel = channel
        self._id = admin_id
        self._forget_admin = forget_admin
        self.made = 0

    def __str__(self) -> str:
        return f"admin {self._id} of {self.core.name}"

    @property
    def id(self) -> int:
        """The number of the admin."""
        return self._id

    @property
    def channel(self) -> Channel:
        """The channel of the admin."""
        return self._channel

    @property
    @abstractmethod
    def limit(self) -> str:
        """Name of the administrative property that bounds the number of proxies."""

    def keep(self, make: Callable[[int], ProxyT]) -> tuple[ProxyT, int]:
        """Make a proxy and keep it, or raise AdminLimitExceeded."""
        with self.core.lock:
            self.check()
            most, there = self.core.limits[self.limit], self.core.counts[self.limit]
            if most and there >= most:
                raise AdminLimitExceeded(f"{self.core.name} has {there} of at most {most} clients; see {self.limit}")
            self.made += 1
            self.core.counts[self.limit] += 1
            made = self.proxies[self.made] = make(self.made)
            return made, self.made

    def find(self, proxy_id: int) -> ProxyT:
        """Return a proxy, or raise ProxyNotFound."""
        with self.core.lock:
            self.check()
            if proxy_id not in self.proxies:
                raise ProxyNotFound(f"{self} has no proxy {proxy_id}; it has {sorted(self.proxies)}")
            return self.proxies[proxy_id]

    def ids(self, *, pushing: bool) -> tuple[int, ...]:
        """Return the ids of the proxies of one style."""
        with self.core.lock:
            self.check()
            return tuple(number for number, each in self.proxies.items() if (each.type in _PUSHING) == pushing)

    def forget(self, proxy_id: int) -> None:
        """Remove a proxy. Needs the lock."""
        if self.proxies.pop(proxy_id, None) is not None:
            self.core.counts[self.limit] -= 1

    def destroy(self) -> None:
        """Destroy the admin and its proxies; their clients learn of it."""
        with self.core.lock:
            self.check()
            self.gone = True
            self._forget_admin(self._id)
            proxies = list(self.proxies.values())
        for each in proxies:
            each.drop()


class StandInConsumerAdmin(StandInAdmin[Supplier], ConsumerAdmin):
    """Makes the proxies that consumers connect to."""

    @property
    def limit(self) -> str:
        """Name of the property that bounds the number of consumers."""
        return MAX_CONSUMERS

    @property
    def push_suppliers(self) -> tuple[int, ...]:
        """The ids of the proxies that push."""
        return self.ids(pushing=True)

    @property
    def pull_suppliers(self) -> tuple[int, ...]:
        """The ids of the proxies that are pulled."""
        return self.ids(pushing=False)

    def get_proxy_supplier(self, proxy_id: int) -> Supplier:
        """Return a proxy."""
        return self.find(proxy_id)

    def obtain_notification_push_supplier(self, kind: ClientType) -> tuple[Supplier, int]:
        """Make a proxy that pushes."""
        if _is_sequence(kind):
            return self.keep(
                lambda number: self.core.kind(SequencePushing)(self, self, ProxyType.PUSH_SEQUENCE, number)
            )
        return self.keep(
            lambda number: self.core.kind(StructuredPushing)(self, self, ProxyType.PUSH_STRUCTURED, number)
        )

    def obtain_notification_pull_supplier(self, kind: ClientType) -> tuple[Supplier, int]:
        """Make a proxy that is pulled."""
        if _is_sequence(kind):
            return self.keep(lambda number: self.core.kind(SequencePulled)(self, self, ProxyType.PULL_SEQUENCE, number))
        return self.keep(lambda number: self.core.kind(StructuredPulled)(self, self, ProxyType.PULL_STRUCTURED, number))


class StandInSupplierAdmin(StandInAdmin[Consumer], SupplierAdmin):
    """Makes the proxies that suppliers connect to."""

    @property
    def limit(self) -> str:
        """Name of the property that bounds the number of suppliers."""
        return MAX_SUPPLIERS

    @property
    def push_consumers(self) -> tuple[int, ...]:
        """The ids of the proxies that are pushed to."""
        return self.ids(pushing=True)

    @property
    def pull_consumers(self) -> tuple[int, ...]:
        """The ids of the proxies that pull."""
        return self.ids(pushing=False)

    def get_proxy_consumer(self, proxy_id: int) -> Consumer:
        """Return a proxy."""
        return self.find(proxy_id)

    def obtain_notification_push_consumer(self, kind: ClientType) -> tuple[Consumer, int]:
        """Make a proxy that is pushed to; it may be one for untyped events."""
        if kind == ClientType.ANY_EVENT:
            return self.keep(lambda number: self.core.kind(AnyTaking)(self, self, ProxyType.PUSH_ANY, number))
        if _is_sequence(kind):
            return self.keep(lambda number: self.core.kind(SequenceTaking)(self, self, ProxyType.PUSH_SEQUENCE, number))
        return self.keep(lambda number: self.core.kind(StructuredTaking)(self, self, ProxyType.PUSH_STRUCTURED, number))

    def obtain_notification_pull_consumer(self, kind: ClientType) -> tuple[Consumer, int]:
        """Make a proxy that pulls."""
        if _is_sequence(kind):
            return self.keep(
                lambda number: self.core.kind(SequencePulling)(self, self, ProxyType.PULL_SEQUENCE, number)
            )
        return self.keep(
            lambda number: self.core.kind(StructuredPulling)(self, self, ProxyType.PULL_STRUCTURED, number)
        )


def _is_sequence(kind: ClientType) -> bool:
    if kind not in (ClientType.STRUCTURED_EVENT, ClientType.SEQUENCE_EVENT):
        raise ValueError(f"{kind!r} is not offered; STRUCTURED_EVENT and SEQUENCE_EVENT are")
    return kind == ClientType.SEQUENCE_EVENT
