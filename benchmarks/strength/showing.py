"""Whether a fault that no case noticed shows anything at all: the recorded calls of a case beside those on the sound provider.

A fault may change what nobody can see: a call done twice that need not be, a copy in place of another. So the cases that it has
changed something in run again, and the digest of their calls, with arguments and results, is compared with that of two sound
runs. A case whose sound runs differ says nothing.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final

import pytest

from benchmarks.mutants.cases import VERSION
from tck.detection.children import Job, fork_all, nothing
from tck.detection.judge import Story
from tck.plugin.state import State
from tck.record import Result
from tck.running.worker import Worker

CASES: Final = 30
"""So many cases of a fault run again at most."""
SECONDS: Final = 60.0
NOTHING: Final = "nothing"
"""In place of a case that shows a fault."""
_OWN: Final = re.compile(
    r"ID:[^\"\s]+|\btck\.[-.\w]+|\b1\d{12}\b|[0-9a-f]{32}(-\d+)?"
    r"|\"JMSX(AppID|UserID|ProducerTXID|ConsumerTXID)\": \"[^\"]*\""
)
"""What differs from run to run: identifiers, names, times, and the text that a provider chooses for clients and transactions."""
_LEFT_OUT: Final = frozenset({"case", "seq", "t_ns", "thread", "actor", "call"})


class Digests:
    """In a child: digests of the calls of each case."""

    def __init__(self, prepare: Callable[[], None] = nothing) -> None:
        self._prepare = prepare
        self._last = ""

    def start(self) -> None:
        """Listen to the cases of this process."""
        self._prepare()
        original = Worker.write

        def write(worker: Worker, result: Result) -> Result:
            events = worker.recorder.finish() if worker.recorder is not None else []
            self._last = digest(events)
            return original(worker, result)

        setattr(Worker, "write", write)  # noqa: B010 - the process is the child's own

    def taken(self) -> str:
        """Return the digest of the last case."""
        return self._last


def digest(events: Sequence[Mapping[str, Any]]) -> str:
    """Return a digest of recorded events in which only that counts what any client can tell, whatever thread was first."""
    lines = sorted(
        _OWN.sub("#", json.dumps({key: each[key] for key in each if key not in _LEFT_OUT}, sort_keys=True, default=str))
        for each in events
    )
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()[:16]


def shown(
    silent: Mapping[str, Sequence[str]],
    items: Mapping[str, pytest.Item],
    state: State,
    prepared: Callable[[str], Callable[[], None]],
    settings: Callable[[str], Mapping[str, object]],
) -> dict[str, str]:
    """Return for each fault a case in which it shows something, or `NOTHING`; no fault whose cases all differ from run to run.

    Args:
        silent: By fault, the cases in which it changed something.
        items: All cases.
        state: Runs them.
        prepared: Returns what a child does for a fault before its provider is loaded.
        settings: Returns the settings of the provider for a fault, or without one for ``""``.
    """
    sound: dict[str, set[str]] = defaultdict(set)
    broken: dict[str, dict[str, str]] = defaultdict(dict)

    def ended(job: Job, story: Story) -> None:
        for sight in story.sights:
            if job.name:
                broken[job.name][sight.case] = str(sight.note)
            else:
                sound[sight.case].add(str(sight.note))

    def jobs() -> Iterator[Job]:
        wanted = tuple(items[case] for case in dict.fromkeys(case for by in silent.values() for case in by[:CASES]))
        for _ in range(2):
            yield _job("", wanted, settings(""), nothing, SECONDS + len(wanted))
        for name, by in silent.items():
            yield _job(name, tuple(items[case] for case in by[:CASES]), settings(name), prepared(name), SECONDS)

    fork_all(jobs(), state, ended)
    found = {}
    for name, by in broken.items():
        steady = [case for case in by if len(sound[case]) == 1]
        if steady:
            found[name] = next((case for case in steady if by[case] not in sound[case]), NOTHING)
    return found


def _job(
    name: str, wanted: tuple[Any, ...], settings: Mapping[str, object], prepare: Callable[[], None], seconds: float
) -> Job:
    digests = Digests(prepare)
    return Job(name, "reference", settings, VERSION, wanted, digests.start, note=digests.taken, seconds=seconds)
