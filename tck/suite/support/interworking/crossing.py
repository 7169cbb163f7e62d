"""A bridge that runs: the channel and the destination at its ends, a probe at each, and what crosses.

The channel records every call across its border, and the provider's calls are events of the case. An exception of the bridge
breaks the row.
"""

from __future__ import annotations

import contextlib
import copy
import functools
from collections.abc import Callable, Sequence
from typing import Any, Final, TypeVar

from tck import api
from tck.adapters.opening import open_bridges, open_channels
from tck.interworking import StructuredEvent, event
from tck.interworking.bridge import (
    Bridge,
    BridgeFactory,
    BridgeStatus,
    DestinationType,
    EndpointRole,
    ExternalEndpoint,
    FlowStyle,
    InvalidExternalEndPoints,
    JMSDestination,
    MessageType,
    StatusNotOffered,
    StyleNotOffered,
)
from tck.interworking.channel import Channel, ClientType, ProxyConsumer, ProxySupplier, ProxyType
from tck.interworking.clients import StructuredPushConsumer
from tck.interworking.qos import FIFO_ORDER, ORDER_POLICY, Properties, PropertiesRefused
from tck.profile import load_bridge
from tck.suite.support import expect
from tck.suite.support.case import Case
from tck.suite.support.clients.link import Link
from tck.suite.support.harness.outcome import Broken, Undecided, Unsupported
from tck.suite.support.interworking.bridging import body
from tck.suite.support.interworking.recorded import Call, RecordedFactory, recorded

CONNECTING: Final = tuple(
    f"{kind}ConnectionFactory.create_{word}connection"
    for kind, word in (("", ""), ("Queue", "queue_"), ("Topic", "topic_"))
)
"""The calls that make connections, by whichever interface."""
OPENING: Final = (
    "Connection.create_session",
    "QueueConnection.create_queue_session",
    "TopicConnection.create_topic_session",
)
"""The calls that make sessions."""
PRODUCING: Final = ("Session.create_producer", "QueueSession.create_sender", "TopicSession.create_publisher")
"""The calls that make producers."""
RECEIVING: Final = tuple(
    f"{kind}.{call}"
    for kind in ("MessageConsumer", "QueueReceiver", "TopicSubscriber")
    for call in ("receive", "receive_no_wait")
)
"""The calls that ask for a message."""
LISTENING: Final = tuple(f"{kind}.message_listener" for kind in ("MessageConsumer", "QueueReceiver", "TopicSubscriber"))
"""The calls that set a listener, or read which one is set."""

_Value = TypeVar("_Value")
PUSH, PULL = FlowStyle.PUSH, FlowStyle.PULL
"""The styles of end points."""
SOURCE, SINK = EndpointRole.SOURCE, EndpointRole.SINK
"""The roles of end points."""
MESSAGE, STRUCTURED, SEQUENCE = MessageType.JMS_MESSAGE, MessageType.STRUCTURED_EVENT, MessageType.SEQUENCE_EVENT
"""What end points carry."""
GROUPS: Final = (STRUCTURED, SEQUENCE)
"""What an end point on a channel may carry."""
STOPPED, STARTED = BridgeStatus.STOPPED, BridgeStatus.STARTED
"""The states of a bridge."""
WAY: Final = 60_000
"""How long an event may be on its way, in ms of the provider's clock, before a probe gives up."""


