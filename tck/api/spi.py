"""The provider SPI: what an adapter implements beside the messaging API so that the suite can reach a provider.

An adapter is one callable, ``open_provider(settings, work_dir) -> Provider``, named in a profile as
``target = "package.module:open_provider"``. `settings` is the profile's free table ``[adapter.settings]``, `work_dir` a
fresh directory for this process, for whatever the provider writes. One provider serves one pytest process, from before
its first case until `Provider.close`; everything else the suite makes through the messaging API::

    class Courier(Provider):
        def info(self):
            return ProviderInfo(name="Courier", version="4.2", vendor="Example", api_version="2.0")
        def connection_factory(self):
            return CourierConnectionFactory(self._url)  # subclasses tck.api.ConnectionFactory
        ...

What to implement, in this order:

1. `Provider.info`, `Provider.connection_factory`, `Provider.create_queue`, `Provider.create_topic`, `Provider.drop`,
   `Provider.close`: abstract. With these the suite runs.
2. The factories of the other APIs, lookup, requestors, `Provider.register_types`: each has a default, mostly
   "unsupported". What the profile claims must be there; what it does not claim may stay unsupported.
3. Hooks: what no messaging API can do (restart, advance the clock...). Name each in `Provider.hooks` and implement its
   method. A row that needs a hook not named is *inconclusive, needs hook X*: an honest gap, not a failure.
4. Help with a call that hangs, where Python cannot give it: `Provider.interrupt`, `Provider.stacks`. Each has a default.

Objects of the messaging API subclass the abstract types of `tck.api`, raise its exceptions, and call `check_overload`
first where arguments may be left out. Methods of the provider itself are called by one thread at a time, between calls
to the messaging API or while those wait; `Provider.interrupt` and `Provider.stacks` by the watchdog's thread. An exception out of them, `UnsupportedOperationException` apart, is a fault of
the adapter: it stops the case as a harness error and judges nothing.

This module imports the API types and nothing else of ours.
"""

# ruff: noqa: ARG002 - a default answers "unsupported" whatever it is asked

from __future__ import annotations

import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from types import TracebackType
from typing import Final, NoReturn, Self, TypeAlias

from tck.api.connections import Connection, ConnectionFactory
from tck.api.context import JMSContext
from tck.api.destinations import Destination, Queue, Topic
from tck.api.domain import QueueConnectionFactory, QueueSession, TopicConnectionFactory, TopicSession
from tck.api.exceptions import UnsupportedOperationException
from tck.api.requestors import QueueRequestor, TopicRequestor
from tck.api.xa import XAConnectionFactory, XAQueueConnectionFactory, XATopicConnectionFactory

__all__ = ["Clock", "Event", "Hook", "OpenProvider", "Provider", "ProviderInfo", "SystemClock"]


class Hook(StrEnum):
    """Name what a provider can do for the suite beyond the messaging API; the values are the catalogue's.

    ``RESTART``, ``KILL``, ``SEVER``, ``PENDING``, ``ADMINISTER`` promise the method of the same name, ``CLOCK`` a
    virtual `Provider.clock`, ``FAULT`` the action ``"fail-next-commit"`` of `Provider.administer`. The others promise a
    fact about the set-up: ``AUTHENTICATION`` that credentials are checked, ``PROFILE`` that the profile names what the
    row needs, ``LOAD`` that heavy load is acceptable, ``SECOND_PROVIDER`` and ``NATIVE_CLIENT`` that such a partner is
    there.
    """

    RESTART = "restart"
    KILL = "kill"
    SEVER = "sever"
    CLOCK = "clock"
    PENDING = "pending"
    ADMINISTER = "administer"
    AUTHENTICATION = "authentication"
    PROFILE = "profile"
    LOAD = "load"
    FAULT = "fault"
    SECOND_PROVIDER = "second-provider"
    NATIVE_CLIENT = "native-client"


