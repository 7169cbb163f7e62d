"""The factory of bridges: which combinations of end points there are, and what is made for each."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final, TypeAlias

from reference_interworking.bridge.acknowledging import Consuming, Supplying
from reference_interworking.bridge.applications import Awaiting
from reference_interworking.bridge.at_channel import PulledFrom, Pulling, PushedTo, Pushing
from reference_interworking.bridge.at_jms import Holding, Listening, Receiving, Sending
from reference_interworking.bridge.bridges import ReferenceBridge, Way
from reference_interworking.bridge.carrying import Asking, Carrier
from reference_interworking.bridge.connecting import connection_factory
from reference_interworking.bridge.converter import ReferenceConverter
from reference_interworking.bridge.transacting import Transacting, Untransacted
from tck import api as jms
from tck.interworking import Converter
from tck.interworking.bridge import (
    Bridge,
    BridgeFactory,
    BridgeNotFound,
    DestinationType,
    EndpointError,
    EndpointErrorCode,
    EndpointRole,
    ExternalEndpoint,
    FlowStyle,
    InvalidExternalEndPoints,
    JMSDestination,
    MessageType,
    StyleNotOffered,
)
from tck.interworking.channel import ChannelFactory
from tck.interworking.qos import ChannelNotFound
from tck.interworking.transactions import Current

_Combination: TypeAlias = tuple[bool, FlowStyle, FlowStyle]
"""Whether the source is a channel, its style, and that of the sink."""

WAYS: Final[Mapping[_Combination, tuple[type, ...]]] = MappingProxyType(
    {
        (True, FlowStyle.PUSH, FlowStyle.PUSH): (PushedTo, Sending, Consuming, Transacting),
        (True, FlowStyle.PULL, FlowStyle.PUSH): (Pulling, Sending, Consuming, Untransacted, Asking),
        (False, FlowStyle.PUSH, FlowStyle.PUSH): (Pushing, Listening, Supplying, Untransacted),
        (False, FlowStyle.PULL, FlowStyle.PUSH): (Pushing, Receiving, Supplying, Untransacted, Asking),
        (False, FlowStyle.PULL, FlowStyle.PULL): (PulledFrom, Receiving, Supplying, Transacting),
        (False, FlowStyle.PUSH, FlowStyle.PULL): (PulledFrom, Holding, Supplying, Transacting),
    }
)
"""What bridges are made of: the ends at the channel and at JMS, the delivery, the unit of work, and, where they ask, what does. All are offered."""
CONSISTENT: Final = frozenset(WAYS)
"""The combinations that the document allows."""
PARTS: Final = frozenset(part for way in WAYS.values() for part in way) | {Carrier, Awaiting, ReferenceBridge}
"""All parts of bridges, each of which another class can stand for."""


class ReferenceFactory(BridgeFactory):
    """Makes bridges between the channels of one factory and the destinations of one provider."""

    def __init__(
        self, channels: ChannelFactory, provider: jms.Provider, converter: Callable[[], Converter] = ReferenceConverter
    ) -> None:
        self.ways = dict(WAYS)
        self.parts: dict[type, Any] = {part: part for part in PARTS}  # what stands for each
        self._mode = jms.JMSContext.AUTO_ACKNOWLEDGE
        self._channels, self._provider, self._converter = channels, provider, converter
        self._lock = threading.Lock()
        self._bridges: dict[int, ReferenceBridge] = {}
        self._last = 0
        self._current: Current | None = None

    def use_transactions(self, current: Current) -> None:
        """Let bridges that are made from now on use transactions."""
        self._current = current

    def create_bridge(self, source: ExternalEndpoint, sink: ExternalEndpoint) -> tuple[Bridge, int]:
        """Make a bridge; see `CONSISTENT` and `WAYS`."""
        errors = [
            *self._errors(source, EndpointRole.SOURCE),
            *self._errors(sink, EndpointRole.SINK),
        ]
        of_channel = isinstance(source.connector, int)
        if of_channel == isinstance(sink.connector, int) or (of_channel, source.style, sink.style) not in CONSISTENT:
            mismatch = EndpointErrorCode.MISMATCH_ENDPOINTROLE_NOTIFSTYLE
            errors += [EndpointError(EndpointRole.SOURCE, mismatch), EndpointError(EndpointRole.SINK, mismatch)]
        if errors:
            raise InvalidExternalEndPoints(*errors)
        way = self.ways.get((of_channel, source.style, sink.style))
        if way is None:
            raise StyleNotOffered(f"no bridges from {source.style.name} to {sink.style.name} of this kind are made")
        with self._lock:
            self._last += 1
            number = self._last
        given = self._channels, self._provider, self._converter()
        bridge: ReferenceBridge = self.parts[ReferenceBridge](self._made_of(way), source, sink, *given)
        bridge.on_destroy = lambda: self._forget(number)
        with self._lock:
            self._bridges[number] = bridge
        return bridge, number

    def _made_of(self, way: tuple[type, ...]) -> Way:
        """Return what makes the parts of a bridge; which they are is chosen by the way, the session mode and the transaction service."""
        channel, jms_end, delivery, unit, *asking = (self.parts[each] for each in way)
        current, wait = self._current, self._mode == jms.JMSContext.CLIENT_ACKNOWLEDGE

        def delivering(bridge: ReferenceBridge) -> Any:  # noqa: ANN401 - one of two kinds
            of_bridge = bridge.proxy, bridge.provider.clock
            if Supplying in way:
                return delivery(*of_bridge)
            return delivery(*of_bridge, bridge.carrier.carry, self.parts[Awaiting]() if wait else None)

        return Way(channel, jms_end, delivering, lambda bridge: unit(bridge, current), self.parts[Carrier], *asking)

    def _errors(self, point: ExternalEndpoint, role: EndpointRole) -> list[EndpointError]:
        """Return what is invalid in one end point."""
        if point.role != role:
            return [EndpointError(role, EndpointErrorCode.MISMATCH_ENDPOINTROLE_NOTIFSTYLE)]
        if isinstance(point.connector, JMSDestination):
            named = point.connector.name and isinstance(point.connector.type, DestinationType)
            fits = named and point.type == MessageType.JMS_MESSAGE and self._has_factory(point.connector)
            return [] if fits else [EndpointError(role, EndpointErrorCode.INVALID_JMSDESTINATION)]
        try:
            self._channels.get_channel(point.connector)
        except ChannelNotFound:
            return [EndpointError(role, EndpointErrorCode.INVALID_CHANNELID)]
        if point.type == MessageType.JMS_MESSAGE:
            return [EndpointError(role, EndpointErrorCode.MISMATCH_ENDPOINTROLE_NOTIFSTYLE)]
        return []

    def _has_factory(self, place: JMSDestination) -> bool:
        try:
            connection_factory(self._provider, place)
        except LookupError:
            return False
        return True

    def get_bridge_with_id(self, bridge_id: int) -> Bridge:
        """Return a bridge."""
        with self._lock:
            found = self._bridges.get(bridge_id)
        if found is None:
            raise BridgeNotFound(f"no bridge has the id {bridge_id}")
        return found

    def get_all_bridges(self) -> tuple[int, ...]:
        """Return the ids, oldest first."""
        with self._lock:
            return tuple(self._bridges)

    def use_session_mode(self, mode: int) -> None:
        """Let bridges from now on wait for applications with CLIENT_ACKNOWLEDGE, and with other modes not."""
        self._mode = mode

    def messages_acknowledged(self, message_ids: Sequence[str]) -> None:
        """Tell the bridges which messages applications have acknowledged."""
        with self._lock:
            bridges = tuple(self._bridges.values())
        for each in bridges:
            each.delivery.acknowledged(message_ids)

    def close(self) -> None:
        """Destroy all bridges."""
        for number in self.get_all_bridges():
            self.get_bridge_with_id(number).destroy()

    def _forget(self, number: int) -> None:
        with self._lock:
            self._bridges.pop(number, None)


def open_factory(channels: ChannelFactory, provider: jms.Provider) -> BridgeFactory:
    """Return a factory; profiles of bridges name this function."""
    return ReferenceFactory(channels, provider)
