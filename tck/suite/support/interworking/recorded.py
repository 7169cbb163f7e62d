"""A channel that records the calls that cross its border: `recorded` wraps a factory, and all that comes from it is wrapped too.

Rows that say "the channel records ..." are judged by `RecordedFactory.calls`. Both directions are kept: calls of clients to the
factory, channels, admins and proxies, and calls of the channel to the objects that clients connect. Attributes are not
recorded. A wrapped object implements the interface of what it wraps and nothing else. Imports `tck.api` and this package's
values only.
"""

from __future__ import annotations

import enum
import inspect
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, TypeVar, cast

from tck.api import Clock
from tck.interworking import acknowledgment as acknowledged
from tck.interworking import channel as offered
from tck.interworking import clients
from tck.interworking.events import StructuredEvent
from tck.interworking.qos import CommFailure, Properties

_PROXIES: Final = (  # those with more operations come first
    acknowledged.StructuredProxyPushSupplierAck,
    acknowledged.SequenceProxyPushSupplierAck,
    acknowledged.StructuredProxyPullSupplierAck,
    acknowledged.SequenceProxyPullSupplierAck,
    offered.StructuredProxyPushSupplier,
    offered.SequenceProxyPushSupplier,
    offered.StructuredProxyPullSupplier,
    offered.SequenceProxyPullSupplier,
    offered.ProxyPushConsumer,
    offered.StructuredProxyPushConsumer,
    offered.SequenceProxyPushConsumer,
    offered.StructuredProxyPullConsumer,
    offered.SequenceProxyPullConsumer,
)
_OFFERED: Final = (*_PROXIES, offered.ConsumerAdmin, offered.SupplierAdmin, offered.Channel)
_CLIENTS: Final = (
    acknowledged.StructuredPushSupplierAck,
    acknowledged.SequencePushSupplierAck,
    acknowledged.StructuredPullSupplierAck,
    acknowledged.SequencePullSupplierAck,
    clients.StructuredPushConsumer,
    clients.SequencePushConsumer,
    clients.StructuredPullConsumer,
    clients.SequencePullConsumer,
    clients.PushSupplier,
    clients.StructuredPushSupplier,
    clients.SequencePushSupplier,
    clients.StructuredPullSupplier,
    clients.SequencePullSupplier,
)

_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class Call:
    """One call across the border of the channel.

    Attributes:
        operation: Its name, such as `push_structured_event`.
        target: The object that was called: the proxy, admin, channel or factory itself, or the client.
        proxy: The proxy whose connection the call belongs to; None for a call to an admin, a channel or the factory.
        by_channel: Whether the channel called its client.
        arguments: As given.
        began_ns: When the call began, as `Clock.monotonic_ns` counts.
        began: When it began, ms since the epoch.
        ended_ns: When it ended; None while it runs.
        result: What it returned; None while it runs.
        error: What it raised.
    """

    operation: str
    target: object
    proxy: offered.Proxy | None
    by_channel: bool
    arguments: tuple[object, ...]
    began_ns: int
    began: int
    ended_ns: int | None = None
    result: object = None
    error: Exception | None = None

    @property
    def events(self) -> tuple[StructuredEvent, ...]:
        """The events that the call carried, in its arguments or as its result."""
        carried = (*self.arguments, self.result)
        parts = (part for each in carried for part in (each if isinstance(each, tuple) else (each,)))
        return tuple(part for part in parts if isinstance(part, StructuredEvent))


class Loss(enum.Enum):
    """How a call is lost on its way."""

    OF_CALL = enum.auto()
    """It does not arrive, and raises CommFailure."""
    OF_ANSWER = enum.auto()
    """It arrives, and raises CommFailure all the same."""
    UNNOTICED = enum.auto()
    """It does not arrive, and returns None as if it had."""


class _Record:
    """The calls, and which wrapper stands for which object."""

    def __init__(self, clock: Clock) -> None:
        self.clock = clock
        self._lock = threading.Lock()  # guards the two below; the lock of the clock's time comes after it
        self._calls: list[Call] = []
        # by the identities of the object and of its proxy; the object is kept, so that no other one gets its identity
        self._wrappers: dict[tuple[int, int], tuple[object, object]] = {}
        self.losing: Callable[[Call], Loss | None] = lambda _: None

    def calls(self) -> tuple[Call, ...]:
        with self._lock:
            return tuple(self._calls)

    def made(self, call: Call, perform: Callable[[], object]) -> object:
        """Perform a call and record how it ends."""
        with self._lock:
            at = len(self._calls)
            self._calls.append(replace(call, began_ns=self.clock.monotonic_ns(), began=self.clock.now()))
        loss = self.losing(call)
        try:
            result = None if loss in (Loss.OF_CALL, Loss.UNNOTICED) else perform()
            if loss in (Loss.OF_CALL, Loss.OF_ANSWER):
                raise CommFailure(f"{call.operation} was lost on its way")  # noqa: TRY301 - recorded like any other
        except Exception as error:
            self._end(at, error=error)
            raise
        self._end(at, result=result)
        return result

    def _end(self, at: int, *, result: object = None, error: Exception | None = None) -> None:
        with self._lock:
            ended = self.clock.monotonic_ns()
            self._calls[at] = replace(self._calls[at], ended_ns=ended, result=result, error=error)

    def wrapped(self, value: _T, proxy: offered.Proxy | None = None) -> _T:
        """Return what stands for a value: a wrapper for an object of the channel or of a client, the same one each time."""
        if isinstance(value, tuple):
            return cast("_T", tuple(self.wrapped(each, proxy) for each in value))
        of_client = proxy is not None
        found = [each for each in (_CLIENTS if of_client else _OFFERED) if isinstance(value, each)]
        if not found:
            return value
        # a client may be of several kinds, an object of the channel is of one
        interfaces = [
            each for each in found if not any(other is not each and issubclass(other, each) for other in found)
        ]
        interfaces = interfaces if of_client else interfaces[:1]
        with self._lock:
            key = id(value), id(proxy)
            if key not in self._wrappers:
                self._wrappers[key] = value, _wrapper(self, interfaces, value, proxy)
            return cast("_T", self._wrappers[key][1])

    def plain(self, value: _T) -> _T:
        """Return what a wrapper stands for."""
        with self._lock:
            return next((cast("_T", kept) for kept, wrapper in self._wrappers.values() if wrapper is value), value)


