"""Messages shared between several consumers."""

from __future__ import annotations

from collections.abc import Sequence

from tck.suite.support.clients.link import Link
from tck.suite.support.harness.outcome import Undecided
from tck.suite.support.values.seen import body


def shared_out(links: Sequence[Link], count: int) -> list[list[object]]:
    """Receive from several consumers in turn until `count` messages have come and then none; return the bodies of each.

    Missing messages are waited for until the deadline. The last round, in which none comes, is a bounded wait without
    proof and is counted as one. All messages are settled.

    Raises:
        Undecided: no message came, and the case has no earlier witness.
    """
    case = links[0].case
    shares: list[list[object]] = [[] for _ in links]
    most = max(2, int(case.timing.deadline / (case.timing.quiet * len(links))))
    quiet_rounds = 0
    while quiet_rounds < most:
        before = sum(map(len, shares))
        for share, link in zip(shares, links, strict=True):
            message = link.look()
            if message is not None:
                link.client.settle(message)
                share.append(body(message))
        total = sum(map(len, shares))
        quiet_rounds = 0 if total > before else quiet_rounds + (most if total >= count else 1)
    if not sum(map(len, shares)) and not case.marks.witnesses:
        raise Undecided(f"none of {len(links)} consumers got a message")
    case.witness(f"{[len(share) for share in shares]} messages came to {len(links)} consumers")
    return shares


def all_of(shares: Sequence[Sequence[object]]) -> list[str]:
    """Return all bodies that several consumers got, sorted."""
    return sorted(str(each) for share in shares for each in share)


def numbered(count: int) -> list[str]:
    """Return `count` texts whose alphabetical order is the order of sending."""
    return [f"{number:03d}" for number in range(1, count + 1)]


def drained(link: Link, count: int) -> list[str]:
    """Take the messages of a link: `count` are waited for, others seen only before a marker sent then; return the bodies."""
    seen: list[str] = []
    while len(seen) < count and (message := link.poll()) is not None:
        seen.append(str(body(message)))
        link.client.settle(message)
    marker = link.mark()
    while (text := body(link.receive())) != marker:
        seen.append(str(text))
    return seen
