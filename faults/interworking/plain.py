"""Channels of the dummies: those of the kit without what is optional, so that a dummy passes no row on the channel either."""

from __future__ import annotations

from typing import Any

from faults.interworking.registry import PROXIES, PlainChannels
from reference_bridge.channel import StandInFactory
from reference_bridge.channel.acknowledged import Heard, Kept
from tck.api import Clock


class _NoKept(Kept):
    @property
    def on(self) -> bool:
        return False


class _NoHeard(Heard):
    @property
    def on(self) -> bool:
        return False


class _Plain:
    keeping: Any = _NoKept
    hearing: Any = _NoHeard


def plain_channels(clock: Clock) -> StandInFactory:
    """Return a factory of channels that take the properties of acknowledgment and do nothing with them."""
    factory = PlainChannels(clock)
    for proxy in PROXIES:
        factory.kinds[proxy] = type(proxy.__name__, (_Plain, proxy), {})
    return factory
