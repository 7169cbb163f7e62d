"""A channel and its factory, in process and on the provider's clock.

What a crash leaves is kept in memory, and in a file, if there is one (see `store`): then it outlives the process too. Imports
`tck.api` and `tck.interworking` only.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

from reference_interworking.channel.admins import StandInConsumerAdmin, StandInSupplierAdmin
from reference_interworking.channel.consumers import Consuming
from reference_interworking.channel.core import Core, Options
from reference_interworking.channel.filtering import EtclFilters
from reference_interworking.channel.proxies import StandInProxy
from reference_interworking.channel.snapshot import Sides, fill, rows_of
from reference_interworking.channel.store import KeepingLock, Rows, Store, StoreError, check
from reference_interworking.channel.suppliers import Supplying
from reference_interworking.channel.transacted import Change
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
        self._sides: Sides = {"consumers": self._consumers, "suppliers": self._suppliers}
        self.made = -1
        self._default_consumer_admin = self.new_for_consumers()[0]
        self.made = -1
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
            self.made += 1
            made = StandInConsumerAdmin(self._core, self, self.made, operator, self._consumers.pop)
            self._consumers[self.made] = made
            return made, self.made

    def new_for_suppliers(self, operator: FilterOperator = FilterOperator.AND_OP) -> tuple[StandInSupplierAdmin, int]:
        """Make an admin for suppliers."""
        with self._core.lock:
            self._core.check()
            self.made += 1
            made = StandInSupplierAdmin(self._core, self, self.made, operator, self._suppliers.pop)
            self._suppliers[self.made] = made
            return made, self.made

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

    def use_transactions(self, current: Current) -> None:
        """Start a channel from a file that had a transaction service; others have theirs, or none."""
        if self._core.transacted and self._core.current is None:
            self._core.current = current
            self.restart()

    def in_doubt(self) -> tuple[Change, ...]:
        """Return the prepared changes that wait for `commit` or `rollback`."""
        with self._core.lock:
            return tuple(each for each in self._core.changes if isinstance(each, Change) and each.prepared)

    # -- the file --------------------------------------------------------------------------------------------------

    def restore(self, rows: Rows) -> None:
        """Be the channel of these rows, crashed; nobody knows it yet."""
        for side, admins in self._sides.items():
            if (side, 0) not in rows:
                admins[0].destroy()
        fill(self, self._core, self._sides, rows)
        self._core.crashed = True

    def keep_in(self, store: Store, lock: KeepingLock) -> None:
        """Write what outlives a crash whenever the lock is released; a channel that cannot has crashed."""

        def keep() -> None:
            if self._core.crashed:
                return
            try:
                store.write(self._id, rows_of(self._core, self.made, self._sides))
            except StoreError as error:
                self._core.crashed = True
                self._core.stop()
                raise CommFailure(f"{self._core.name} has crashed: {error}") from error

        lock.keep, self._core.keepable = keep, check
        with lock:
            pass

    def _proxies(self) -> list[StandInProxy[Any, Any]]:
        of_consumers = (each for admin in self._consumers.values() for each in admin.proxies.values())
        of_suppliers = (each for admin in self._suppliers.values() for each in admin.proxies.values())
        return [*of_consumers, *of_suppliers]


class StandInFactory(ChannelFactory):
    """Makes stand-in channels and finds them.

    Args:
        clock: The clock that the channels live by: that of the provider at the other end of the bridge.
        options: What the channels do where the service leaves it open.
        file: Keeps the channels with persistent connections; those that are in it are there again, as after `restart_channel`. Their
            connections wait for the clients to connect again. Those with a transaction service start with `use_transactions`.

    Raises:
        StoreError: The file cannot be used.

    Attributes:
        kinds: Classes of proxies that stand for those of `suppliers` and `consumers`; faults are mixed in by it.
        filters: Makes the filter factory of each channel.
    """

    def __init__(self, clock: Clock, options: Options | None = None, file: Path | str | None = None) -> None:
        self._clock = clock
        self._options = options or Options()
        self.kinds: dict[type, type] = {}
        self._failures: list[DeliveryFailure] = []
        self.filters: Callable[[Clock], FilterFactory] = EtclFilters
        self._current: Current | None = None
        self._lock = threading.Lock()  # guards the two below; no other lock is taken while it is held but the store's
        self._channels: dict[int, StandInChannel] = {}
        self._made = 0
        self._store = None if file is None else Store(Path(file))
        if self._store is not None:
            self._load(self._store)

    def _load(self, store: Store) -> None:
        kept = store.read()
        self._made = kept.pop(0, {}).get((), (0, None))[0]
        for number, rows in kept.items():
            self._channels[number] = channel = self._channel(number, {}, {}, rows)
            if not rows[()][0]["plain"]["transacted"]:
                channel.restart()

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
            if self._store is not None:
                self._store.write(0, {(): (number, None)})
        made = self._channel(number, initial_qos, initial_admin)
        with self._lock:
            self._channels[number] = made
        return made, number

    def _channel(self, number: int, qos: Properties, admin: Properties, rows: Rows | None = None) -> StandInChannel:
        lock = None if self._store is None else KeepingLock()
        transacted = rows is not None and rows[()][0]["plain"]["transacted"]
        core = Core(
            self._clock, self._options, f"channel {number}", self.kinds, self._current, lock, transacted=transacted
        )
        core.qos.set(qos)
        core.limits.set(admin)
        core.failures = self._failures
        made = StandInChannel(core, number, self._remove, self.filters(self._clock))
        if rows is not None:
            made.restore(rows)
        if self._store is not None and lock is not None:
            made.keep_in(self._store, lock)
        return made

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
        """Let channels that are made from now on use transactions, and those of the file that did."""
        self._current = current
        for each in list(self._channels.values()):
            each.use_transactions(current)

    def in_doubt(self) -> tuple[Change, ...]:
        """Return the prepared changes of all channels. One from a file waits until its `commit` or `rollback` is called."""
        return tuple(change for each in list(self._channels.values()) for change in each.in_doubt())

    def crash_channel(self, channel_id: int) -> None:
        """Crash a channel."""
        self.get_channel(channel_id).crash()

    def restart_channel(self, channel_id: int) -> None:
        """Start a channel again."""
        self.get_channel(channel_id).restart()

    def close(self) -> None:
        """Destroy all channels; with a file stop them and close it, and they are in it for the next factory."""
        with self._lock:
            channels = list(self._channels.values())
        for each in channels:
            if self._store is None:
                each.destroy()
            else:
                with suppress(CommFailure):
                    each.crash()
        if self._store is not None:
            self._store.close()

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
