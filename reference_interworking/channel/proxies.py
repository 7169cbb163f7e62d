"""The life of a proxy: one connection, perhaps suspended, until either side ends it; and calls to a client that fail.

Imports `tck.interworking` only.
"""

from __future__ import annotations

import logging
from abc import abstractmethod
from collections.abc import Callable
from typing import Final, Generic, TypeVar

from reference_interworking.channel.managed import Managed, passes
from reference_interworking.channel.settings import Level
from tck.interworking import PERSISTENT, StructuredEvent
from tck.interworking.channel import ConsumerAdmin, FilterOperator, Proxy, ProxyType, SupplierAdmin, Suspendable
from tck.interworking.qos import (
    CONNECTION_RELIABILITY,
    AlreadyConnected,
    ConnectionAlreadyActive,
    ConnectionAlreadyInactive,
    Disconnected,
    NotConnected,
)
from tck.interworking.transactions import (
    ENABLE_TRANSACTION,
    TRANSACTION_EVENT_SEQUENCES,
    TRANSACTION_EVENTS,
    TRANSACTION_TIMEOUT,
)

_LOG: Final = logging.getLogger(__name__)

ClientT = TypeVar("ClientT")
AdminT = TypeVar("AdminT", bound=ConsumerAdmin | SupplierAdmin)


class Owner(Managed):
    """What a proxy needs of its admin."""

    operator: FilterOperator

    @abstractmethod
    def forget(self, proxy_id: int) -> None:
        """Remove a proxy. Needs the lock."""


class StandInProxy(Managed, Proxy, Generic[AdminT, ClientT]):
    """A proxy of the stand-in. The side that ends a connection is not told that it has ended.

    Attributes:
        client: The connected client; None before, and for one that wants not to be told.
        connected: Whether a client is connected.
        awaited: Whether the client of a connection was lost with its process, and may connect again.
    """

    def __init__(self, owner: Owner, admin: AdminT, type_: ProxyType, proxy_id: int) -> None:
        super().__init__(owner.core, Level.PROXY, owner.qos)
        self.client: ClientT | None = None
        self.connected = self.awaited = False
        self._owner = owner
        self._admin = admin
        self._type = type_
        self._id = proxy_id

    def __str__(self) -> str:
        return f"proxy {self._id} ({self._type.name}) of {self._owner}"

    @property
    def id(self) -> int:
        """The number of the proxy."""
        return self._id

    @property
    def type(self) -> ProxyType:
        """What kind of proxy."""
        return self._type

    @property
    def admin(self) -> AdminT:
        """The admin that made the proxy."""
        return self._admin

    @property
    def transacts(self) -> bool:
        """Whether EnableTransaction holds, and there is a transaction service. Needs the lock, or takes what a moment shows."""
        return self.core.current is not None and bool(self.qos[ENABLE_TRANSACTION])

    @property
    def lasting(self) -> bool:
        """Whether there is a connection that outlives a crash. Needs the lock."""
        return self.connected and self.qos[CONNECTION_RELIABILITY] == PERSISTENT

    @property
    def counted(self) -> str:
        """The administrative property that says how much a transaction of the proxy carries."""
        sequences = self._type in (ProxyType.PUSH_SEQUENCE, ProxyType.PULL_SEQUENCE)
        return TRANSACTION_EVENT_SEQUENCES if sequences else TRANSACTION_EVENTS

    @property
    def transaction_size(self) -> int:
        """How many events or batches a transaction of the proxy carries. Needs the lock."""
        return self.core.limits[self.counted]

    @property
    def transaction_timeout(self) -> int:
        """The life of a transaction of the proxy, in seconds; 0 for no limit. Needs the lock."""
        return self.core.limits[TRANSACTION_TIMEOUT]

    def passes(self, event: StructuredEvent) -> bool:
        """Return whether an event passes the filters. Needs the lock."""
        return passes(event, self._owner.filters, self.filters, self._owner.operator)

    def connect(self, client: ClientT | None) -> None:
        """Connect the client, or raise AlreadyConnected."""
        with self.core.lock:
            self.check()
            if self.connected and not self.awaited:
                raise AlreadyConnected(f"{self} has a client already")
            self.client, self.connected, self.awaited = client, True, False
            self.serve()
        self.core.start()

    def serve(self) -> None:
        """Let the channel's thread make calls to the client, where it makes any. Needs the lock."""

    def disconnect(self) -> None:
        """End the connection from the client's side."""
        with self.core.lock:
            self.check()
            self.leave()

    def drop(self) -> None:
        """End the connection from the channel's side; the client learns of it. No effect on a proxy that is gone."""
        with self.core.lock:
            client = None if self.gone else self.client
            self.leave()
        if client is None:
            return
        try:
            self.tell(client)
        except Exception as error:  # noqa: BLE001 - a client may raise anything
            _LOG.warning("the client of %s, told of its end, raised %s: %s", self, type(error).__name__, error)

    def leave(self) -> None:
        """Remove the proxy from the channel. Needs the lock."""
        self.gone = True
        self.client, self.connected = None, False
        self._owner.forget(self._id)

    @abstractmethod
    def tell(self, client: ClientT) -> None:
        """Tell the client that its connection has ended."""

    def crash(self) -> None:
        """Let no client wait on: the channel has crashed. Needs the lock."""

    def recover(self) -> None:
        """Forget what a crash destroys, as the channel starts again. Needs the lock."""


