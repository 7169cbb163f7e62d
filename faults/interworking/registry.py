"""The registry of faults, and the converter that has one."""

from __future__ import annotations

import importlib
import pkgutil
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Final, TypeAlias

from reference_bridge.channel import StandInFactory
from reference_bridge.channel.consumers import (
    AnyTaking,
    SequencePulling,
    SequenceTaking,
    StructuredPulling,
    StructuredTaking,
)
from reference_bridge.channel.suppliers import SequencePulled, SequencePushing, StructuredPulled, StructuredPushing
from reference_bridge.converter import ReferenceConverter
from reference_bridge.factory import ReferenceFactory
from tck import api as jms
from tck.interworking import Any_, BridgeError, Converted, Converter, Property, StructuredEvent
from tck.interworking.bridge import Bridge, BridgeFactory, BridgeNotFound, BridgeStatus, ExternalEndpoint
from tck.interworking.channel import ChannelFactory

PROXIES: Final = (
    StructuredPushing,
    SequencePushing,
    StructuredPulled,
    SequencePulled,
    AnyTaking,
    StructuredTaking,
    SequenceTaking,
    StructuredPulling,
    SequencePulling,
)
"""The kinds of proxies of the stand-in channel."""

OfEvent: TypeAlias = Callable[[jms.Message, StructuredEvent], StructuredEvent | None]
"""Changes the event that a message became."""
OfGiven: TypeAlias = Callable[[StructuredEvent], StructuredEvent]
"""Changes an event before it becomes a message."""
OfMessage: TypeAlias = Callable[[StructuredEvent, jms.Session, Converted], Converted | None]
"""Changes the message that an event became."""
OfRead: TypeAlias = Callable[[Any_], Any_]
"""Changes what the decoder gives."""


@dataclass(frozen=True, slots=True)
class Faults:
    """What a broken converter, bridge or channel does otherwise; None for nothing.

    `mixin` is mixed into every bridge, `channel_mixins` into the proxies of the channel, each into its kind and those below it.
    """

    of_event: OfEvent | None = None
    of_given: OfGiven | None = None
    of_message: OfMessage | None = None
    of_read: OfRead | None = None
    of_object: Callable[[object], object] | None = None
    expired: bool = False
    mixin: type | None = None
    of_factory: Callable[[ReferenceFactory], None] | None = None
    channel_mixins: Mapping[type, type] = field(default_factory=dict)
    of_channels: Callable[[StandInFactory], None] | None = None


@dataclass(frozen=True, slots=True)
class BridgeSaboteur:
    """One deliberate fault of the bridge.

    Attributes:
        assertion: The row that it breaks.
        title: What the broken bridge does.
        faults: The fault.
        collateral: For the judge of saboteurs, which runs no other rows on it.
        settings: Settings of the provider that it needs: none.
    """

    assertion: str
    title: str
    faults: Faults
    collateral: Mapping[str, str] = field(default_factory=dict)
    settings: Mapping[str, object] = field(default_factory=dict)

    def open(self) -> Converter:
        """Return a converter with the fault."""
        return Broken(self.faults)

    def open_factory(self, channels: ChannelFactory, provider: jms.Provider) -> BridgeFactory:
        """Return a factory of bridges with the fault."""
        factory = ReferenceFactory(channels, provider, self.open)
        if self.faults.mixin is not None:
            for key, kind in factory.kinds.items():
                factory.kinds[key] = type(kind.__name__, (self.faults.mixin, kind), {})
        if self.faults.of_factory is not None:
            self.faults.of_factory(factory)
        return factory

    def open_channels(self, clock: jms.Clock) -> ChannelFactory:
        """Return a factory of stand-in channels with the fault."""
        factory = StandInFactory(clock)
        for proxy in PROXIES:
            mixins = [mixin for base, mixin in self.faults.channel_mixins.items() if issubclass(proxy, base)]
            if mixins:
                factory.kinds[proxy] = type(proxy.__name__, (*mixins, proxy), {})
        if self.faults.of_channels is not None:
            self.faults.of_channels(factory)
        return factory


class Broken(ReferenceConverter):
    """The reference converter with a fault."""

    def __init__(self, faults: Faults) -> None:
        super().__init__()
        self._faults = faults

    def to_event(self, message: jms.Message, now: int) -> StructuredEvent | None:
        """Return the event, changed by the fault."""
        made = super().to_event(message, 0 if self._faults.expired else now)
        fault = self._faults.of_event
        return made if made is None or fault is None else fault(message, made)

    def to_message(self, event: StructuredEvent, session: jms.Session, now: int) -> Converted | None:
        """Return the message, changed by the fault."""
        given = self._faults.of_given(event) if self._faults.of_given else event
        made = super().to_message(given, session, now)
        fault = self._faults.of_message
        return made if made is None or fault is None else fault(given, session, made)

    def decode(self, name: str, message: jms.Message) -> Any_:
        """Return the value, changed by the fault."""
        value = super().decode(name, message)
        return self._faults.of_read(value) if self._faults.of_read else value

    def read_object(self, octets: bytes) -> object:
        """Return the object, changed by the fault."""
        value = super().read_object(octets)
        return self._faults.of_object(value) if self._faults.of_object else value


_FOUND: dict[str, BridgeSaboteur] = {}