class Crossing:
    """The two sides of bridges, and probes on them."""

    def __init__(self, case: Case, qos: Properties | None = None, *, unstable: bool = False) -> None:
        """Open both sides.

        Args:
            case: The case.
            qos: Quality of service of the channel; the defaults of the service hold for the rest.
            unstable: Whether the channel's PriorityOrder mixes events of one priority; unsupported where no such channel is there.
        """
        self.case = case
        profile = self._profile = case.profile.bridge or load_bridge()
        if not profile.runs:
            raise Unsupported(f"the bridge {profile.name} is a converter alone: its profile names no factory")
        self.channels: RecordedFactory = recorded(open_channels(profile, case.provider.clock))
        if unstable and self.channels.stable_priority:
            other = self.channels.unstable()
            if other is None:
                raise Unsupported("the channels of the bridge's profile have no others whose PriorityOrder is unstable")
            self.channels = other
        self.claims = profile.claims
        self.prepare_channels()
        self.channel: Channel
        try:
            self.channel, self.channel_id = self.channels.create_channel(qos or {}, {})
        except PropertiesRefused as error:
            raise Unsupported(f"the channel refuses what the row presumes: {error}") from error
        before = case.link()
        before.carry(before.text("before any bridge"))
        self.place = case.destination()
        self.sender: Link = case.link(destination=self.place, consumes=False)
        """Sends to the destination, and takes nothing from a bridge that reads there."""
        self.factory: BridgeFactory = open_bridges(profile, self.channels, case.provider)
        case.opened(_Closing(self.factory, self.channels))

    def reopened(self) -> BridgeFactory:
        """Return a new factory of bridges on the same channels, as after a restart of the bridge's process."""
        found = open_bridges(self._profile, self.channels, self.case.provider)
        self.case.opened(_Closing(found, self.channels))
        return found

    def beside(self) -> Crossing:
        """Return another channel and destination, between which bridges of the same factory run."""
        other = copy.copy(self)
        other.__dict__.pop("link", None)
        other.channel, other.channel_id = self.channels.create_channel({}, {})
        other.place = self.case.destination()
        other.sender = self.case.link(destination=other.place, consumes=False)
        return other

    def prepare_channels(self) -> None:
        """Hand the factory of channels what it needs before it makes one: here nothing."""

    def claimed(self, *features: str) -> None:
        """End the case as unsupported unless the profile of the bridge claims features; see `tck.profile.bridges.CLAIMS`."""
        for each in features:
            if each not in self.claims:
                raise Unsupported(f"the profile of the bridge does not claim {each}")

    @functools.cached_property
    def link(self) -> Link:
        """A link on the destination that receives what bridges send there."""
        return self.case.link(destination=self.place)

    # -- end points ------------------------------------------------------------------------------------------------

    def destination(self, role: EndpointRole, style: FlowStyle = PUSH) -> ExternalEndpoint:
        """Return the end point of the case's destination."""
        place = self.place
        if isinstance(place, api.Queue):
            named = JMSDestination(DestinationType.QUEUE, place.queue_name or "")
        else:
            named = JMSDestination(DestinationType.TOPIC, getattr(place, "topic_name", "") or "")
        return ExternalEndpoint(role, named, style, MESSAGE)

    def channel_end(
        self, role: EndpointRole, style: FlowStyle = PUSH, type_: MessageType = STRUCTURED
    ) -> ExternalEndpoint:
        """Return the end point of the channel."""
        return ExternalEndpoint(role, self.channel_id, style, type_)

    def to_jms(self, type_: MessageType = STRUCTURED) -> tuple[ExternalEndpoint, ExternalEndpoint]:
        """Return source and sink of a bridge whose channel pushes, once a consumer is there for what it sends."""
        _ = self.link
        return self.channel_end(SOURCE, PUSH, type_), self.destination(SINK)

    def to_channel(
        self, type_: MessageType = STRUCTURED, style: FlowStyle = PUSH
    ) -> tuple[ExternalEndpoint, ExternalEndpoint]:
        """Return source and sink of a bridge from the destination, with one style at both ends."""
        return self.destination(SOURCE, style), self.channel_end(SINK, style, type_)

    # -- bridges ---------------------------------------------------------------------------------------------------

    def bridge(self, points: tuple[ExternalEndpoint, ExternalEndpoint], *, started: bool = True) -> Bridge:
        """Make a bridge, and start it."""
        made = self.calls("create_bridge", lambda: self.factory.create_bridge(*points))[0]
        if started:
            self.calls("start_bridge", made.start_bridge)
        return made

    def offered(self, points: tuple[ExternalEndpoint, ExternalEndpoint], *, started: bool = True) -> Bridge:
        """Make a bridge, and start it; unsupported where the bridge leaves these styles out, as it may (2.2-16)."""
        try:
            made = self.factory.create_bridge(*points)[0]
        except (StyleNotOffered, InvalidExternalEndPoints) as error:
            styles = f"{points[0].style.name} to {points[1].style.name}"
            raise Unsupported(f"the bridge does not offer {styles}: {type(error).__name__}: {error}") from error
        except Exception as error:
            raise Broken(f"create_bridge raised {type(error).__name__}: {error}", expected="a bridge") from error
        if started:
            self.calls("start_bridge", made.start_bridge)
        return made

    def served(self, type_: MessageType = STRUCTURED) -> Bridge:
        """Make a bridge whose channel pulls, and start it; with either style at the destination, as far as it is offered."""
        sink = self.channel_end(SINK, PULL, type_)
        try:
            return self.offered((self.destination(SOURCE, PULL), sink))
        except Unsupported:
            return self.offered((self.destination(SOURCE, PUSH), sink))

    def calls(self, what: str, call: Callable[[], _Value]) -> _Value:
        """Call a bridge; an exception of it breaks the row."""
        try:
            return call()
        except Exception as error:
            raise Broken(f"{what} raised {type(error).__name__}: {error}", expected="no exception") from error

    # -- what the channel has --------------------------------------------------------------------------------------

    def proxy_suppliers(self) -> list[ProxySupplier]:
        """Return the proxies for consumers of all admins: a bridge may use the default one or make its own."""
        admins = [self.channel.get_consumeradmin(each) for each in self.channel.get_all_consumeradmins()]
        return [
            admin.get_proxy_supplier(each)
            for admin in admins
            for each in (*admin.push_suppliers, *admin.pull_suppliers)
        ]

    def proxy_consumers(self) -> list[ProxyConsumer]:
        """Return the proxies for suppliers of all admins."""
        admins = [self.channel.get_supplieradmin(each) for each in self.channel.get_all_supplieradmins()]
        return [
            admin.get_proxy_consumer(each)
            for admin in admins
            for each in (*admin.push_consumers, *admin.pull_consumers)
        ]

    def pulling_proxy(self) -> Any:  # noqa: ANN401 - a proxy that can be suspended
        """Return the newest proxy by which the channel pulls."""
        kinds = (ProxyType.PULL_STRUCTURED, ProxyType.PULL_SEQUENCE)
        found = [each for each in self.proxy_consumers() if each.type in kinds]
        if not found:
            raise Broken("the channel has no proxy that pulls", expected="one of the bridge")
        return found[-1]

    # -- probes ----------------------------------------------------------------------------------------------------

    def supplier(self) -> Any:  # noqa: ANN401 - the proxy of a client that pushes
        """Return a proxy of the channel to push events to."""
        proxy: Any = self.channel.default_supplier_admin.obtain_notification_push_consumer(ClientType.STRUCTURED_EVENT)[
            0
        ]
        proxy.connect_structured_push_supplier(None)
        return proxy

    def supplier_of_batches(self) -> Any:  # noqa: ANN401 - the proxy of a client that pushes batches
        """Return a proxy of the channel to push batches to."""
        proxy: Any = self.channel.default_supplier_admin.obtain_notification_push_consumer(ClientType.SEQUENCE_EVENT)[0]
        proxy.connect_sequence_push_supplier(None)
        return proxy

    def consumer(self) -> Any:  # noqa: ANN401 - the proxy of a client that pulls
        """Return a proxy of the channel to pull events from."""
        proxy: Any = self.channel.default_consumer_admin.obtain_notification_pull_supplier(ClientType.STRUCTURED_EVENT)[
            0
        ]
        if not self.channels.stable_priority:
            proxy.set_qos({ORDER_POLICY: FIFO_ORDER})  # its priority order may mix events of one priority
        proxy.connect_structured_pull_consumer(None)
        return proxy

    def pulled(self, proxy: Any, count: int) -> list[StructuredEvent]:  # noqa: ANN401 - of `consumer`
        """Pull events; what does not come within a minute of the clock breaks the row."""
        found: list[StructuredEvent] = []
        deadline = self.case.now() + WAY
        while len(found) < count:
            each = proxy.try_pull_structured_event()
            if each is not None:
                found.append(each)
            elif self.case.now() >= deadline:
                raise Broken(f"{len(found)} of {count} events reached the channel", expected=f"{count} events")
            else:
                self.case.pass_time(self.case.timing.delay / 10, "an event is on its way through the bridge")
        self.case.witness(f"{len(found)} events reached the channel")
        return found

    def dispatched(self, supplier: Any) -> None:  # noqa: ANN401 - of `supplier`
        """Push an event to a consumer that connects now, and wait until it is there: the channel, which calls its consumers one
        after the other, has called those before it with all that was pushed earlier.
        """
        fence = _Fence(self.case.provider.clock.event())
        proxy: Any = self.channel.default_consumer_admin.obtain_notification_push_supplier(ClientType.STRUCTURED_EVENT)[
            0
        ]
        proxy.connect_structured_push_consumer(fence)
        supplier.push_structured_event(event("d", "t", "fence"))
        if not fence.came.wait(WAY):
            raise Undecided("the channel did not push an event to a consumer of the case")
        proxy.disconnect_structured_push_supplier()

    def received(self, count: int) -> list[api.Message]:
        """Receive messages at the destination; what does not come breaks the row."""
        try:
            return [self.link.receive() for _ in range(count)]
        except Undecided as error:
            raise Broken(f"not all of {count} messages came: {error}", expected=f"{count} messages") from None

    def provider_calls(self, *operations: str) -> int:
        """Return how many calls of the provider with these names have begun, those of the probes too."""
        return len(self.provider_times(*operations))

    def provider_times(self, *operations: str) -> list[int]:
        """Return when calls of the provider with these names have begun, in ms of its clock; unsupported where bridges do not call it."""
        if not self.factory.uses_provider:
            raise Unsupported("the bridge has a JMS client of its own, whose calls are not seen")
        return [
            int(str(each["t_ns"])) // 1_000_000
            for each in self.case.evidence.events
            if each.get("op") in operations and each.get("phase") == "invoke"
        ]

    def connections(self, before: int) -> list[api.Connection]:
        """Return the connections of the provider that were made since there were so many, the newest last; a bridge's can so be severed."""
        recorder: Any = self.case.evidence
        made = [result for name, _, _, _, ended, result in recorder.begun() if name in CONNECTING and ended]
        return made[before:]

    def state(self, bridge: Bridge) -> BridgeStatus:
        """Return the state of a bridge; unsupported where it does not tell."""
        try:
            return bridge.get_status()
        except StatusNotOffered as error:
            raise Unsupported(
                f"the bridge has no get_status, which one of the two IDL files leaves out: {error}"
            ) from error

    def still(self, wanted: BridgeStatus, bridge: Bridge) -> None:
        """Demand a state beside what a row is about, of a bridge that tells it."""
        with contextlib.suppress(Unsupported):
            expect.equal("the state", self.state(bridge), wanted)

    def recorded(self, *operations: str, by_channel: bool | None = None) -> list[Call]:
        """Return the calls across the border of the channel with these names, in order."""
        found = self.channels.calls(*operations)
        return [each for each in found if by_channel is None or each.by_channel is by_channel]