class Calling(StandInProxy[AdminT, ClientT], Suspendable):
    """A proxy on which the channel makes the calls: it can be suspended, and a client that raises is called again."""

    def __init__(self, owner: Owner, admin: AdminT, type_: ProxyType, proxy_id: int) -> None:
        super().__init__(owner, admin, type_, proxy_id)
        self.suspended = False
        self.not_before = 0  # ms since the epoch: when the client may be called again
        self._failures = 0

    def serve(self) -> None:
        """Let the channel's thread make calls to the client. Needs the lock."""
        self.core.dispatcher.add(self)

    def leave(self) -> None:
        """Remove the proxy from the channel and from its dispatcher. Needs the lock."""
        self.core.dispatcher.remove(self)
        super().leave()

    def suspend_connection(self) -> None:
        """Make no more calls to the client."""
        with self.core.lock:
            self._check_connected()
            if self.suspended:
                raise ConnectionAlreadyInactive(f"{self} is suspended already")
            self.suspended = True

    def resume_connection(self) -> None:
        """Make calls to the client again, from the thread of the channel."""
        with self.core.lock:
            self._check_connected()
            if not self.suspended:
                raise ConnectionAlreadyActive(f"{self} is not suspended")
            self.suspended = False
            self.core.dispatcher.wake()

    def _check_connected(self) -> None:
        self.check()
        if not self.connected:
            raise NotConnected(f"{self} has no client")

    def next_step(self, now: int) -> Callable[[], None] | None:
        """Return the call that is due. Needs the lock."""
        client = self.client
        if client is None or self.suspended or now < self.not_before:
            return None
        call = self.next_call(client, now)
        return None if call is None else lambda: self._attempt(call)

    def next_time(self, now: int) -> int | None:
        """Return when a call may be due. Needs the lock."""
        if self.client is None or self.suspended:
            return None
        return self.not_before if now < self.not_before else self.next_chance(now)

    @abstractmethod
    def next_call(self, client: ClientT, now: int) -> Callable[[], None] | None:
        """Return a call to the client, which raises what the client raises. Needs the lock."""

    @abstractmethod
    def next_chance(self, now: int) -> int | None:
        """Return when `next_call` may have a call, unless something changes before. Needs the lock."""

    def _attempt(self, call: Callable[[], None]) -> None:
        """Make a call; after a failure again later, and after too many end the connection."""
        try:
            call()
        except Disconnected:
            with self.core.lock:
                self.leave()
        except Exception as error:  # noqa: BLE001 - a client may raise anything
            _LOG.warning("the client of %s raised %s: %s", self, type(error).__name__, error)
            with self.core.lock:
                self._failures += 1
                self.not_before = self.core.clock.now() + self.core.options.retry_ms
                given_up = self._failures >= self.core.options.tries
            if given_up:
                self.drop()
        else:
            with self.core.lock:
                self._failures = 0
