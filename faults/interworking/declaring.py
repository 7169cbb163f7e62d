"""How faults of bridges and of their channel are declared, what opens them, and what several of them share."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, Final

from faults.kit.declaring import AUTHORS, BRIDGES, BROAD, NARROW, Fault, declared
from reference_interworking.bridge.converter import ReferenceConverter
from reference_interworking.bridge.factory import PARTS, ReferenceFactory
from reference_interworking.channel import StandInFactory
from reference_interworking.channel.consumers import (
    AnyTaking,
    Consuming,
    SequencePulling,
    SequenceTaking,
    StructuredPulling,
    StructuredTaking,
)
from reference_interworking.channel.suppliers import (
    SequencePulled,
    SequencePushing,
    StructuredPulled,
    StructuredPushing,
    Supplying,
)
from reference_interworking.channel.transacted import Stored, Taken
from tck import api as jms
from tck.interworking import Any_, Converted, Converter, Property, StructuredEvent
from tck.interworking.bridge import BridgeFactory
from tck.interworking.channel import ChannelFactory
from tck.interworking.transactions import Current

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


@dataclass(frozen=True, slots=True)
class BridgeChanges:
    """What a broken converter, bridge or channel does otherwise; None for nothing.

    Attributes:
        of_event: Changes the event that a message became; gets the message first.
        of_given: Changes an event before it becomes a message.
        of_message: Changes the message that an event became; gets the event and the session first.
        of_read: Changes what the decoder gives.
        of_object: Changes the object that octets became.
        expired: What has expired is carried too.
        parts: What stands for parts of every bridge, or for `ReferenceBridge` itself.
        of_factory: Changes the factory of bridges.
        channel_mixins: Mixed into the proxies of the channel, each into its kind and those below it.
        of_channels: Changes the factory of channels.
    """

    of_event: Callable[[jms.Message, StructuredEvent], StructuredEvent | None] | None = None
    of_given: Callable[[StructuredEvent], StructuredEvent] | None = None
    of_message: Callable[[StructuredEvent, jms.Session, Converted], Converted | None] | None = None
    of_read: Callable[[Any_], Any_] | None = None
    of_object: Callable[[object], object] | None = None
    expired: bool = False
    parts: Mapping[type, type] = field(default_factory=dict)
    of_factory: Callable[[ReferenceFactory], None] | None = None
    channel_mixins: Mapping[type, type] = field(default_factory=dict)
    of_channels: Callable[[StandInFactory], None] | None = None


By = Callable[[Any], BridgeChanges]


def _declaring(changes: BridgeChanges | None, at: str, by: By | None, fields: dict[str, Any], make: Any) -> Any:
    """Declare at once, or return a decorator: what it decorates is a field of the changes, what a helper makes changes of, or a part."""
    if changes or fields:
        return make(changes or BridgeChanges(**fields))

    def declare_made(made: Any) -> Any:
        make(by(made) if by else BridgeChanges(**{at: made} if at else {"parts": standing(made)}))
        return made

    return declare_made


def declare(
    rows: str, title: str, changes: BridgeChanges | None = None, *, at: str = "", by: By | None = None, **fields: Any
) -> Any:
    """Declare a broad fault for one row, or for several that say the same: it breaks them wherever they apply.

    Args:
        rows: The ids, separated by spaces.
        title: What the broken bridge does.
        changes: What it does otherwise; `fields` are those of `BridgeChanges` and say the same.
        at: The field of `BridgeChanges` whose value is the decorated function or class.
        by: A helper that makes the changes of what is decorated. With none of these, the class stands for a part of a
            bridge, from which it is derived.
        **fields: See `changes`.

    Raises:
        ValueError: A row has one already.
    """

    def make(made: BridgeChanges) -> None:
        for row in rows.split():
            declared(Fault(row, title, (row,), kind=BROAD, bridge=made))

    return _declaring(changes, at, by, fields, make)


def nearly_right(
    name: str,
    title: str,
    *rows: str,
    at: str = "",
    by: By | None = None,
    origin: str = AUTHORS,
    witness: Callable[[Any], object] | None = None,
    expected: object = None,
    **fields: Any,
) -> Any:
    """Declare a narrow fault, which shows under some condition only; see `declare`.

    Args:
        name: Words joined by hyphens that begin with ``bridge-``.
        title: A short sentence: what it does wrong, and when.
        *rows: The rows that it breaks, the one that owns the fault first.
        at: See `declare`.
        by: See `declare`.
        origin: Where it comes from: the suite's `authors`, a `round` of strangers.
        witness: Sees a fault that the suite does not notice yet: gets the world of `witnessing`, and returns `expected` from
            a sound one only.
        expected: See `witness`.
        **fields: See `declare`.

    Raises:
        ValueError: The name is taken, or does not begin with ``bridge-``.
    """
    if not name.startswith("bridge-"):
        raise ValueError(f"{name}: names of narrow faults of bridges begin with bridge-")

    def make(made: BridgeChanges) -> None:
        shown = {"witness": witness, "expected": expected}
        declared(Fault(name, title, rows, kind=NARROW, origin=origin, bridge=made, **shown))  # type: ignore[arg-type]

    return _declaring(None, at, by, fields, make)


round_12 = partial(nearly_right, origin="round 12")
round_13 = partial(nearly_right, origin="round 13")


# -- what opens a fault ------------------------------------------------------------------------------------------------


class Broken(ReferenceConverter):
    """The reference converter with a fault."""

    def __init__(self, changes: BridgeChanges) -> None:
        super().__init__()
        self._changes = changes

    def to_event(self, message: jms.Message, now: int) -> StructuredEvent | None:
        """Return the event, changed by the fault."""
        made = super().to_event(message, 0 if self._changes.expired else now)
        change = self._changes.of_event
        return made if made is None or change is None else change(message, made)

    def to_message(self, event: StructuredEvent, session: jms.Session, now: int) -> Converted | None:
        """Return the message, changed by the fault."""
        given = self._changes.of_given(event) if self._changes.of_given else event
        made = super().to_message(given, session, now)
        change = self._changes.of_message
        return made if made is None or change is None else change(given, session, made)

    def decode(self, name: str, message: jms.Message) -> Any_:
        """Return the value, changed by the fault."""
        value = super().decode(name, message)
        return self._changes.of_read(value) if self._changes.of_read else value

    def read_object(self, octets: bytes) -> object:
        """Return the object, changed by the fault."""
        value = super().read_object(octets)
        return self._changes.of_object(value) if self._changes.of_object else value


def open_converter(fault: Fault) -> Converter:
    """Return a converter with the fault."""
    return Broken(fault.bridge)


def open_factory(fault: Fault, channels: ChannelFactory, provider: jms.Provider) -> BridgeFactory:
    """Return a factory of bridges with the fault."""
    changes: BridgeChanges = fault.bridge
    factory = ReferenceFactory(channels, provider, partial(open_converter, fault))
    factory.parts |= changes.parts
    if changes.of_factory is not None:
        changes.of_factory(factory)
    return factory


def open_channels(fault: Fault, clock: jms.Clock) -> ChannelFactory:
    """Return a factory of stand-in channels with the fault."""
    changes: BridgeChanges = fault.bridge
    factory = StandInFactory(clock)
    for proxy in PROXIES:
        mixins = [mixin for base, mixin in changes.channel_mixins.items() if issubclass(proxy, base)]
        if mixins:
            factory.kinds[proxy] = type(proxy.__name__, (*mixins, proxy), {})
    if changes.of_channels is not None:
        changes.of_channels(factory)
    return factory


def opening(name: str) -> Callable[..., Converter | BridgeFactory | ChannelFactory] | None:
    """Return what opens a fault by the name that a profile has for it, see `faults.interworking`; None if there is none."""
    bare = name.removesuffix("_factory").removesuffix("_channels")
    words = bare.split("_")
    row = f"iw-{'.'.join(words[1:-1])}-{words[-1]}"
    found = BRIDGES.get(row if words[0] == "iw" else bare.replace("_", "-"))
    opens = {"": open_converter, "_factory": open_factory, "_channels": open_channels}[name.removeprefix(bare)]
    return found and partial(opens, found)


# -- helpers for `by`: changes by what is decorated --------------------------------------------------------------------


def standing(*made: type) -> dict[Any, type]:
    """Return classes by the parts of bridges that they are derived from and stand for."""
    found = {next((base for base in each.__mro__ if base in PARTS), None): each for each in made}
    if None in found:
        raise TypeError(f"{found[None]} is derived from no part of bridges: see PARTS")
    return found


def creating(made: Callable[..., Any]) -> BridgeChanges:
    """A function is called in place of `create_bridge`: that first, then source and sink."""
    return BridgeChanges(
        of_factory=lambda factory: setattr(factory, "create_bridge", partial(made, factory.create_bridge))
    )


def keeping(made: type, *bases: type) -> BridgeChanges:
    """A class stands for what the channel's proxies for consumers, or those of some kinds, keep."""
    return into(*(bases or (Supplying,)))(type("Keeping", (), {"keeping": made}))


