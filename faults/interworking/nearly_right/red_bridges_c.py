"""Red round 13: faults of bridges by somebody who has not seen the suite."""

from __future__ import annotations

import weakref
from base64 import b64encode
from dataclasses import replace
from typing import Any, Final

from faults.interworking.nearly_right.registry import nearly_right
from faults.interworking.registry import Faults, changed, with_header
from reference_bridge.factory import ReferenceFactory
from tck import api as jms
from tck.interworking import (
    NULL,
    OCTET_SEQ,
    PROPERTY_SEQ,
    STOP_TIME,
    Any_,
    Kind,
    Property,
    StructuredEvent,
    TypeCode,
    encode,
)
from tck.interworking.bridge import Bridge, ExternalEndpoint, InvalidExternalEndPoints

# -- mapping -----------------------------------------------------------------------------------------------------------


def _to_zone(given: Any_) -> Any_:
    value = given.value
    if not isinstance(value, tuple) or len(value) != 4:
        return given
    return Any_(given.type, (max(0, value[0] + value[3] * 600_000_000), *value[1:]))


nearly_right(
    "bridge-stop-time-in-its-zone",
    "A StopTime with a displacement (tdf) is shifted by it, though the time of a UtcT is universal already.",
    "iw-2.5.5-1 iw-2.5-1",
    Faults(of_given=lambda event: with_header(event, changed(STOP_TIME, _to_zone))),
    noticed=False,
)


def _alias_encapsulated(event: StructuredEvent) -> StructuredEvent:
    body = event.remainder_of_body
    if body.type.kind == Kind.ALIAS and body.type.plain == OCTET_SEQ:
        return replace(event, remainder_of_body=Any_.octets(encode(body)))
    return event


nearly_right(
    "bridge-typedef-of-octets-encapsulated",
    "A body that is an octet sequence under a typedef becomes its encapsulation with the type, not the same bytes.",
    "iw-2.4.2-43 iw-2.4.2-5",
    Faults(of_given=_alias_encapsulated),
    noticed=False,
)


def _empty_is_none(event: StructuredEvent) -> StructuredEvent:
    body = event.remainder_of_body
    return replace(event, remainder_of_body=NULL) if body.type.plain == PROPERTY_SEQ and not body.value else event


nearly_right(
    "bridge-no-map-of-no-properties",
    "An empty PropertySeq becomes a message without a body, not an empty MapMessage.",
    "iw-2.4.2-42 iw-2.4.2-5",
    Faults(of_given=_empty_is_none),
    noticed=False,
)


def _rounded(value: object) -> object:
    if isinstance(value, bool):
        return value
    if isinstance(value, int):
        return int(float(value)) if 2**53 < abs(value) < 2**1000 else value
    if isinstance(value, jms.Long):
        return jms.Long(min(2**63 - 1, int(float(value.value)))) if abs(value.value) > 2**53 else value
    if isinstance(value, list):
        return [_rounded(each) for each in value]
    if isinstance(value, tuple):
        return tuple(_rounded(each) for each in value)
    return {key: _rounded(each) for key, each in value.items()} if isinstance(value, dict) else value


nearly_right(
    "bridge-object-numbers-as-doubles",
    "Whole numbers beyond 2^53 in an object are rounded to doubles when the octets are read.",
    "iw-2.4.1.1.5-2 iw-2.4-3",
    Faults(of_object=_rounded),
    noticed=False,
)


def _without_empty(_: jms.Message, made: StructuredEvent) -> StructuredEvent:
    body = made.remainder_of_body
    if made.header.fixed_header.event_type.type_name != "%StreamMessage" or not isinstance(body.value, tuple):
        return made
    kept = [each for each in body.value if not (each.type == OCTET_SEQ and not each.value)]
    return replace(made, remainder_of_body=Any_.sequence(*kept))


nearly_right(
    "bridge-empty-bytes-leave-streams",
    "A byte array without bytes is dropped from the items of a stream.",
    "iw-2.4.1.1.2-1 iw-2.4-3",
    Faults(of_event=_without_empty),
)


def _too_deep(type_: TypeCode, level: int = 1) -> bool:
    plain = type_.plain
    return plain.kind == Kind.STRUCT and (level > 2 or any(_too_deep(each, level + 1) for _, each in plain.members))


def _deep_as_text(item: Property) -> Property:
    deep = _too_deep(item.value.type)
    return Property(item.name, Any_.of(Kind.STRING, b64encode(encode(item.value)).decode())) if deep else item


nearly_right(
    "bridge-structs-of-two-levels-only",
    "A struct that holds a struct with a third one in it is carried as complex data, though all its members are basic.",
    "iw-2.4.2-33 iw-2.4.2-30 iw-2.4.2-35",
    Faults(of_given=lambda event: replace(event, filterable_data=tuple(map(_deep_as_text, event.filterable_data)))),
)

# -- life and factory --------------------------------------------------------------------------------------------------


class _StartedFirst:
    """The state is set before the connections are resumed."""

    def start_bridge(self: Any) -> None:
        again = self._connected
        try:
            super().start_bridge()  # type: ignore[misc]
        except InvalidExternalEndPoints:
            self._started = self._started or again
            raise


nearly_right(
    "bridge-started-by-a-failed-restart",
    "A start after a stop that fails, since the channel does not answer, leaves the bridge in the started state.",
    "iw-2.3-20 iw-3.1.2.3-1 iw-2.3-31",
    Faults(mixin=_StartedFirst),
    noticed=False,
)


def _first_only(factory: ReferenceFactory) -> None:
    plain = factory.create_bridge

    def create_bridge(source: ExternalEndpoint, sink: ExternalEndpoint) -> tuple[Bridge, int]:
        try:
            return plain(source, sink)
        except InvalidExternalEndPoints as error:
            if len({each.code for each in error.errors}) > 1:
                raise InvalidExternalEndPoints(error.errors[0]) from None
            raise

    factory.create_bridge = create_bridge  # type: ignore[method-assign]


nearly_right(
    "bridge-factory-stops-at-the-first-error",
    "Of two end points that are invalid for different reasons only the source is reported.",
    "iw-3.1.3.1-5 iw-3.1.3.1-4",
    Faults(of_factory=_first_only),
    noticed=False,
)

_STARTED: Final[weakref.WeakSet[Any]] = weakref.WeakSet()


class _Shared:
    """One connection for all bridges of a destination."""

    def start_bridge(self: Any) -> None:
        super().start_bridge()  # type: ignore[misc]
        _STARTED.add(self)

    def stop_bridge(self: Any) -> None:
        super().stop_bridge()  # type: ignore[misc]
        _STARTED.discard(self)
        for other in list(_STARTED):
            if other._provider is self._provider and other._place == self._place and other._active:
                other._connection.stop()

    def destroy(self: Any) -> None:
        _STARTED.discard(self)
        super().destroy()  # type: ignore[misc]


nearly_right(
    "bridge-stops-the-connection-of-others",
    "A stop of one bridge stops the JMS connection of the other bridges of the same destination too.",
    "iw-2.3-2 iw-2.3-21 iw-2.3-31",
    Faults(mixin=_Shared),
    noticed=False,
)


class _NamedWithoutChannel:
    @property
    def _own_name(self: Any) -> str:
        return f"bridge-{self._place.name}-{self._proxy.admin.id}-{self._proxy.id}"


nearly_right(
    "bridge-durable-name-without-channel",
    "Durable subscriptions are named by topic and proxy, so that bridges from one topic to two channels have the same.",
    "iw-2.5.2-4 iw-2.3-2",
    Faults(mixin=_NamedWithoutChannel),
    noticed=False,
)
