"""Factory, channel and admins of a notification service as a bridge sees them."""

from __future__ import annotations

from typing import Any

import CosNotifyChannelAdmin as Stubs

from tck.adapters.corba.errors import ours
from tck.adapters.corba.filters import ForeignFilters
from tck.adapters.corba.orb import orb
from tck.adapters.corba.proxies import CONSUMERS, SUPPLIERS, Filtered, Remote, proxy_of
from tck.adapters.corba.values import our_properties, their_properties
from tck.api import Clock
from tck.interworking import channel
from tck.interworking.channel import ClientType, FilterOperator
from tck.interworking.qos import Properties
from tck.profile.errors import ProviderUnreachable


class _Admin(Filtered):
    """What both kinds of admins have in common."""

    def __init__(self, remote: Any, owner: ForeignChannel) -> None:
        super().__init__(remote)
        self._owner = owner

    @property
    def id(self) -> int:
        return int(self.call("_get_MyID"))

    @property
    def channel(self) -> channel.Channel:
        return self._owner

    def destroy(self) -> None:
        self.call("destroy")

    def _obtained(self, operation: str, kind: ClientType, kinds: Any) -> tuple[Any, int]:
        remote, number = self.call(operation, Stubs.ClientType._item(kind))
        return proxy_of(remote, number, self, kinds), number


class _ConsumerAdmin(_Admin, channel.ConsumerAdmin):
    @property
    def push_suppliers(self) -> tuple[int, ...]:
        return tuple(self.call("_get_push_suppliers"))

    @property
    def pull_suppliers(self) -> tuple[int, ...]:
        return tuple(self.call("_get_pull_suppliers"))

    def get_proxy_supplier(self, proxy_id: int) -> Any:
        return proxy_of(self.call("get_proxy_supplier", proxy_id), proxy_id, self, SUPPLIERS)

    def obtain_notification_push_supplier(self, kind: ClientType) -> tuple[Any, int]:
        return self._obtained("obtain_notification_push_supplier", kind, SUPPLIERS)

    def obtain_notification_pull_supplier(self, kind: ClientType) -> tuple[Any, int]:
        return self._obtained("obtain_notification_pull_supplier", kind, SUPPLIERS)


class _SupplierAdmin(_Admin, channel.SupplierAdmin):
    @property
    def push_consumers(self) -> tuple[int, ...]:
        return tuple(self.call("_get_push_consumers"))

    @property
    def pull_consumers(self) -> tuple[int, ...]:
        return tuple(self.call("_get_pull_consumers"))

    def get_proxy_consumer(self, proxy_id: int) -> Any:
        return proxy_of(self.call("get_proxy_consumer", proxy_id), proxy_id, self, CONSUMERS)

    def obtain_notification_push_consumer(self, kind: ClientType) -> tuple[Any, int]:
        return self._obtained("obtain_notification_push_consumer", kind, CONSUMERS)

    def obtain_notification_pull_consumer(self, kind: ClientType) -> tuple[Any, int]:
        return self._obtained("obtain_notification_pull_consumer", kind, CONSUMERS)


class ForeignChannel(Remote, channel.Channel):
    """A channel of the service."""

    def __init__(self, remote: Any, number: int) -> None:
        super().__init__(remote)
        self._number = number

    @property
    def id(self) -> int:
        """The number in its factory."""
        return self._number

    @property
    def default_consumer_admin(self) -> channel.ConsumerAdmin:
        """The admin for consumers that it is made with."""
        return _ConsumerAdmin(self.call("_get_default_consumer_admin"), self)

    @property
    def default_supplier_admin(self) -> channel.SupplierAdmin:
        """The admin for suppliers that it is made with."""
        return _SupplierAdmin(self.call("_get_default_supplier_admin"), self)

    @property
    def default_filter_factory(self) -> ForeignFilters:
        """The factory of its filters."""
        return ForeignFilters(self.call("_get_default_filter_factory"))

    def new_for_consumers(self, operator: FilterOperator = FilterOperator.AND_OP) -> tuple[channel.ConsumerAdmin, int]:
        """Make an admin for consumers."""
        made, number = self.call("new_for_consumers", Stubs.InterFilterGroupOperator._item(operator))
        return _ConsumerAdmin(made, self), number

    def new_for_suppliers(self, operator: FilterOperator = FilterOperator.AND_OP) -> tuple[channel.SupplierAdmin, int]:
        """Make an admin for suppliers."""
        made, number = self.call("new_for_suppliers", Stubs.InterFilterGroupOperator._item(operator))
        return _SupplierAdmin(made, self), number

    def get_consumeradmin(self, admin_id: int) -> channel.ConsumerAdmin:
        """Return an admin."""
        return _ConsumerAdmin(self.call("get_consumeradmin", admin_id), self)

    def get_supplieradmin(self, admin_id: int) -> channel.SupplierAdmin:
        """Return an admin."""
        return _SupplierAdmin(self.call("get_supplieradmin", admin_id), self)

    def get_all_consumeradmins(self) -> tuple[int, ...]:
        """Return the ids."""
        return tuple(self.call("get_all_consumeradmins"))

    def get_all_supplieradmins(self) -> tuple[int, ...]:
        """Return the ids."""
        return tuple(self.call("get_all_supplieradmins"))

    def get_admin(self) -> Properties:
        """Return the administrative properties."""
        return our_properties(self.call("get_admin"))

    def set_admin(self, admin: Properties) -> None:
        """Set administrative properties."""
        self.call("set_admin", their_properties(admin))

    def destroy(self) -> None:
        """Destroy the channel."""
        self.call("destroy")


class ForeignChannels(channel.ChannelFactory):
    """The channel factory of a service.

    Args:
        ior: Its reference, `IOR:...` or `corbaloc:...`.
        clock: The provider's, which runs as the machine's does.
        stable: Whether PriorityOrder keeps the order of arrival within a priority.

    Raises:
        ProviderUnreachable: Nobody answers there, or somebody else.
    """

    def __init__(self, ior: str, clock: Clock, *, stable: bool = False) -> None:
        self._clock, self._stable = clock, stable
        try:
            with ours():
                found = orb().string_to_object(ior)._narrow(Stubs.EventChannelFactory)
        except Exception as error:
            raise ProviderUnreachable(
                f"no channel factory answers at {ior[:40]}...: {error}; start the service, or correct the reference"
            ) from error
        if found is None:
            raise ProviderUnreachable(f"{ior[:40]}... is no CosNotifyChannelAdmin::EventChannelFactory")
        self._remote = Remote(found)

    @property
    def clock(self) -> Clock:
        """The provider's clock."""
        return self._clock

    @property
    def stable_priority(self) -> bool:
        """As the service was said to be."""
        return self._stable

    def create_channel(self, initial_qos: Properties, initial_admin: Properties) -> tuple[channel.Channel, int]:
        """Make a channel."""
        made, number = self._remote.call(
            "create_channel", their_properties(initial_qos), their_properties(initial_admin)
        )
        return ForeignChannel(made, number), number

    def get_channel(self, channel_id: int) -> channel.Channel:
        """Return a channel."""
        return ForeignChannel(self._remote.call("get_event_channel", channel_id), channel_id)

    def get_all_channels(self) -> tuple[int, ...]:
        """Return the ids of those that answer."""
        return tuple(self._remote.call("get_all_channels"))