def declare(rows: str, title: str, faults: Faults) -> None:
    """Declare a fault as the saboteur of one row, or of several that say the same.

    Raises:
        ValueError: A row has one already.
    """
    for row in rows.split():
        if row in _FOUND:
            raise ValueError(f"two saboteurs for {row}: {_FOUND[row].title!r} and {title!r}")
        _FOUND[row] = BridgeSaboteur(row, title, faults)


def all_bridge_saboteurs() -> Mapping[str, BridgeSaboteur]:
    """Return all faults by the row they break, in the order of the document."""
    package = importlib.import_module("faults.interworking")
    for module in pkgutil.iter_modules(package.__path__):
        importlib.import_module(f"{package.__name__}.{module.name}")
    return {row: _FOUND[row] for row in sorted(_FOUND, key=lambda row: [int(each) for each in re.findall(r"\d+", row)])}


class PlainChannels(StandInFactory):
    """The channels of the dummies: what a bridge has to bring along they have not either."""

    use_transactions = None  # type: ignore[assignment]


def raising() -> Converter:
    """Return a dummy that raises whatever it is asked."""
    return _Raising()


def inert() -> Converter:
    """Return a dummy whose events and messages have nothing in them."""
    return _Inert()


class _Raising(ReferenceConverter):
    def to_event(self, message: jms.Message, now: int) -> StructuredEvent | None:
        raise BridgeError(f"{message.jms_message_id} at {now}: a dummy carries nothing")

    def to_message(self, event: StructuredEvent, session: jms.Session, now: int) -> Converted | None:
        raise BridgeError(f"{event.header.fixed_header.event_name} at {now}: a dummy carries nothing, {session} or not")


class _Inert(ReferenceConverter):
    def to_event(self, message: jms.Message, now: int) -> StructuredEvent | None:
        return super().to_event(message, now) and StructuredEvent()

    def to_message(self, event: StructuredEvent, session: jms.Session, now: int) -> Converted | None:
        made = super().to_message(StructuredEvent(), session, now)
        assert made is not None
        empty = session.create_message()
        return replace(made, message=empty)


def raising_factory(channels: ChannelFactory, provider: jms.Provider) -> BridgeFactory:
    """Return a dummy that makes no bridge."""
    del channels, provider
    return _RaisingFactory()


def inert_factory(channels: ChannelFactory, provider: jms.Provider) -> BridgeFactory:
    """Return a dummy whose bridges do nothing."""
    del channels, provider
    return _InertFactory()


class _RaisingFactory(BridgeFactory):
    def create_bridge(self, source: ExternalEndpoint, sink: ExternalEndpoint) -> tuple[Bridge, int]:
        raise BridgeError(f"a dummy makes no bridge from {source} to {sink}")

    def get_bridge_with_id(self, bridge_id: int) -> Bridge:
        raise BridgeError(f"a dummy has no bridge {bridge_id}")

    def get_all_bridges(self) -> tuple[int, ...]:
        return ()

    def close(self) -> None:
        pass


class _InertFactory(_RaisingFactory):
    def create_bridge(self, source: ExternalEndpoint, sink: ExternalEndpoint) -> tuple[Bridge, int]:
        return _InertBridge(source, sink), 0

    def get_bridge_with_id(self, bridge_id: int) -> Bridge:
        raise BridgeNotFound(f"a dummy has no bridge {bridge_id}")


class _InertBridge(Bridge):
    def __init__(self, source: ExternalEndpoint, sink: ExternalEndpoint) -> None:
        self._points = source, sink

    @property
    def end_point_receiver(self) -> ExternalEndpoint:
        return self._points[1]

    @property
    def end_point_sender(self) -> ExternalEndpoint:
        return self._points[0]

    def start_bridge(self) -> None:
        pass

    def stop_bridge(self) -> None:
        pass

    def get_status(self) -> BridgeStatus:
        return BridgeStatus.STOPPED

    def destroy(self) -> None:
        pass


def with_data(made: StructuredEvent, change: Callable[[tuple[Property, ...]], tuple[Property, ...]]) -> StructuredEvent:
    """Return an event with other filterable data."""
    return replace(made, filterable_data=change(made.filterable_data))


def with_header(
    made: StructuredEvent, change: Callable[[tuple[Property, ...]], tuple[Property, ...]]
) -> StructuredEvent:
    """Return an event with another variable header."""
    return replace(made, header=replace(made.header, variable_header=change(made.header.variable_header)))


def with_fixed(
    made: StructuredEvent, *, domain: str | None = None, type_: str | None = None, name: str | None = None
) -> StructuredEvent:
    """Return an event with other parts in its fixed header."""
    fixed = made.header.fixed_header
    kind = fixed.event_type
    kind = replace(
        kind,
        domain_name=kind.domain_name if domain is None else domain,
        type_name=kind.type_name if type_ is None else type_,
    )
    fixed = replace(fixed, event_type=kind, event_name=fixed.event_name if name is None else name)
    return replace(made, header=replace(made.header, fixed_header=fixed))


def changed(name: str, change: Callable[[Any_], Any_ | None]) -> Callable[[tuple[Property, ...]], tuple[Property, ...]]:
    """Return a change of the items with a name; None drops them."""

    def change_all(items: tuple[Property, ...]) -> tuple[Property, ...]:
        found = ((each, change(each.value) if each.name == name else each.value) for each in items)
        return tuple(Property(each.name, value) for each, value in found if value is not None)

    return change_all
