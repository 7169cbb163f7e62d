"""Small programs, run on the reference provider, and what another provider would have shown in them."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from contextlib import contextmanager

from tck import api
from tck.blame.owners import judged
from tck.explore.exploration import capabilities_of
from tck.explore.partner import Partner
from tck.profile import load_profile
from tck.programs.comparing.comparison import Comparison
from tck.programs.expectation import Execution, Expectation
from tck.programs.observing.environment import RunSettings
from tck.programs.program import Json, Observation, Program, Step


@contextmanager
def partner() -> Iterator[Partner]:
    found = Partner()
    try:
        hooks = frozenset(api.Hook)
        found.begin("3.1", capabilities_of(load_profile("reference"), "3.1", hooks, virtual=True), RunSettings())
        yield found
    finally:
        found.close()


def do(call: str, name: str | None = None, /, **args: Json) -> Step:
    return Step(call, args, name)


def client(mode: str = "auto") -> list[Step]:
    """Two queues, a context with a producer, and a context with consumers of the mode."""
    return [
        do("queue", "q1"), do("queue", "q2"),
        do("connect", "c1", api="simplified"), do("producer", "p1", on="c1"),
        do("connect", "c2", api="simplified", mode=mode),
    ]  # fmt: skip


def sending(first: int, count: int = 1, to: str = "q1") -> list[Step]:
    return [do("send_many", on="p1", of="c1", to=to, first=first, count=count)]


class Story:
    """A program that the reference provider has run, and what another provider shows, at first the same.

    Args:
        partner: Runs it.
        steps: Its steps.
    """

    def __init__(self, partner: Partner, *steps: Step) -> None:
        self.expectation: Expectation = partner.run(Program(steps))
        assert self.expectation.unclear is None
        self.seen: list[Observation] = copy.deepcopy(list(self.expectation.seen))

    def at(self, do: str, nth: int = 0) -> Observation:
        """Return what the other provider shows in the nth step of an operation, to be changed."""
        return self.seen[[at for at, step in enumerate(self.expectation.program.steps) if step.do == do][nth]]

    def got(self, do: str, nth: int = 0) -> Json:
        """Return what it shows of the message that the step got."""
        return self.at(do, nth)["ok"]["got"]

    def lose(self, do: str, nth: int = 0) -> None:
        """Let the step get nothing."""
        self.at(do, nth)["ok"]["got"] = None if do == "receive" else []

    def compare(self, *, prefetches: bool = True) -> Comparison:
        return judged(self.expectation, Execution(self.seen, list(self.expectation.sends)), prefetches=prefetches)

    def differences(self, *, prefetches: bool = True) -> list[tuple[str, str]]:
        """Return operation and kind of each difference."""
        return [(each.do, each.what) for each in self.compare(prefetches=prefetches).differences]


def counted(message: Json, count: int, *, redelivered: bool = True) -> None:
    """Let a message say that it was delivered so often."""
    message["properties"]["JMSXDeliveryCount"] = ["int", count]
    message["headers"]["JMSRedelivered"] = redelivered
