"""The notification channel that a bridge connects to, and the interfaces that its clients implement, named after the IDL.

Abstract types only, so that a bridge sees one channel, whatever runs it. Where the IDL has an out parameter, the result is a pair:
`create_channel` returns the channel and its id. A try_pull that finds nothing returns None, or an empty batch. The channel calls
the objects that clients connect, from threads of its own. Every call may raise `ObjectNotExist` after `destroy` or a
disconnect, and `CommFailure` while the channel does not answer; these and the other errors are in `tck.interworking.qos`, the
interfaces of clients in `tck.interworking.clients`. Imports `tck.api` and this package's values only.
"""

from __future__ import annotations

import enum
from abc import ABC, abstractmethod
from typing import Protocol, TypeAlias

from tck.api import Clock
from tck.interworking.anys import Any_
from tck.interworking.clients import (
    PushSupplier,
    SequencePullConsumer,
    SequencePullSupplier,
    SequencePushConsumer,
    SequencePushSupplier,
    StructuredPullConsumer,
    StructuredPullSupplier,
    StructuredPushConsumer,
    StructuredPushSupplier,
)
from tck.interworking.events import StructuredEvent
from tck.interworking.filters import FilterFactory, ValueFilter
from tck.interworking.qos import Properties


class ClientType(enum.IntEnum):
    """What a client of a proxy sends or gets, numbered as in the IDL."""

    ANY_EVENT = 0
    STRUCTURED_EVENT = 1
    SEQUENCE_EVENT = 2


class ProxyType(enum.IntEnum):
    """The kinds of proxies, numbered as in the IDL; of those for untyped events the one that is pushed to is there."""

    PUSH_ANY = 0
    PUSH_STRUCTURED = 2
    PULL_STRUCTURED = 3
    PUSH_SEQUENCE = 4
    PULL_SEQUENCE = 5


class FilterOperator(enum.IntEnum):
    """How filters of an admin and of its proxy are joined, numbered as in the IDL."""

    AND_OP = 0
    OR_OP = 1


class Filter(Protocol):
    """Chooses events. It must not call the channel that asks it."""

    def matches(self, event: StructuredEvent) -> bool:
        """Return whether an event passes; an exception counts as False."""


class QoSAdmin(ABC):
    """Has quality of service: what is not set on a proxy comes from its admin, and then from the channel."""

    @abstractmethod
    def get_qos(self) -> Properties:
        """Return all properties that hold here, inherited ones and defaults included."""

    @abstractmethod
    def set_qos(self, qos: Properties) -> None:
        """Set properties; others stay.

        Raises:
            UnsupportedQoS: Some cannot be set here, and none has been.
        """


class FilterAdmin(ABC):
    """Has filters: an event passes if one matches, or if there are none."""

    @abstractmethod
    def add_filter(self, new_filter: Filter) -> int:
        """Add a filter; return its id."""

    @abstractmethod
    def remove_filter(self, filter_id: int) -> None:
        """Remove a filter.

        Raises:
            FilterNotFound: None has the id.
        """

    @abstractmethod
    def get_all_filters(self) -> tuple[int, ...]:
        """Return the ids of the filters, oldest first."""


class Proxy(QoSAdmin, FilterAdmin):
    """What one client is connected to. It keeps no events before the connection; the disconnect of either side destroys it."""

    @property
    @abstractmethod
    def id(self) -> int:
        """The number of the proxy, unique in its admin."""

    @property
    @abstractmethod
    def type(self) -> ProxyType:
        """What kind of proxy."""

    @property
    @abstractmethod
    def admin(self) -> ConsumerAdmin | SupplierAdmin:
        """The admin that made the proxy."""


class MappingFiltered(ABC):
    """Has filters that give events a priority or a life of this proxy's own, in place of what their headers say."""

    @property
    @abstractmethod
    def priority_filter(self) -> ValueFilter | None:
        """Gives the priority, a short; None for no filter."""

    @priority_filter.setter
    @abstractmethod
    def priority_filter(self, new_filter: ValueFilter | None) -> None: ...

    @property
    @abstractmethod
    def lifetime_filter(self) -> ValueFilter | None:
        """Gives the life, in units of 100 ns; None for no filter."""

    @lifetime_filter.setter
    @abstractmethod
    def lifetime_filter(self, new_filter: ValueFilter | None) -> None: ...


class Suspendable(ABC):
    """A connection on which the channel makes the calls, and can be told to pause."""

    @abstractmethod
    def suspend_connection(self) -> None:
        """Make no more calls to the client, and keep its events; a call that runs is not waited for.

        Raises:
            ConnectionAlreadyInactive: It is suspended.
            NotConnected: No client is connected.
        """

    @abstractmethod
    def resume_connection(self) -> None:
        """Make calls to the client again, beginning with what was kept.

        Raises:
            ConnectionAlreadyActive: It is not suspended.
            NotConnected: No client is connected.
        """


