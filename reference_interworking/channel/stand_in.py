"""A channel and its factory, in process and on the provider's clock.

What a crash leaves is kept in memory: it outlives the channel's crash, not that of the process. Imports `tck.api` and
`tck.interworking` only.
"""

from __future__ import annotations

import itertools
import threading
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from reference_interworking.channel.admins import StandInConsumerAdmin, StandInSupplierAdmin
from reference_interworking.channel.consumers import Consuming
from reference_interworking.channel.core import Core, Options
from reference_interworking.channel.filtering import EtclFilters
from reference_interworking.channel.proxies import StandInProxy
from reference_interworking.channel.suppliers import Supplying
from tck.api import Clock
from tck.interworking.acknowledgment import DeliveryFailure
from tck.interworking.channel import Channel, ChannelFactory, FilterOperator, Proxy
from tck.interworking.filters import FilterFactory
from tck.interworking.qos import AdminNotFound, ChannelNotFound, CommFailure, Properties
from tck.interworking.transactions import Current


class StandInChannel(Channel):
    """A channel.

    Args:
        core: The common part.
        channel_id: Its number.
        forget: Removes the channel from its factory.
        filters: Makes its filters.
    """

    def __init__(self, core: Core, channel_id: int, forget: Callable[[int], object], filters: FilterFactory) -> None:
        self._filters = filters
        self._core = core
        self._id = channel_id
        self._forget = forget
        self._consumers: dict[int, StandInConsumerAdmin] = {}
        self._suppliers: dict[int, StandInSupplierAdmin] = {}
        self._numbers = itertools.count()
        self._default_consumer_admin = self.new_for_consumers()[0]
        self._numbers = itertools.count()
        self._default_supplier_admin = self.new_for_suppliers()[0]

    @property
    def id(self) -> int:
        """The number of the channel."""
        return self._id

    @property
    def default_filter_factory(self) -> FilterFactory:
        """What makes filters on the channel's clock."""
        return self._filters

    @property
    def default_consumer_admin(self) -> StandInConsumerAdmin:
        """The admin for consumers that the channel is made with."""
        return self._default_consumer_admin

    @property
    def default_supplier_admin(self) -> StandInSupplierAdmin:
        """The admin for suppliers that the channel is made with."""
        return self._default_supplier_admin

    def new_for_consumers(self, operator: FilterOperator = FilterOperator.AND_OP) -> tuple[StandInConsumerAdmin, int]:
        """Make an admin for consumers."""
        with self._core.lock:
            self._core.check()
            number = next(self._numbers)
            made = StandInConsumerAdmin(self._core, self, number, operator, self._consumers.pop)
            self._consumers[number] = made
            return made, number

    def new_for_suppliers(self, operator: FilterOperator = FilterOperator.AND_OP) -> tuple[StandInSupplierAdmin, int]:
        """Make an admin for suppliers."""
        with self._core.lock:
            self._core.check()
            number = next(self._numbers)
            made = StandInSupplierAdmin(self._core, self, number, operator, self._suppliers.pop)
            self._suppliers[number] = made
            return made, number

    def get_consumeradmin(self, admin_id: int) -> StandInConsumerAdmin:
        """Return an admin."""
        with self._core.lock:
            self._core.check()
            if admin_id not in self._consumers:
                raise AdminNotFound(f"{self._core.name} has no admin {admin_id} for consumers")
            return self._consumers[admin_id]

    def get_supplieradmin(self, admin_id: int) -> StandInSupplierAdmin:
        """Return an admin."""
        with self._core.lock:
            self._core.check()
            if admin_id not in self._suppliers:
                raise AdminNotFound(f"{self._core.name} has no admin {admin_id} for suppliers")
            return self._suppliers[admin_id]

    def get_all_consumeradmins(self) -> tuple[int, ...]:
        """Return the ids of the admins for consumers."""
        with self._core.lock:
            self._core.check()
            return tuple(self._consumers)

    def get_all_supplieradmins(self) -> tuple[int, ...]:
        """Return the ids of the admins for suppliers."""
        with self._core.lock:
            self._core.check()
            return tuple(self._suppliers)

    def get_qos(self) -> Properties:
        """Return what holds for the channel."""
        with self._core.lock:
            self._core.check()
            return self._core.qos.all()

    def set_qos(self, qos: Properties) -> None:
        """Set properties; they hold at once for all admins and proxies that have not set their own."""
        with self._core.lock:
            self._core.check()
            self._core.qos.set(qos)
            self._core.dispatcher.wake()

    def get_admin(self) -> Properties:
        """Return the administrative properties."""
        with self._core.lock:
            self._core.check()
            return self._core.limits.all()

    def set_admin(self, admin: Properties) -> None:
        """Set administrative properties; clients and events that are there already stay."""
        with self._core.lock:
            self._core.check()
            self._core.limits.set(admin)

    def destroy(self) -> None:
        """Destroy the channel, also one that has crashed; clients learn of it unless it has."""
        with self._core.lock:
            crashed, self._core.crashed = self._core.crashed, False
            self._core.check()
            proxies = self._proxies()
            self._core.destroyed = True
            self._core.stop()
            if crashed:
                for each in proxies:
                    each.leave()
        for each in proxies:
            each.drop()
        self._forget(self._id)

    def crash(self) -> None:
        """Stop to answer: every call raises CommFailure until `restart`, and no client is told.

        A call to a client that runs is not waited for; what it was handed is pushed again after the restart.
        """
        with self._core.lock:
            self._core.check()
            self._core.crashed = True
            self._core.stop()
            for each in self._proxies():
                each.crash()
            for change in list(self._core.changes):
                change.crash()

    def restart(self) -> None:
        """Answer again after a crash, with the persistent events of the persistent connections; other proxies are gone.

        Admins, filters and properties are all still there. A suspended connection is still suspended.

        Raises:
            CommFailure: The channel has not crashed.
        """
        with self._core.lock:
            if not self._core.crashed:
                raise CommFailure(f"{self._core.name} has not crashed")
            self._core.crashed = False
            for each in self._proxies():
                each.recover()
            in_doubt = list(self._core.changes)
        for change in in_doubt:
            change.recover()
        self._core.start()

    def _proxies(self) -> list[StandInProxy[Any, Any]]:
        of_consumers = (each for admin in self._consumers.values() for each in admin.proxies.values())
        of_suppliers = (each for admin in self._suppliers.values() for each in admin.proxies.values())
        return [*of_consumers, *of_suppliers]


