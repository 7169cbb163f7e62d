"""Forked children of one collected process: each runs some cases on its own provider and sends their results.

Collecting costs a second and loading the provider another half; a fork costs milliseconds, and whatever a child
breaks, hangs or loses stays in that child.
"""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Protocol

from tck.detection.judge import Sight, Story
from tck.patience import multiplier
from tck.processes import Channel, Child, End, Pool, silence_stderr
from tck.profile import Profile, load_bridge, load_profile
from tck.record import Result, Verdict

CHILDREN = 2
"""Number of children at a time."""
CASE_MS = 4000
"""Deadline of a case in a child, milliseconds; the clock is virtual, so only a real hang reaches it. Like the next one it is
multiplied, and does not count time in which the child waits for a processor; see `tck.patience`."""
CHILD_SECONDS = 60.0
"""Deadline of a child, plus a second for each of its cases."""


class Item(Protocol):
    """A case, as its collector holds it."""

    @property
    def nodeid(self) -> str:
        """The name of its test and point."""
        ...


class Runner(Protocol):
    """Runs cases in this process; the pytest plugin is one."""

    def become_child(self, profile: Profile, version: str) -> None:
        """Start over in a forked child, on another provider."""
        ...

    def run_case(self, item: Any, following: Any) -> Result:  # noqa: ANN401 - an item of the runner's own kind
        """Run an item; fixtures that the following item needs stay set up."""
        ...

    def close_worker(self) -> None:
        """Close the provider."""
        ...


def nothing() -> None:
    """Do nothing: the default preparation of a child."""


@dataclass(frozen=True, slots=True)
class Job:
    """The work of one child.

    Attributes:
        name: names the job.
        profile: name of the provider's profile.
        settings: settings of the adapter, beside the profile's own.
        version: the tier to judge by.
        items: the cases, in this order.
        prepare: called in the child before the provider is loaded.
        to_first: whether the first violation ends it.
        rows: the rows whose violation counts for that; empty for all.
        note: called after each case; its return value is sent with the result, as JSON.
        seconds: deadline of the child; by default a minute and a second for each case.
        case_ms: deadline of a case, real milliseconds.
        lacks: optional features that the profile claims and this provider does not.
        bridge: the converter that the rows on interworking judge, as `package.module:callable`; empty for that of the kit.
    """

    name: str
    profile: str
    settings: Mapping[str, object]
    version: str
    items: tuple[Item, ...]
    prepare: Callable[[], None] = nothing
    to_first: bool = False
    rows: frozenset[str] = frozenset()
    note: Callable[[], object] | None = None
    seconds: float | None = None
    case_ms: int = CASE_MS
    lacks: frozenset[str] = frozenset()
    bridge: str = ""


def fork_all(jobs: Iterable[Job], runner: Runner, ended: Callable[[Job, Story], None]) -> None:
    """Run the jobs, a few at a time, and pass on each result when its child has ended.

    A job is taken from `jobs` only when there is room for it, so the caller may stop yielding them at any time.
    """
    waiting, running = iter(jobs), dict[Child, tuple[Job, list[Sight]]]()
    following = next(waiting, None)
    with Pool() as pool:
        while following or running:
            while following and len(running) < CHILDREN:
                patience = CHILD_SECONDS + len(following.items) if following.seconds is None else following.seconds
                running[pool.fork(partial(_live, following, runner), patience)] = following, []
                following = next(waiting, None)
            for child, message in pool.wait():
                if message is not None:
                    running[child][1].append(Sight(**message))
                else:
                    job, sights = running.pop(child)
                    ended(job, _story(job, sights, child))


def _live(job: Job, runner: Runner, channel: Channel) -> None:
    """Be the child: run the items on the broken provider and send each result."""
    silence_stderr()
    job.prepare()
    runner.become_child(_profile(job), job.version)
    for item, following in itertools.zip_longest(job.items, job.items[1:]):
        result = runner.run_case(item, following)
        sight = Sight(
            result.case,
            dict(result.verdicts),
            result.outcome,
            result.observed or "",
            job.note() if job.note else None,
        )
        channel.send(dataclasses.asdict(sight))
        broken = {row for row, verdict in result.verdicts.items() if verdict is Verdict.VIOLATION}
        if job.to_first and (broken & job.rows if job.rows else broken):
            break
    runner.close_worker()


def _profile(job: Job) -> Profile:
    profile = load_profile(job.profile)
    adapter = dataclasses.replace(profile.adapter, settings={**profile.adapter.settings, **job.settings})
    return dataclasses.replace(
        profile,
        adapter=adapter,
        claims=dataclasses.replace(profile.claims, features=profile.claims.features - job.lacks),
        timing=dataclasses.replace(profile.timing, case=round(job.case_ms * multiplier())),
        deviations=(),
        bridge=dataclasses.replace(
            load_bridge(),
            name=job.name,
            converter=job.bridge,
            factory=f"{job.bridge}_factory",
            channels=f"{job.bridge}_channels",
        )
        if job.bridge
        else None,
    )


def _story(job: Job, sights: Sequence[Sight], child: Child) -> Story:
    if child.end is End.DONE:
        return Story(tuple(sights), None)
    culprit = job.items[len(sights)].nodeid if len(sights) < len(job.items) else "its end"
    return Story(tuple(sights), child.failure or f"the child ended in {culprit}")