class StructuredProxyPushSupplier(Proxy, MappingFiltered, Suspendable, StructuredPushSupplier):
    """Pushes single events to a consumer."""

    @abstractmethod
    def connect_structured_push_consumer(self, push_consumer: StructuredPushConsumer) -> None:
        """Connect the consumer, or raise AlreadyConnected."""


class SequenceProxyPushSupplier(Proxy, MappingFiltered, Suspendable, SequencePushSupplier):
    """Pushes batches to a consumer."""

    @abstractmethod
    def connect_sequence_push_consumer(self, push_consumer: SequencePushConsumer) -> None:
        """Connect the consumer, or raise AlreadyConnected."""


class StructuredProxyPullSupplier(Proxy, MappingFiltered, StructuredPullSupplier):
    """Has single events that a consumer pulls."""

    @abstractmethod
    def connect_structured_pull_consumer(self, pull_consumer: StructuredPullConsumer | None) -> None:
        """Connect the consumer, or raise AlreadyConnected; None for one that is not told of a disconnect."""


class SequenceProxyPullSupplier(Proxy, MappingFiltered, SequencePullSupplier):
    """Has batches that a consumer pulls."""

    @abstractmethod
    def connect_sequence_pull_consumer(self, pull_consumer: SequencePullConsumer | None) -> None:
        """Connect the consumer, or raise AlreadyConnected; None for one that is not told of a disconnect."""


class ProxyPushConsumer(Proxy):
    """Takes untyped events that a supplier pushes; the channel makes structured ones of them, of the type `%ANY`."""

    @abstractmethod
    def connect_any_push_supplier(self, push_supplier: PushSupplier | None) -> None:
        """Connect the supplier, or raise AlreadyConnected; None for one that is not told of a disconnect."""

    @abstractmethod
    def push(self, data: Any_) -> None:
        """Take an event, or raise `Disconnected` before a connection, and `ImpLimit` where a full channel rejects."""

    @abstractmethod
    def disconnect_push_consumer(self) -> None:
        """End the connection."""


class StructuredProxyPushConsumer(Proxy, StructuredPushConsumer):
    """Takes single events that a supplier pushes.

    `push_structured_event` raises `Disconnected` before a connection, and `ImpLimit` where a full channel rejects.
    """

    @abstractmethod
    def connect_structured_push_supplier(self, push_supplier: StructuredPushSupplier | None) -> None:
        """Connect the supplier, or raise AlreadyConnected; None for one that is not told of a disconnect."""


class SequenceProxyPushConsumer(Proxy, SequencePushConsumer):
    """Takes batches that a supplier pushes.

    `push_structured_events` raises `Disconnected` before a connection, and `ImpLimit` where a full channel rejects.
    """

    @abstractmethod
    def connect_sequence_push_supplier(self, push_supplier: SequencePushSupplier | None) -> None:
        """Connect the supplier, or raise AlreadyConnected; None for one that is not told of a disconnect."""


class StructuredProxyPullConsumer(Proxy, Suspendable, StructuredPullConsumer):
    """Pulls single events from a supplier."""

    @abstractmethod
    def connect_structured_pull_supplier(self, pull_supplier: StructuredPullSupplier) -> None:
        """Connect the supplier, or raise AlreadyConnected."""


class SequenceProxyPullConsumer(Proxy, Suspendable, SequencePullConsumer):
    """Pulls batches from a supplier."""

    @abstractmethod
    def connect_sequence_pull_supplier(self, pull_supplier: SequencePullSupplier) -> None:
        """Connect the supplier, or raise AlreadyConnected."""


ProxySupplier: TypeAlias = (
    StructuredProxyPushSupplier | StructuredProxyPullSupplier | SequenceProxyPushSupplier | SequenceProxyPullSupplier
)
ProxyConsumer: TypeAlias = (
    ProxyPushConsumer
    | StructuredProxyPushConsumer
    | StructuredProxyPullConsumer
    | SequenceProxyPushConsumer
    | SequenceProxyPullConsumer
)


class Admin(QoSAdmin, FilterAdmin):
    """Makes the proxies of one group of clients."""

    @property
    @abstractmethod
    def id(self) -> int:
        """The number of the admin, unique among those of its side; 0 for the default one."""

    @property
    @abstractmethod
    def channel(self) -> Channel:
        """The channel of the admin."""

    @abstractmethod
    def destroy(self) -> None:
        """Destroy the admin and its proxies; their clients learn of it."""