class StandInFactory(ChannelFactory):
    """Makes stand-in channels and finds them.

    Args:
        clock: The clock that the channels live by: that of the provider at the other end of the bridge.
        options: What the channels do where the service leaves it open.

    Attributes:
        kinds: Classes of proxies that stand for those of `suppliers` and `consumers`; faults are mixed in by it.
        filters: Makes the filter factory of each channel.
    """

    def __init__(self, clock: Clock, options: Options | None = None) -> None:
        self._clock = clock
        self._options = options or Options()
        self.kinds: dict[type, type] = {}
        self._failures: list[DeliveryFailure] = []
        self.filters: Callable[[Clock], FilterFactory] = EtclFilters
        self._current: Current | None = None
        self._lock = threading.Lock()  # guards the two below; no other lock is taken while it is held
        self._channels: dict[int, StandInChannel] = {}
        self._made = 0

    @property
    def clock(self) -> Clock:
        """The clock that the channels live by."""
        return self._clock

    @property
    def stable_priority(self) -> bool:
        """As the options say."""
        return self._options.stable_priority

    def unstable(self) -> StandInFactory:
        """Return a factory whose channels turn the order within a priority round."""
        made = StandInFactory(self._clock, replace(self._options, stable_priority=False))
        made.kinds, made.filters = self.kinds, self.filters
        return made

    def create_channel(self, initial_qos: Properties, initial_admin: Properties) -> tuple[StandInChannel, int]:
        """Make a channel."""
        with self._lock:
            self._made += 1
            number = self._made
        core = Core(self._clock, self._options, f"channel {number}", self.kinds, self._current)
        core.qos.set(initial_qos)
        core.limits.set(initial_admin)
        core.failures = self._failures
        made = StandInChannel(core, number, self._remove, self.filters(self._clock))
        with self._lock:
            self._channels[number] = made
        return made, number

    def get_channel(self, channel_id: int) -> StandInChannel:
        """Return a channel."""
        with self._lock:
            if channel_id not in self._channels:
                raise ChannelNotFound(f"no channel has the id {channel_id}; there are {sorted(self._channels)}")
            return self._channels[channel_id]

    def get_all_channels(self) -> tuple[int, ...]:
        """Return the ids of the channels."""
        with self._lock:
            return tuple(self._channels)

    def use_transactions(self, current: Current) -> None:
        """Let channels that are made from now on use transactions."""
        self._current = current

    def crash_channel(self, channel_id: int) -> None:
        """Crash a channel."""
        self.get_channel(channel_id).crash()

    def restart_channel(self, channel_id: int) -> None:
        """Start a channel again."""
        self.get_channel(channel_id).restart()

    def close(self) -> None:
        """Destroy all channels."""
        with self._lock:
            channels = list(self._channels.values())
        for each in channels:
            each.destroy()

    # -- hooks: see `tck.interworking.acknowledgment` --------------------------------------------------------------

    def set_next_number(self, proxy: Proxy, number: int) -> None:
        """Let the next event or batch that a proxy supplier sends have a number."""
        if not isinstance(proxy, Supplying):
            raise TypeError(f"{proxy} gives no numbers; proxy suppliers do")
        proxy.kept.series.upcoming = number

    def delivery_failures(self) -> tuple[DeliveryFailure, ...]:
        """Return the reports so far."""
        return tuple(self._failures)

    def recover_delivery(self, proxy: Proxy) -> None:
        """Set the retry counts of a connection to 0, and deliver again."""
        if not isinstance(proxy, Supplying | Consuming):
            raise TypeError(f"{proxy} is no proxy of this factory")
        with proxy.core.lock:
            (proxy.kept if isinstance(proxy, Supplying) else proxy.heard).resume()

    def crash(self, crashed: Channel) -> None:
        """Let a channel stop to answer."""
        self.get_channel(crashed.id).crash()

    def restart(self, crashed: Channel) -> None:
        """Let it answer again."""
        self.get_channel(crashed.id).restart()

    def _remove(self, channel_id: int) -> None:
        with self._lock:
            self._channels.pop(channel_id, None)