def _wrapper(record: _Record, interfaces: Sequence[type], value: object, client_of: offered.Proxy | None) -> object:
    """Return an object of some interfaces whose calls are recorded and go to the value."""
    body: dict[str, object] = {}
    for interface in interfaces:
        for name in interface.__abstractmethods__:  # type: ignore[attr-defined]
            is_attribute = isinstance(inspect.getattr_static(interface, name), property)
            make = _attribute if is_attribute else _operation
            body[name] = make(record, name, value, client_of)
    return type(f"Recorded{interfaces[0].__name__}", tuple(interfaces), body)()


def _attribute(record: _Record, name: str, value: object, client_of: offered.Proxy | None) -> property:
    del client_of
    return property(lambda _: record.wrapped(getattr(value, name)), lambda _, given: setattr(value, name, given))


def _operation(record: _Record, name: str, value: object, client_of: offered.Proxy | None) -> Callable[..., object]:
    def operation(self: object, *given: object, **named: object) -> object:
        arguments = (*given, *named.values())
        proxy = client_of or (self if isinstance(self, offered.Proxy) else None)
        target = self if client_of is None else value
        call = Call(name, target, proxy, client_of is not None, arguments, 0, 0)

        def perform() -> object:
            passed = [record.wrapped(each, proxy) if name.startswith("connect_") else each for each in given]
            passed_named = {
                key: record.wrapped(each, proxy) if name.startswith("connect_") else each for key, each in named.items()
            }
            result = getattr(value, name)(*passed, **passed_named)
            return result if client_of is not None else record.wrapped(result)

        return record.made(call, perform)

    return operation


class RecordedFactory(offered.ChannelFactory):
    """A factory whose channels record; make it with `recorded`."""

    def __init__(self, factory: offered.ChannelFactory) -> None:
        self._factory = factory
        self._record = _Record(factory.clock)

    @property
    def clock(self) -> Clock:
        """The clock that the channels live by."""
        return self._factory.clock

    @property
    def stable_priority(self) -> bool:
        """As the factory that is recorded says."""
        return self._factory.stable_priority

    def unstable(self) -> RecordedFactory | None:
        """Return such a factory, if there is one, with a record of its own."""
        found = self._factory.unstable()
        return None if found is None else RecordedFactory(found)

    @property
    def inner(self) -> offered.ChannelFactory:
        """The factory itself, for what it offers beside the contract; such calls are not recorded."""
        return self._factory

    def create_channel(self, initial_qos: Properties, initial_admin: Properties) -> tuple[offered.Channel, int]:
        """Make a channel."""
        return self._made(
            "create_channel",
            (initial_qos, initial_admin),
            lambda: self._factory.create_channel(initial_qos, initial_admin),
        )

    def get_channel(self, channel_id: int) -> offered.Channel:
        """Return a channel."""
        return self._made("get_channel", (channel_id,), lambda: self._factory.get_channel(channel_id))

    def get_all_channels(self) -> tuple[int, ...]:
        """Return the ids of the channels."""
        return self._made("get_all_channels", (), self._factory.get_all_channels)

    def calls(self, *operations: str) -> tuple[Call, ...]:
        """Return the calls so far in the order in which they began: all, or those of some operations."""
        return tuple(each for each in self._record.calls() if not operations or each.operation in operations)

    def losing(self, chosen: Callable[[Call], Loss | None]) -> None:
        """From now on lose the calls for which a function says so; it is asked before each, in the thread of the caller."""
        self._record.losing = chosen

    def hook(self, kind: type[Any]) -> Any:  # noqa: ANN401 - of the kind, which may be abstract
        """Return the factory itself if it offers a hook, such as `tck.interworking.acknowledgment.Crashes`, else None; calls of a hook
        are not recorded, and want objects as `plain` gives them.
        """
        return self._factory if isinstance(self._factory, kind) else None

    def plain(self, value: _T) -> _T:
        """Return what a recording object stands for."""
        return self._record.plain(value)

    def shown(self, value: _T) -> _T:
        """Return the recording object that stands for an object of the channel."""
        return self._record.wrapped(value)

    def _made(self, name: str, arguments: tuple[object, ...], perform: Callable[[], _T]) -> _T:
        call = Call(name, self, None, False, arguments, 0, 0)
        return cast("_T", self._record.made(call, lambda: self._record.wrapped(perform())))


def recorded(factory: offered.ChannelFactory) -> RecordedFactory:
    """Return a factory whose channels do what those of another do, and record it."""
    return RecordedFactory(factory)
