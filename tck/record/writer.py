"""The writer of one worker process: part files that survive the worker.

Each block goes to the operating system in one unbuffered append, events before the result that cites them, so that a
killed worker leaves whole cases and at most one torn line or block, which merge.py cuts off. The events of an attempt
are one compressed block.
"""

from __future__ import annotations

import dataclasses
import os
import re
import threading
from collections.abc import Callable, Hashable, Mapping, Sequence
from pathlib import Path

from tck.record import compressed, lines
from tck.record.calls import COUNTED, Kinds, calls_of
from tck.record.outcomes import Outcome
from tck.record.rows import Case, EventsRef, Result, Run
from tck.record.short_events import Shortener

PARTS = "parts"
EVENTS = "events"
EVENTS_SUFFIX = f".ndjson{compressed.SUFFIX}"
"""The suffix of the events of a run that ended, regrouped, and of a worker's own, which lie in `parts`."""
_WORKER = re.compile(r"[A-Za-z0-9_-]+")
_SPILLED = 500
"""Events of one compressed block of an attempt that hangs: its process is killed soon, and a torn block is lost."""
_PATIENCE = 1.0
"""Seconds that the watchdog waits for a writer that hangs inside its own append."""


def begin(folder: Path, run: Run) -> None:
    """Make the folder of a run and write run.json; call it once, before any worker writes.

    Raises:
        FileExistsError: The folder holds a run already.
    """
    if (folder / "run.json").exists():
        raise FileExistsError(f"{folder} holds a run already: expected a new folder. Choose another run id")
    for name in (PARTS, EVENTS):
        (folder / name).mkdir(parents=True, exist_ok=True)
    lines.write_whole(folder / "run.json", lines.pretty(run.to_json()))


class BundleWriter:
    """Appends the cases, results and events of one worker to the bundle of a run.

    Args:
        folder: The bundle, made by `begin`.
        worker: Name of the worker process, unique within the run ("main", "gw0").
    """

    def __init__(self, folder: Path, worker: str = "main") -> None:
        if not _WORKER.fullmatch(worker):
            raise ValueError(f"expected a worker name of letters, digits, - and _, saw {worker!r}")
        self.worker = worker
        self._cases = _Append(folder / PARTS / f"cases.{worker}.ndjson")
        self._results = _Append(folder / PARTS / f"results.{worker}.ndjson")
        self._events_file = f"{PARTS}/{EVENTS}.{worker}{EVENTS_SUFFIX}"
        self._events = _Append(folder / self._events_file, compressed.cut_torn_tail)
        # Guards the files; no other lock is taken with it. Used by the watchdog's thread and the thread of the case.
        self._lock = threading.Lock()
        self._calls = _Append(folder / PARTS / f"calls.{worker}.ndjson")
        self._known: set[Hashable] = set()

    def start(self, case: Case, attempt: int = 1) -> None:
        """Record that an attempt begins, so that it is known even if the worker dies in it."""
        row = lines.line({"attempt": attempt, "row": case})
        with self._lock:
            self._cases.append(row)

    def withdraw(self, case: Case, attempt: int, why: str) -> None:
        """Take back that an attempt began: it runs once more, and its result tells why unless that is empty."""
        row = lines.line({"attempt": attempt, "row": case, "withdrawn": why})
        with self._lock:
            self._cases.append(row)

    def finish(self, result: Result, events: Sequence[Mapping[str, object]] = ()) -> Result:
        """Write the events and the result of an attempt; return the result with the place of its events."""
        calls: Kinds = {lines.line(call.to_json()): call for call in calls_of(events)}
        return self.finish_lines(result, Shortener(result.case).lines(events), len(events), calls)

    def finish_lines(self, result: Result, events: bytes, count: int, calls: Kinds | None = None) -> Result:
        """Write the result of an attempt; return it with the place of its events.

        Args:
            result: The result.
            events: Its events as short lines.
            count: Their number.
            calls: The kinds of calls that the attempt made; kept if they count for the coverage of the API.
        """
        block = compressed.pack(events)
        with self._lock:
            offset = self._events.append(block)
            place = EventsRef(self._events_file, offset, len(block), count)
            result = dataclasses.replace(result, events=place)
            self._results.append(lines.line(result))
            if calls and result.outcome in COUNTED and (fresh := calls.keys() - self._known):
                self._known |= fresh
                self._calls.append(b"".join([lines.line(calls[each].to_json()) for each in fresh]))
        return result

    def spill(self, events: Sequence[Mapping[str, object]]) -> None:
        """Write the events of an attempt that hangs, without a result: for a watchdog about to end the process."""
        held = self._lock.acquire(timeout=_PATIENCE)
        try:
            short = Shortener(str(events[0]["case"])) if events else Shortener("")
            for first in range(0, len(events), _SPILLED):
                self._events.append(compressed.pack(short.lines(events[first : first + _SPILLED])))
        finally:
            if held:
                self._lock.release()

    def close(self) -> None:
        """Close the files."""
        with self._lock:
            for file in (self._cases, self._results, self._events, self._calls):
                file.close()


def last_outcome(folder: Path, worker: str) -> Outcome | None:
    """Return how the last attempt of a worker that is gone ended; None if it has left no result of it."""
    begun = ended = None
    for path, key in ((f"cases.{worker}.ndjson", "row"), (f"results.{worker}.ndjson", "")):
        for _, row in lines.read_lines(folder / PARTS / path, todo="", torn=True):
            if key:
                begun = (row[key]["case"], row["attempt"])
            else:
                ended = row
    same = ended is not None and (ended["case"], ended["attempt"]) == begun
    return Outcome(ended["outcome"]) if same and ended is not None else None


class _Append:
    """A file that only grows, by whole blocks, past every buffer of this process."""

    def __init__(self, path: Path, cut_torn_tail: Callable[[Path], int] = lines.cut_torn_tail) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        # A killed worker of this name may have left half a line, or half a block.
        self._size = cut_torn_tail(path) if path.exists() else 0
        self._fd: int | None = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)

    def append(self, block: bytes) -> int:
        """Append a block; return the offset of its first byte."""
        if self._fd is None:
            raise ValueError("expected an open writer, saw a closed one")
        start = self._size
        view = memoryview(block)
        while view:
            view = view[os.write(self._fd, view) :]
        self._size = start + len(block)
        return start

    def close(self) -> None:
        if self._fd is not None:
            os.close(self._fd)
            self._fd = None