class _Fence(StructuredPushConsumer):
    """Notes that an event has come."""

    def __init__(self, came: api.Event) -> None:
        self.came = came

    def push_structured_event(self, event: StructuredEvent) -> None:  # noqa: ARG002 - whichever it is
        self.came.set()

    def disconnect_structured_push_consumer(self) -> None:
        pass


class _Closing(api.AutoCloseable):
    """Ends the bridges of a case and the channels it has made: a service may have those of others."""

    def __init__(self, factory: BridgeFactory, channels: RecordedFactory) -> None:
        self._factory, self._channels = factory, channels

    def close(self) -> None:
        self._factory.close()
        results: list[Any] = [each.result for each in self._channels.calls("create_channel") if each.result is not None]
        for number in {made for _, made in results}.intersection(self._channels.get_all_channels()):
            self._channels.get_channel(number).destroy()


def numbered(count: int) -> list[StructuredEvent]:
    """Return events whose names are 0, 1, 2 ..."""
    return [event("d", "t", str(each)) for each in range(count)]


def names_of(messages: Sequence[api.Message]) -> list[str | None]:
    """Return the names of the events that messages were."""
    return [each.get_string_property("$event_name") for each in messages]


def texts_of(events: Sequence[StructuredEvent]) -> list[object]:
    """Return the bodies of events."""
    return [each.remainder_of_body.value for each in events]


def crosses_to_jms(crossing: Crossing, count: int = 3) -> None:
    """Push events, and demand that they come at the destination, in order."""
    _ = crossing.link
    supplier = crossing.supplier()
    for each in numbered(count):
        supplier.push_structured_event(each)
    expect.equal(
        "the events at the destination", names_of(crossing.received(count)), [str(each) for each in range(count)]
    )


def crosses_to_channel(crossing: Crossing, count: int = 3) -> None:
    """Send messages, and demand that they come at the channel, in order."""
    consumer = crossing.consumer()
    texts = [str(each) for each in range(count)]
    for text in texts:
        crossing.sender.send(text)
    expect.equal("the messages at the channel", texts_of(crossing.pulled(consumer, count)), texts)


__all__ = [
    "GROUPS",
    "MESSAGE",
    "PULL",
    "PUSH",
    "SEQUENCE",
    "SINK",
    "SOURCE",
    "STARTED",
    "STOPPED",
    "STRUCTURED",
    "Crossing",
    "body",
    "crosses_to_channel",
    "crosses_to_jms",
    "names_of",
    "numbered",
    "texts_of",
]
