"""Keeps bridges running between one channel and destinations: opens, watches, resumes after a loss, and ends them.

A bridge that has lost its provider is started again: its proxy on the channel stays, with the events that wait there. One whose proxy
is gone is made anew. Where the channel itself is gone, the service is opened once more by its reference.
"""

from __future__ import annotations

import contextlib
import itertools
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from tck.interworking.bridge import (
    Bridge,
    BridgeFactory,
    BridgeStatus,
    EndpointErrorCode,
    EndpointRole,
    ExternalEndpoint,
    FlowStyle,
    InvalidExternalEndPoints,
    JMSDestination,
    MessageType,
)
from tck.interworking.channel import Channel, ChannelFactory
from tck.interworking.qos import ChannelError
from tck.profile.errors import ProviderUnreachable

WATCH: Final = 1.0
"""Seconds from one look at the bridges to the next: a lost channel tells nobody."""
FIRST, LONGEST = 0.5, 10.0
"""Seconds between the attempts to resume: the first pause, doubled each time, and the longest."""


@dataclass(frozen=True, slots=True)
class Ends:
    """Between what bridges run.

    Attributes:
        channel_id: The channel; None for one that is made.
        destinations: One for each direction, `jms` or `channel`.
        style: Who makes the calls at the channel.
        type: Events, or sequences of them.
    """

    channel_id: int | None
    destinations: dict[str, JMSDestination]
    style: FlowStyle
    type: MessageType

    def points(self, direction: str, channel: int) -> tuple[ExternalEndpoint, ExternalEndpoint]:
        """Return source and sink of a direction."""
        place, message, style = self.destinations[direction], MessageType.JMS_MESSAGE, self.style
        source, sink = EndpointRole.SOURCE, EndpointRole.SINK
        if direction == "jms":
            return ExternalEndpoint(source, channel, style, self.type), ExternalEndpoint(
                sink, place, FlowStyle.PUSH, message
            )
        return ExternalEndpoint(source, place, style, message), ExternalEndpoint(sink, channel, style, self.type)


class Keeper:
    """Bridges, and what they have gone through.

    Args:
        ends: What they connect.
        channels: Opens the service, again after a loss.
        bridges: Opens the factory of bridges on it.
        say: Shows a line to the user.

    Attributes:
        attempts: After how many a loss is given up; None for never.
    """

    attempts: int | None = None

    def __init__(
        self,
        ends: Ends,
        channels: Callable[[], ChannelFactory],
        bridges: Callable[[ChannelFactory], BridgeFactory],
        say: Callable[[str], None],
    ) -> None:
        self.ends, self._open_channels, self._open_bridges = ends, channels, bridges
        self._say = say
        self._channel: Channel | None = None
        self._factory: BridgeFactory | None = None
        self.bridges: dict[str, tuple[Bridge, int]] = {}
        self.channel_id = -1
        self.losses = self.restarts = 0

    def open(self) -> None:
        """Find or make the channel, make the bridges and start them; where that fails nothing stays.

        Raises:
            AdapterError: The service does not answer.
            ChannelError: The channel does not exist, or fails.
            BridgeError: A bridge cannot be made.
        """
        channels = self._open_channels()
        try:
            if self.ends.channel_id is None:
                self._channel, self.channel_id = channels.create_channel({}, {})
            else:
                self._channel, self.channel_id = channels.get_channel(self.ends.channel_id), self.ends.channel_id
            self._factory = self._open_bridges(channels)
            for each in self.ends.destinations:
                self._make(each)
        except BaseException:
            self.close()
            raise

    def _make(self, direction: str) -> None:
        assert self._factory is not None  # noqa: S101 - opened before
        self.bridges[direction] = self._factory.create_bridge(*self.ends.points(direction, self.channel_id))
        self.bridges[direction][0].start_bridge()

    def close(self, *, keep: bool = False) -> None:
        """Stop the bridges, and destroy them and a channel that was made here, unless they are to be kept."""
        for bridge, _ in self.bridges.values():
            with contextlib.suppress(Exception):  # a side may be gone
                bridge.stop_bridge()
        if keep:
            return
        self.bridges.clear()
        factory, self._factory = self._factory, None
        channel, self._channel = self._channel, None
        with contextlib.suppress(Exception):
            if factory is not None:
                factory.close()
        with contextlib.suppress(Exception):
            if channel is not None and self.ends.channel_id is None:
                channel.destroy()

    def loss(self) -> str:
        """Name the side that is lost; empty while data is carried."""
        if error := self._channel_lost():
            return f"channel {self.channel_id} ({error})"
        stopped = self._stopped()
        return f"a connection of the bridge to {' and '.join(stopped)}" if stopped else ""

    def _channel_lost(self) -> str:
        """Return what the channel answers in place of its properties."""
        try:
            if self._channel is None:
                return "not opened again yet"
            self._channel.get_qos()
        except ChannelError as error:
            return f"{type(error).__name__}: {error}"
        return ""

    def _stopped(self) -> list[str]:
        """Return the directions in which nothing is carried."""
        made = {name: bridge.get_status() for name, (bridge, _) in self.bridges.items()}
        return [each for each in self.ends.destinations if made.get(each) is not BridgeStatus.STARTED]

    def mend(self) -> None:
        """Resume the lost side; where that raises, it is still lost."""
        if self._channel_lost():
            self.close()
            self.open()
        for direction in self._stopped():
            if direction in self.bridges and self._starts(self.bridges[direction][0]):
                continue
            if made := self.bridges.pop(direction, None):
                with contextlib.suppress(Exception):
                    made[0].destroy()
            self._make(direction)

    def _starts(self, bridge: Bridge) -> bool:
        """Start a bridge again; return False if its connection to the channel has ended, which a new bridge needs."""
        try:
            bridge.start_bridge()
        except InvalidExternalEndPoints as error:
            if all(each.code != EndpointErrorCode.INVALID_CHANNELID for each in error.errors):
                raise
            return False
        return True

    def watch(self, wait: Callable[[float], None]) -> None:
        """Watch the bridges until `wait`, which is given seconds, raises.

        Raises:
            ProviderUnreachable: All attempts have failed.
        """
        while True:
            wait(WATCH)
            if lost := self.loss():
                self.losses += 1
                self._say(f"tck: lost {lost}; trying again")
                tried = self._resume(wait)
                self.restarts += 1
                self._say(f"tck: resumed at attempt {tried}: {self}")

    def _resume(self, wait: Callable[[float], None]) -> int:
        """Try until it runs again, and return at which attempt that was."""
        pause = FIRST
        for tried in itertools.count(1):
            try:
                self.mend()
            except Exception as error:
                if tried == self.attempts:
                    raise ProviderUnreachable(
                        f"not resumed in {tried} attempts: {error}; start the lost side"
                    ) from error
            else:
                return tried
            wait(pause)
            pause = min(2 * pause, LONGEST)
        raise AssertionError

    def __str__(self) -> str:
        ways = []
        for direction, (_, number) in self.bridges.items():
            place = self.ends.destinations[direction]
            there, channel = f"{place.type.name.lower()}:{place.name}", f"channel {self.channel_id}"
            source, sink = (channel, there) if direction == "jms" else (there, channel)
            ways.append(f"bridge {number} from {source} to {sink}")
        return ", ".join(ways)
