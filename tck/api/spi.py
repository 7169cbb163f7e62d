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

import gc
import weakref
from abc import ABC, abstractmethod, update_abstractmethods
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from types import TracebackType
from typing import Any, Final, NoReturn, Self, TypeAlias, TypeVar

from tck.api.clock import Clock, SystemClock
from tck.api.connections import Connection, ConnectionFactory
from tck.api.context import JMSContext
from tck.api.destinations import Destination, Queue, Topic
from tck.api.domain import (
    QueueConnectionFactory,
    QueueRequestor,
    QueueSession,
    TopicConnectionFactory,
    TopicRequestor,
    TopicSession,
)
from tck.api.exceptions import JMSException, JMSRuntimeException, UnsupportedOperationException
from tck.api.values import OMITTED, Omitted
from tck.api.xa import XAConnectionFactory, XAQueueConnectionFactory, XATopicConnectionFactory

__all__ = ["Hook", "OpenProvider", "Provider", "ProviderInfo", "partial"]


class Hook(StrEnum):
    """Name what a provider can do for the suite beyond the messaging API; the values are the catalogue's.

    ``RESTART``, ``KILL``, ``SEVER``, ``PENDING``, ``ADMINISTER`` promise the method of the same name, ``CLOCK`` a
    virtual `Provider.clock`, ``FAULT`` the actions ``"fail-next-commit"`` and ``"fail-next-sends"`` of
    `Provider.administer`. The others promise a fact about the set-up: ``AUTHENTICATION`` that credentials are checked,
    at least once an administrator has made users known, ``PROFILE`` that the profile names what the row needs, ``LOAD`` that heavy load is acceptable, ``SECOND_PROVIDER``
    that `OpenProvider` may be called again in the process for a provider apart, ``NATIVE_CLIENT`` that one is there.
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

    def new_exception(
        self,
        kind: type[JMSException | JMSRuntimeException],
        reason: str | None,
        error_code: str | Omitted | None = OMITTED,
        cause: Exception | Omitted | None = OMITTED,
    ) -> JMSException | JMSRuntimeException:
        """Make an exception as Java's constructors of `kind` do (10.2-5, 10.2-6); default: by the type of `tck.api`."""
        return kind(reason, error_code, cause)

    def link_exception(self, exception: JMSException, linked: Exception | None) -> JMSException:
        """Link an exception as Java's ``setLinkedException`` does (10.2-11), and return it; default: by `tck.api`."""
        exception.linked_exception = linked
        return exception

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

    def second(self) -> Provider | None:
        """Give the same provider as another client library reaches it, where the profile names one (``--second``).

        What it makes of a destination's name is the same destination. Only its factories and destinations are asked for. Default: none.
        """
        return None

    def remains(self, value: object) -> Callable[[], bool]:
        """Return a call that lets the language collect what nobody holds, and says whether an object is still there (6.2.2-9)."""
        held = weakref.ref(value)

        def is_there() -> bool:
            gc.collect()
            return held() is not None

        return is_there

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
        """Do what an administrator could do (`Hook.ADMINISTER`, and `Hook.FAULT` for those that fail).

        Actions:
            ``"override"``: destination, delivery_mode=OMITTED, priority=OMITTED, time_to_live=OMITTED,
                delivery_delay=OMITTED. From now on messages sent to `destination` get these values, not the client's.
            ``"fail-next-commit"``: connection. The next commit of one of its transacted sessions ends in a rollback.
            ``"fail-next-sends"``: destination, count=1. The next sends to `destination` fail at the provider: a synchronous
                one raises, an asynchronous one ends in onException.
            ``"users"``: one keyword per user name, its value the password. From now on only these may connect, and who gives
                no credentials; without any keyword as before.
            ``"factory"``: kind (``"connection-factory"``, ``"queue-connection-factory"``, ``"topic-connection-factory"``),
                each with ``"xa-"`` before it where XA is claimed; client_id=OMITTED, user_name=OMITTED, password=OMITTED.
                Return a connection factory with these parameters.
            ``"limit"``: connections. The most open connections from now on, or None. ``"connections"``: return their number.
            ``"heuristic"``: xid, outcome (``"commit"``, ``"rollback"``). Decide on a prepared branch, by no manager's order.
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


C = TypeVar("C")


def partial(cls: type[C]) -> type[C]:
    """Fill the abstract members that a class of an adapter does not have yet, so that objects of it can be made.

    A filled member raises UnsupportedOperationException, which names it: a case that needs it ends as *absent*. Use it
    as a decorator while an adapter grows; without it Python refuses to make an object of an unfinished class.
    """
    names: frozenset[str] = cls.__abstractmethods__  # type: ignore[attr-defined]  # of classes with ABCMeta
    for name in sorted(names):
        owner, declared = next((base, vars(base)[name]) for base in cls.__mro__ if name in vars(base))
        missing = _missing(f"{owner.__name__}.{name}")
        if isinstance(declared, property):
            setattr(cls, name, property(missing, missing if declared.fset else None, doc=declared.__doc__))
        else:
            setattr(cls, name, missing)
    update_abstractmethods(cls)
    return cls


def _missing(member: str) -> Callable[..., NoReturn]:
    def call(*_: Any, **__: Any) -> NoReturn:  # noqa: ANN401 - the arguments of any member
        raise UnsupportedOperationException(f"{member} is not implemented in this adapter yet")

    call.__name__ = member.rpartition(".")[2]
    call.__qualname__ = member
    return call


def _unsupported(what: str) -> UnsupportedOperationException:
    return UnsupportedOperationException(f"this provider's adapter does not offer {what}")


def _no_hook(hook: Hook, what: str = "") -> UnsupportedOperationException:
    return UnsupportedOperationException(f"this provider's adapter does not offer the hook {hook.value!r}{what}")
