"""Forked children of one collected process: each runs some cases on a provider of its own and tells what it saw.

Collecting costs a second and loading the provider another half; a fork costs milliseconds, and whatever a child breaks,
hangs or loses stays in that child.
"""

from __future__ import annotations

import dataclasses
import itertools
import json
import os
import selectors
import signal
import sys
import time
import traceback
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import pytest
from _pytest.runner import runtestprotocol

from tck.detection.judge import Sight, Story
from tck.profile import Profile, load_profile
from tck.record import Verdict

if TYPE_CHECKING:
    from tck.plugin.state import State

CHILDREN = 2
"""Children at a time."""
CASE_MS = 4000
"""Deadline of a case in a child, real milliseconds; the clock is virtual, so only a real hang meets it."""
CHILD_SECONDS = 60.0
"""Patience with a child, beside a second for each of its cases."""


def nothing() -> None:
    """Do nothing, where a child needs no preparation."""


@dataclass(frozen=True, slots=True)
class Job:
    """What one child does.

    Attributes:
        name: tells jobs apart.
        profile: name of the provider's profile.
        settings: settings of the adapter, beside the profile's own.
        version: the tier to judge by.
        items: the cases, in this order.
        prepare: called in the child before the provider is loaded.
        to_first: whether the first violation ends it.
        note: called after each case; what it returns is told with the case, as JSON.
        seconds: patience with the child; by default a minute and a second for each case.
        case_ms: deadline of a case, real milliseconds.
    """

    name: str
    profile: str
    settings: Mapping[str, object]
    version: str
    items: tuple[pytest.Item, ...]
    prepare: Callable[[], None] = nothing
    to_first: bool = False
    note: Callable[[], object] | None = None
    seconds: float | None = None
    case_ms: int = CASE_MS


@dataclass(slots=True)
class Child:
    """A running child and what it has told so far."""

    job: Job
    pid: int
    pipe: int
    deadline: float
    told: bytearray = field(default_factory=bytearray)


def fork_all(jobs: Iterable[Job], state: State, ended: Callable[[Job, Story], None]) -> None:
    """Run the jobs, a few at a time, and hand over each story when its child has ended.

    A job is taken from `jobs` only when there is room for it, so the caller may stop giving them at any time.
    """
    waiting, running = iter(jobs), dict[int, Child]()
    following = next(waiting, None)
    with selectors.DefaultSelector() as selector:
        while following or running:
            while following and len(running) < CHILDREN:
                child = _fork(following, state)
                running[child.pipe] = child
                selector.register(child.pipe, selectors.EVENT_READ)
                following = next(waiting, None)
            for key, _ in selector.select(timeout=0.5):
                child = running[key.fd]
                block = os.read(key.fd, 65536)
                child.told += block
                if not block:
                    selector.unregister(key.fd)
                    del running[key.fd]
                    ended(child.job, _reap(child))
            for child in [child for child in running.values() if time.monotonic() > child.deadline]:
                os.kill(child.pid, signal.SIGKILL)
                child.deadline = float("inf")


def _fork(job: Job, state: State) -> Child:
    reading, writing = os.pipe()
    pid = os.fork()
    if pid:
        os.close(writing)
        patience = CHILD_SECONDS + len(job.items) if job.seconds is None else job.seconds
        return Child(job, pid, reading, time.monotonic() + patience)
    os.close(reading)
    _live(job, state, writing)
    os._exit(0)  # unreachable: _live never returns


def _live(job: Job, state: State, pipe: int) -> None:
    """Be the child: run the items on the broken provider, tell each result, end without any clean-up of the parent's."""
    try:
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, sys.stderr.fileno() if hasattr(sys.stderr, "fileno") else 2)
    except OSError:
        pass
    try:
        job.prepare()
        worker = state.become_child(_profile(job), job.version)
        state.results.clear()
        for item, following in itertools.zip_longest(job.items, job.items[1:]):
            runtestprotocol(item, log=False, nextitem=following)
            result = state.results.pop()
            sight = {
                "case": result.case,
                "verdicts": dict(result.verdicts),
                "outcome": result.outcome,
                "observed": result.observed or "",
                "note": job.note() if job.note else None,
            }
            _tell(pipe, sight)
            if job.to_first and Verdict.VIOLATION in result.verdicts.values():
                break
        _tell(pipe, {"end": True})
        worker.close()
    except BaseException:  # noqa: BLE001 - the parent must hear of it, whatever it is
        _tell(pipe, {"failure": traceback.format_exc()})
    finally:
        os._exit(0)


def _profile(job: Job) -> Profile:
    profile = load_profile(job.profile)
    adapter = dataclasses.replace(profile.adapter, settings={**profile.adapter.settings, **job.settings})
    return dataclasses.replace(
        profile, adapter=adapter, timing=dataclasses.replace(profile.timing, case=job.case_ms), deviations=()
    )


def _tell(pipe: int, row: Mapping[str, object]) -> None:
    view = memoryview(json.dumps(row).encode() + b"\n")
    while view:
        view = view[os.write(pipe, view) :]


def _reap(child: Child) -> Story:
    os.close(child.pipe)
    os.waitpid(child.pid, 0)
    rows = [json.loads(line) for line in child.told.splitlines() if line.endswith(b"}")]
    sights = tuple(
        Sight(row["case"], row["verdicts"], row["outcome"], row["observed"], row["note"])
        for row in rows
        if "case" in row
    )
    failure = next((row["failure"] for row in rows if "failure" in row), None)
    if failure is None and not any("end" in row for row in rows):
        position = len(sights)
        culprit = child.job.items[position].nodeid if position < len(child.job.items) else "its end"
        failure = f"the child ended in {culprit}"
    return Story(sights, failure)
