"""The common part of all actors: a name, a thread, a random source, one link at a time, and counts.

May import links and the shared state; knows nothing of the work of actors.
"""

from __future__ import annotations

import random
import threading
from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Final

from tck.workload.content import FAILURES
from tck.workload.links import Link
from tck.workload.shared_state import MOST_FAILURES, Phase, SharedState

_FIRST_PAUSE_MS: Final = 10
_LONGEST_PAUSE_MS: Final = 1000


@dataclass(slots=True)
class Counts:
    """The counts of one actor; written by its own threads, read for the progress display."""

    sent: int = 0
    delivered: int = 0
    browsed: int = 0
    settled: int = 0
    failed: int = 0
    reconnected: int = 0


class Actor(ABC):
    """One thread of a workload."""

    def __init__(self, shared: SharedState, group: str, number: int) -> None:
        self.shared = shared
        self.recorder = shared.recorder
        self.group = group
        self.label = f"{group}-{number + 1}"
        self.choice: random.Random = shared.choice(self.label)
        self.counts = Counts()
        self.link: Link | None = None
        self.ready = False
        """Whether the actor is connected: its consumers exist."""
        self.thread = threading.Thread(target=self._run, name=self.label, daemon=True)

    @abstractmethod
    def connect(self) -> Link:
        """Make a link and the objects on it."""

    @abstractmethod
    def work(self, link: Link) -> None:
        """Do the actor's work until its phase is over or the link breaks."""

    @abstractmethod
    def has_work(self) -> bool:
        """Whether there is work left in this phase."""

    def link_gone(self) -> None:  # noqa: B027 - most actors have nothing to do
        """Clean up after the link has ended, in order or not."""

    def _run(self) -> None:
        with self.shared.provider.clock.actor():
            try:
                self._work_until_done()
            except BaseException as error:  # noqa: BLE001 - the engine reports a fault of the kit
                # A closed recorder refuses every call; an actor may also find its file closed.
                if not self.recorder.closed:
                    self.shared.trouble.fault = self.shared.trouble.fault or error
                self.shared.enter(Phase.OVER)

    def _work_until_done(self) -> None:
        failures = 0
        while self.has_work():
            before = self.counts.sent + self.counts.delivered + self.counts.settled
            link: Link | None = None
            try:
                link = self.link = self.connect()
                self.ready = True
                self.work(link)
                if link.alive():
                    link.close()
                else:
                    self._abandon(link)
            except FAILURES as error:
                self.shared.count_failure(error)
                self.counts.failed += 1
                self._abandon(self.link)
                moved = self.counts.sent + self.counts.delivered + self.counts.settled > before
                failures = 0 if moved else failures + 1
                if failures >= MOST_FAILURES:
                    self.shared.give_up(self.label, error)
                    return
                self.shared.wait(min(_LONGEST_PAUSE_MS, _FIRST_PAUSE_MS << min(failures, 10)))
            finally:
                self.link_gone()
                self.link = None

    def _abandon(self, link: Link | None) -> None:
        if link is not None and not link.over:
            self.counts.reconnected += 1
            link.abandon()