def hearing(made: type, *bases: type) -> BridgeChanges:
    """A class stands for what the channel's proxies for suppliers, or those of some kinds, have heard."""
    return into(*(bases or (Consuming,)))(type("Hearing", (), {"hearing": made}))


def into(*bases: type) -> By:
    """A class is mixed into the channel's proxies of some kinds."""
    return lambda made: BridgeChanges(channel_mixins=dict.fromkeys(bases, made))


def in_place(made: type) -> BridgeChanges:
    """A class stands for the change of a transaction that it is derived from."""
    base = Taken if issubclass(made, Taken) else Stored
    return BridgeChanges(of_channels=lambda factory: factory.kinds.__setitem__(base, made))


def filtering(made: Any) -> BridgeChanges:
    """A class stands for that which makes the filters of channels."""
    return BridgeChanges(of_channels=lambda factory: setattr(factory, "filters", made))


def each_channel(made: Callable[..., Any]) -> BridgeChanges:
    """A function changes each channel that is made."""

    def make(create: Callable[..., Any], *qualities: Any) -> Any:
        channel, number = create(*qualities)
        made(channel)
        return channel, number

    return BridgeChanges(
        of_channels=lambda factory: setattr(factory, "create_channel", partial(make, factory.create_channel))
    )


class Passing:
    """A transaction service that is that of the case."""

    def __init__(self, inner: Current) -> None:
        self.inner = inner

    def __getattr__(self, name: str) -> Any:
        return getattr(self.inner, name)


def served_by(made: type[Passing]) -> BridgeChanges:
    """A class stands for the channel's access to the transaction service."""

    def change(factory: Any) -> None:
        use = factory.use_transactions
        factory.use_transactions = lambda current: use(made(current))

    return BridgeChanges(of_channels=change)


# -- changes of events -------------------------------------------------------------------------------------------------


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
