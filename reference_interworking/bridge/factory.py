"""The factory of bridges: which combinations of end points there are, and what is made for each."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Final, TypeAlias

from reference_interworking.bridge.applications import Awaiting, ForApplications, for_applications
from reference_interworking.bridge.bridges import ReferenceBridge
from reference_interworking.bridge.connecting import connection_factory
from reference_interworking.bridge.converter import ReferenceConverter
from reference_interworking.bridge.polling import PulledToJms, ReceivedToChannel
from reference_interworking.bridge.pulled import Buffered
from reference_interworking.bridge.transacting import (
    TransactedFromJms,
    TransactedToJms,
    Transacting,
    UntransactedToChannel,
)
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

CONSISTENT: Final[frozenset[_Combination]] = frozenset(
    {
        (True, FlowStyle.PUSH, FlowStyle.PUSH),
        (True, FlowStyle.PULL, FlowStyle.PUSH),
        (False, FlowStyle.PUSH, FlowStyle.PUSH),
        (False, FlowStyle.PUSH, FlowStyle.PULL),
        (False, FlowStyle.PULL, FlowStyle.PUSH),
        (False, FlowStyle.PULL, FlowStyle.PULL),
    }
)
"""The combinations that the document allows."""

OFFERED: Final[Mapping[_Combination, type[ReferenceBridge]]] = MappingProxyType(
    {
        (True, FlowStyle.PUSH, FlowStyle.PUSH): TransactedToJms,
        (False, FlowStyle.PUSH, FlowStyle.PUSH): UntransactedToChannel,
        (False, FlowStyle.PULL, FlowStyle.PULL): TransactedFromJms,
        (True, FlowStyle.PULL, FlowStyle.PUSH): PulledToJms,
        (False, FlowStyle.PULL, FlowStyle.PUSH): ReceivedToChannel,
        (False, FlowStyle.PUSH, FlowStyle.PULL): Buffered,
    }
)
"""Those that this factory offers: all, unless a fault takes some away."""


class ReferenceFactory(BridgeFactory):
    """Makes bridges between the channels of one factory and the destinations of one provider."""

    def __init__(
        self, channels: ChannelFactory, provider: jms.Provider, converter: Callable[[], Converter] = ReferenceConverter
    ) -> None:
        self.kinds = dict(OFFERED)
        self.awaiting = Awaiting
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
        """Make a bridge; see `CONSISTENT` and `OFFERED`."""
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
        made = self.kinds.get((of_channel, source.style, sink.style))
        if made is None:
            raise StyleNotOffered(f"no bridges from {source.style.name} to {sink.style.name} of this kind are made")
        with self._lock:
            self._last += 1
            number = self._last
        if self._mode == jms.JMSContext.CLIENT_ACKNOWLEDGE:
            made = for_applications(made, self.awaiting)
        bridge = made(source, sink, self._channels, self._provider, self._converter())
        if isinstance(bridge, Transacting):
            bridge.current = self._current
        bridge.on_destroy = lambda: self._forget(number)
        with self._lock:
            self._bridges[number] = bridge
        return bridge, number

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
            if isinstance(each, ForApplications):
                each.acknowledging.acknowledged(message_ids)

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