class ConsumerAdmin(Admin):
    """Makes the proxies that consumers connect to."""

    @property
    @abstractmethod
    def push_suppliers(self) -> tuple[int, ...]:
        """The ids of the proxies that push."""

    @property
    @abstractmethod
    def pull_suppliers(self) -> tuple[int, ...]:
        """The ids of the proxies that are pulled."""

    @abstractmethod
    def get_proxy_supplier(self, proxy_id: int) -> ProxySupplier:
        """Return a proxy, or raise ProxyNotFound."""

    @abstractmethod
    def obtain_notification_push_supplier(self, kind: ClientType) -> tuple[ProxySupplier, int]:
        """Make a proxy that pushes; raises AdminLimitExceeded, and ValueError for a kind that is not offered."""

    @abstractmethod
    def obtain_notification_pull_supplier(self, kind: ClientType) -> tuple[ProxySupplier, int]:
        """Make a proxy that is pulled; raises AdminLimitExceeded, and ValueError for a kind that is not offered."""


class SupplierAdmin(Admin):
    """Makes the proxies that suppliers connect to."""

    @property
    @abstractmethod
    def push_consumers(self) -> tuple[int, ...]:
        """The ids of the proxies that are pushed to."""

    @property
    @abstractmethod
    def pull_consumers(self) -> tuple[int, ...]:
        """The ids of the proxies that pull."""

    @abstractmethod
    def get_proxy_consumer(self, proxy_id: int) -> ProxyConsumer:
        """Return a proxy, or raise ProxyNotFound."""

    @abstractmethod
    def obtain_notification_push_consumer(self, kind: ClientType) -> tuple[ProxyConsumer, int]:
        """Make a proxy that is pushed to; raises AdminLimitExceeded, and ValueError for a kind that is not offered."""

    @abstractmethod
    def obtain_notification_pull_consumer(self, kind: ClientType) -> tuple[ProxyConsumer, int]:
        """Make a proxy that pulls; raises AdminLimitExceeded, and ValueError for a kind that is not offered."""


class Channel(QoSAdmin):
    """Carries every event of its suppliers to every consumer whose filters it passes."""

    @property
    @abstractmethod
    def id(self) -> int:
        """The number of the channel, unique in its factory."""

    @property
    @abstractmethod
    def default_consumer_admin(self) -> ConsumerAdmin:
        """The admin for consumers that the channel is made with."""

    @property
    @abstractmethod
    def default_supplier_admin(self) -> SupplierAdmin:
        """The admin for suppliers that the channel is made with."""

    @property
    @abstractmethod
    def default_filter_factory(self) -> FilterFactory:
        """What makes filters for the channel."""

    @abstractmethod
    def new_for_consumers(self, operator: FilterOperator = FilterOperator.AND_OP) -> tuple[ConsumerAdmin, int]:
        """Make an admin for consumers."""

    @abstractmethod
    def new_for_suppliers(self, operator: FilterOperator = FilterOperator.AND_OP) -> tuple[SupplierAdmin, int]:
        """Make an admin for suppliers."""

    @abstractmethod
    def get_consumeradmin(self, admin_id: int) -> ConsumerAdmin:
        """Return an admin, or raise AdminNotFound."""

    @abstractmethod
    def get_supplieradmin(self, admin_id: int) -> SupplierAdmin:
        """Return an admin, or raise AdminNotFound."""

    @abstractmethod
    def get_all_consumeradmins(self) -> tuple[int, ...]:
        """Return the ids of the admins for consumers."""

    @abstractmethod
    def get_all_supplieradmins(self) -> tuple[int, ...]:
        """Return the ids of the admins for suppliers."""

    @abstractmethod
    def get_admin(self) -> Properties:
        """Return all administrative properties, defaults included."""

    @abstractmethod
    def set_admin(self, admin: Properties) -> None:
        """Set administrative properties; others stay; raises UnsupportedAdmin, and then none has been set."""

    @abstractmethod
    def destroy(self) -> None:
        """Destroy the channel with its admins and proxies; their clients learn of it."""


class ChannelFactory(ABC):
    """Makes channels and finds them."""

    @property
    @abstractmethod
    def clock(self) -> Clock:
        """The clock that the channels live by."""

    @property
    def stable_priority(self) -> bool:
        """Whether PriorityOrder keeps the order of arrival within a priority; not of the IDL: a bridge asks here. Default True."""
        return True

    def unstable(self) -> ChannelFactory | None:
        """Return a factory apart whose `stable_priority` is False, for rows on such channels. Default None: there is none."""
        return None

    @abstractmethod
    def create_channel(self, initial_qos: Properties, initial_admin: Properties) -> tuple[Channel, int]:
        """Make a channel; raises UnsupportedQoS and UnsupportedAdmin."""

    @abstractmethod
    def get_channel(self, channel_id: int) -> Channel:
        """Return a channel, or raise ChannelNotFound."""

    @abstractmethod
    def get_all_channels(self) -> tuple[int, ...]:
        """Return the ids of the channels."""