@dataclass(frozen=True, slots=True)
class ProviderInfo:
    """Describe the provider as reports name it.

    Args:
        name: The product, such as ``"ActiveMQ Artemis"``.
        version: Its version, as its vendor writes it.
        vendor: Who makes it.
        api_version: The specification version it implements: ``"1.0.2b"``, ``"1.1"``, ``"2.0"`` or ``"3.1"``.
        language: ``"python"`` or ``"java"``; rows that only a Java provider can be asked are judged for ``"java"``
            alone.
    """

    name: str
    version: str
    vendor: str
    api_version: str
    language: str = "python"


class Event(ABC):
    """Let one thread wait until another says so, on the clock of the provider."""

    __slots__ = ()

    @abstractmethod
    def set(self) -> None:
        """Wake all who wait, now and later; setting again has no effect."""

    @abstractmethod
    def is_set(self) -> bool:
        """Tell whether `set` was called."""

    @abstractmethod
    def wait(self, timeout_ms: float | None) -> bool:
        """Wait until set, at most `timeout_ms` milliseconds of the clock; return whether it is set.

        None waits without limit, 0 not at all.
        """


class Clock(ABC):
    """Tell the time that a provider lives by.

    A real clock passes by itself (`SystemClock`). A virtual one stands still unless `advance` is called, or every known
    actor is blocked in one of its waits while some wait has a deadline: then it jumps to the earliest. Actors are the
    threads inside `actor` and those the provider manages itself. A blocked provider call (``receive``) counts as a
    wait. Whoever wakes a waiter counts it as running before releasing it. With all actors blocked and no deadline
    pending, a virtual clock does not move, and the case's real deadline decides.
    """

    __slots__ = ()

    @property
    @abstractmethod
    def virtual(self) -> bool:
        """Tell whether the clock is virtual, so that waiting costs nothing and `advance` works."""

    @abstractmethod
    def now(self) -> int:
        """Give the time, epoch milliseconds: what the provider writes into timestamps and compares expirations with."""

    @abstractmethod
    def monotonic_ns(self) -> int:
        """Give the time in epoch nanoseconds, greater at each call in any thread.

        It agrees with `now` to a few milliseconds, so that events can be compared with expirations.
        """

    @abstractmethod
    def advance(self, ms: int) -> None:
        """Move a virtual clock forward by `ms` milliseconds and let what is due by then happen.

        Raises:
            UnsupportedOperationException: The clock is real.
        """

    @abstractmethod
    def event(self) -> Event:
        """Make an event whose waits run on this clock."""

    @abstractmethod
    def actor(self) -> AbstractContextManager[object]:
        """Count the calling thread as an actor within the ``with`` block.

        The suite enters it in each thread that will call the provider: a virtual clock then waits for that thread.
        """


class _SystemEvent(Event):
    __slots__ = ("_event",)

    def __init__(self) -> None:
        self._event = threading.Event()

    def set(self) -> None:
        self._event.set()

    def is_set(self) -> bool:
        return self._event.is_set()

    def wait(self, timeout_ms: float | None) -> bool:
        return self._event.wait(None if timeout_ms is None else timeout_ms / 1000)


class SystemClock(Clock):
    """Tell real time, from the computer's own clock; it cannot be advanced."""

    __slots__ = ("_last", "_lock")

    def __init__(self) -> None:
        self._lock = threading.Lock()  # guards _last; no other lock is taken while it is held
        self._last = 0

    @property
    def virtual(self) -> bool:
        """Tell that the clock is real."""
        return False

    def now(self) -> int:
        """Give the wall clock's time, epoch milliseconds."""
        return time.time_ns() // 1_000_000

    def monotonic_ns(self) -> int:
        """Give the wall clock's time in epoch nanoseconds, or one more than the last answer where that is greater."""
        # The wall clock, not time.monotonic_ns: events are compared with timestamps that the provider took from the wall clock.
        # Where the wall clock is coarse or set back, order still holds.
        with self._lock:
            self._last = max(self._last + 1, time.time_ns())
            return self._last

    def advance(self, ms: int) -> NoReturn:
        """Refuse with UnsupportedOperationException."""
        raise UnsupportedOperationException(
            f"a real clock cannot be advanced by {ms} ms; the provider offers no hook {Hook.CLOCK}"
        )

    def event(self) -> Event:
        """Make an event that waits in real time."""
        return _SystemEvent()

    def actor(self) -> AbstractContextManager[object]:
        """Give a context that does nothing: real time waits for nobody."""
        return nullcontext()


