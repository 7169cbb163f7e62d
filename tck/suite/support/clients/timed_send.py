"""Sends with their times on the provider's clock, in milliseconds since the epoch."""

from __future__ import annotations

from dataclasses import dataclass

from tck import api
from tck.suite.support.clients.link import Link
from tck.suite.support.harness.current import current_case


@dataclass(frozen=True, slots=True)
class Sending:
    """The times at which a send was called and returned."""

    called: int
    returned: int

    def holds(self, stamp: int, offset: int = 0) -> bool:
        """Whether a timestamp is within the call, moved by `offset` ms and widened by the profile's clock tolerance."""
        slack = current_case().timing.tolerance
        return self.called + offset - slack <= stamp <= self.returned + offset + slack

    def __str__(self) -> str:
        return f"from {self.called} to {self.returned}"


def timed_send(link: Link, message: api.Message, *, ttl: int | None = None, settle: bool = True) -> Sending:
    """Send, and measure the send alone; then commit if transacted, unless `settle` is false."""
    case = current_case()
    called = case.now()
    link.put(message, ttl=ttl)
    returned = case.now()
    if settle and link.client.transacted:
        link.client.commit()
    return Sending(called, returned)


def delayed(
    link: Link, text: str, delay: int, *, mode: int = api.DeliveryMode.PERSISTENT, priority: int = 4, ttl: int = 0
) -> int:
    """Send a text with a delivery delay, in ms, without settling; return the earliest time at which it may be delivered."""
    earliest = link.case.now() + delay
    link.sender.set(delay=delay)
    link.put(link.text(text), mode=mode, priority=priority, ttl=ttl)
    link.sender.set(delay=0)
    return earliest
