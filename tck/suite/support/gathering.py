"""What several consumers of a test get between them: a listener that keeps bodies, and consumers asked in turn."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import TYPE_CHECKING

from tck import api
from tck.suite.support.outcome import Undecided
from tck.suite.support.seen import body

if TYPE_CHECKING:
    from tck.suite.support.case import Case
    from tck.suite.support.link import Link


class Gathering(api.MessageListener):
    """A listener that keeps the bodies it is given, in order."""

    def __init__(self, case: Case) -> None:
        self._case = case
        self._lock = threading.Lock()  # guards everything below; no other lock is taken under it
        self._bodies: list[object] = []
        self._wanted = 0
        self._complete = case.provider.clock.event()

    def on_message(self, message: api.Message) -> None:
        """Keep the body."""
        with self._lock:
            self._bodies.append(body(message))
            complete = len(self._bodies) == self._wanted
        if complete:
            self._complete.set()

    @property
    def bodies(self) -> list[object]:
        """What came so far."""
        with self._lock:
            return list(self._bodies)

    def after(self, count: int) -> list[object]:
        """Wait until `count` messages have come in all, at most the profile's deadline; give what came, whatever it is."""
        with self._lock:
            self._wanted = count
            if len(self._bodies) >= count:
                return list(self._bodies)
            self._complete = self._case.provider.clock.event()
        self._complete.wait(self._case.timing.deadline)
        return self.bodies


class Dwelling(api.MessageListener):
    """A listener that stays in its first call until it is released."""

    def __init__(self, case: Case) -> None:
        self._case = case
        self._entered = case.provider.clock.event()
        self._released = case.provider.clock.event()

    def on_message(self, message: api.Message) -> None:
        """Stay, at most four times the profile's deadline."""
        del message
        self._entered.set()
        self._released.wait(4 * self._case.timing.deadline)

    def entered(self) -> bool:
        """Wait until the listener has been called, at most the profile's deadline; returns whether it has."""
        return self._entered.wait(self._case.timing.deadline)

    def occupied(self) -> None:
        """Wait until the listener has been called.

        Raises:
            Undecided: it has not, within the profile's deadline.
        """
        if not self.entered():
            raise Undecided("the listener was never called")
        self._case.witness("a listener was called, and stays in the call")

    def release(self) -> None:
        """Let it return, and all later calls too."""
        self._released.set()


class Turnstile:
    """Counts how many calls of its listeners run at one time; each call takes a while."""

    def __init__(self, case: Case) -> None:
        self._case = case
        self._lock = threading.Lock()  # guards the counts; no other lock is taken under it
        self._inside = 0
        self.most = 0

    def listener(self, gathering: Gathering) -> api.MessageListener:
        """Make a listener that counts its calls here and then hands the message on."""
        return _Passing(self, gathering)

    def enter(self) -> None:
        """Count a call in, and let a while pass in it."""
        with self._lock:
            self._inside += 1
            self.most = max(self.most, self._inside)
        self._case.provider.clock.event().wait(self._case.timing.quiet)

    def leave(self) -> None:
        """Count a call out."""
        with self._lock:
            self._inside -= 1


class _Passing(api.MessageListener):
    def __init__(self, turnstile: Turnstile, gathering: Gathering) -> None:
        self._turnstile = turnstile
        self._gathering = gathering

    def on_message(self, message: api.Message) -> None:
        self._turnstile.enter()
        self._turnstile.leave()
        self._gathering.on_message(message)


def shared_out(links: Sequence[Link], count: int) -> list[list[object]]:
    """Ask several consumers in turn until `count` messages have come and then nothing more; give what each one got.

    Fewer than `count` are waited for until the deadline. The last round, in which nothing comes, is a bounded wait without
    proof and is counted as one. What is taken is settled.

    Raises:
        Undecided: nothing came at all, and the case has seen nothing arrive before.
    """
    case = links[0].case
    shares: list[list[object]] = [[] for _ in links]
    most = max(2, int(case.timing.deadline / (case.timing.quiet * len(links))))
    quiet_rounds = 0
    while quiet_rounds < most:
        before = sum(map(len, shares))
        for share, link in zip(shares, links, strict=True):
            message = link.poll(case.timing.quiet)
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
    """Give what several consumers got together, sorted."""
    return sorted(str(each) for share in shares for each in share)


def numbered(count: int) -> list[str]:
    """Give `count` bodies whose alphabetical order is the order of sending."""
    return [f"{number:03d}" for number in range(1, count + 1)]