# Real time belongs to the process, so one clock serves every provider in it.
_SYSTEM_CLOCK: Final = SystemClock()


class Provider(ABC):
    """Give the suite one messaging provider; see the module docstring for what to implement."""

    __slots__ = ()

    @abstractmethod
    def info(self) -> ProviderInfo:
        """Describe the provider."""

    @property
    def hooks(self) -> frozenset[Hook]:
        """Give the hooks this provider offers; default none. Constant for the life of the provider."""
        return frozenset()

    @property
    def clock(self) -> Clock:
        """Give the clock the provider lives by; default the `SystemClock`, a virtual clock with `Hook.CLOCK`."""
        return _SYSTEM_CLOCK

    @abstractmethod
    def connection_factory(self) -> ConnectionFactory:
        """Give the connection factory of the classic and the simplified API."""

    def queue_connection_factory(self) -> QueueConnectionFactory:
        """Give the factory of the domain-specific API for queues; default unsupported."""
        raise _unsupported("queue connection factories")

    def topic_connection_factory(self) -> TopicConnectionFactory:
        """Give the factory of the domain-specific API for topics; default unsupported."""
        raise _unsupported("topic connection factories")

    def xa_connection_factory(self) -> XAConnectionFactory:
        """Give the factory of XA connections and contexts; default unsupported."""
        raise _unsupported("XA connection factories")

    def xa_queue_connection_factory(self) -> XAQueueConnectionFactory:
        """Give the domain-specific factory of XA connections for queues; default unsupported."""
        raise _unsupported("XA queue connection factories")

    def xa_topic_connection_factory(self) -> XATopicConnectionFactory:
        """Give the domain-specific factory of XA connections for topics; default unsupported."""
        raise _unsupported("XA topic connection factories")

    def queue_requestor(self, session: QueueSession | None, queue: Queue | None) -> QueueRequestor:
        """Make a requestor as Java's constructor ``QueueRequestor(session, queue)`` does; default unsupported."""
        raise _unsupported("queue requestors")

    def topic_requestor(self, session: TopicSession | None, topic: Topic | None) -> TopicRequestor:
        """Make a requestor as Java's constructor ``TopicRequestor(session, topic)`` does; default unsupported."""
        raise _unsupported("topic requestors")

    @abstractmethod
    def create_queue(self, name: str) -> Queue:
        """Create a queue, empty and ready for use, and return it as an administered object (5.1-2).

        The name was not used before in this run.
        """

    @abstractmethod
    def create_topic(self, name: str) -> Topic:
        """Create a topic, ready for use, and return it as an administered object (5.1-2); names as for `create_queue`."""

    @abstractmethod
    def drop(self, destination: Destination) -> None:
        """Remove a destination that `create_queue` or `create_topic` made, with all it holds.

        Called after the case, best effort: connections of a failed case may still be open. A destination already gone
        is no error.
        """

    def lookup(self, name: str) -> object:
        """Look an administered object up by the name it was bound under; default unsupported.

        Raises:
            UnsupportedOperationException: The provider has no naming service.
        """
        raise _unsupported(f"lookup of {name!r}")

    def bind(self, name: str, obj: object) -> None:
        """Bind an administered object (connection factory, destination) under a name for `lookup`; default unsupported."""
        raise _unsupported(f"binding {obj!r} as {name!r}")

    def unsupported_value(self) -> object:
        """Give an object of a type that no message may carry; default a bare ``object()``.

        Rows on what must be refused use it as a property, an entry and a body.
        """
        return object()

    def register_types(self, *types: type) -> None:  # noqa: B027 - most providers have nothing to do
        """Allow the suite's own types as bodies of object messages; called before the first case.

        Default: nothing to do, for providers that take any serializable type.
        """

    def overwrite(self, value: bytes) -> bool:
        """Overwrite with zeros the array of the provider's language behind bytes that a message returned; True if there is one.

        Rows on copies (3.12) use it. `value` is the very object that was returned. Default: there is none.
        """
        return False

    def restart(self) -> None:
        """Stop the provider in good order and start it again on the same data (`Hook.RESTART`).

        Connections of before are dead afterwards; factories and destinations stay usable.
        """
        raise _no_hook(Hook.RESTART)

    def kill(self) -> None:
        """Lose the provider without warning, as a power cut would, and start it again on the same data (`Hook.KILL`).

        Connections of before are dead afterwards; factories and destinations stay usable.
        """
        raise _no_hook(Hook.KILL)

    def sever(self, connection: Connection | JMSContext) -> None:
        """Break the link of one connection as if the client had died or the network failed (`Hook.SEVER`).

        The provider must notice, release what the client held, and tell the connection's exception listener.
        """
        raise _no_hook(Hook.SEVER)

    def pending(self, destination: Destination) -> int:
        """Count the messages that `destination` holds (`Hook.PENDING`).

        On a queue those neither acknowledged nor expired, delivered ones included; on a topic those of its subscriptions.
        """
        raise _no_hook(Hook.PENDING)

    def administer(self, action: str, **arguments: object) -> object:
        """Do what an administrator could do (`Hook.ADMINISTER`, and `Hook.FAULT` for ``"fail-next-commit"``).

        Actions:
            ``"override"``: destination, delivery_mode=OMITTED, priority=OMITTED, time_to_live=OMITTED,
                delivery_delay=OMITTED. From now on messages sent to `destination` get these values, not the client's.
            ``"fail-next-commit"``: connection. The next commit of one of its transacted sessions ends in a rollback.
            ``"users"``: one keyword per user name, its value the password. From now on only these may connect.
            ``"factory"``: kind (``"connection-factory"``, ``"queue-connection-factory"``, ``"topic-connection-factory"``),
                client_id=OMITTED, user_name=OMITTED, password=OMITTED. Return a connection factory with these parameters.
            ``"limit"``: connections. The largest number of open connections from now on, None for no limit.
            ``"connections"``: return the number of open connections.
            ``"destinations"``, ``"subscriptions"``: return the names of the destinations, of the durable subscriptions.

        Raises:
            UnsupportedOperationException: The action is not one this provider knows.
        """
        raise _no_hook(Hook.ADMINISTER, f": cannot {action} with {sorted(arguments)}")

    def interrupt(self) -> None:  # noqa: B027 - Python interrupts its own calls
        """Interrupt the call that the process's main thread is blocked in; its case is past its deadline.

        Python interrupts its own code, also locks and reads; only adapters whose calls block in foreign code, as Java's do,
        have work here. Called from another thread; returns at once; no error if no call is open. Default: nothing to do.
        """

    def stacks(self) -> str:
        """Return what the provider's own threads are doing, for the record of a process that hangs.

        Python's threads are recorded anyway. Called from another thread. Default: empty.
        """
        return ""

    @abstractmethod
    def close(self) -> None:
        """Stop the provider and free all it holds, once, also after a failed run; connections may still be open."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


OpenProvider: TypeAlias = Callable[[Mapping[str, object], Path], Provider]
"""The form of an adapter's entry: ``open_provider(settings, work_dir)``."""


def _unsupported(what: str) -> UnsupportedOperationException:
    return UnsupportedOperationException(f"this provider's adapter does not offer {what}")


def _no_hook(hook: Hook, what: str = "") -> UnsupportedOperationException:
    return UnsupportedOperationException(f"this provider's adapter does not offer the hook {hook.value!r}{what}")
