"""Replays the log of a watched disk and yields what the disk could contain if the power failed at each point.

The existence of a file is durable once its folder is synced. SQLite does that with the first sync of each log or journal
that it creates, and with deletions that ask for it.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from benchmarks.storage.watched_disk import Create, Delete, DiskLog, LogEntry, Note, Sync, Truncate, Write

SECTOR = 512

FileContents = dict[str, bytearray]


@dataclass(slots=True)
class _Disk:
    """The disk at one point of a log: durable contents, contents as the system shows them, and pending operations.

    Attributes:
        synced: durable contents, by file name; the name itself need not be durable.
        names: the files that the folder durably contains; a deleted one may still be among them.
    """

    synced: FileContents
    shown: FileContents
    names: set[str]
    pending: dict[str, list[Write | Truncate]] = field(default_factory=dict)

    def apply(self, entry: LogEntry) -> None:
        match entry:
            case Create(file):
                for side in (self.synced, self.shown):
                    side[file] = bytearray()
            case Write(file) | Truncate(file):
                apply(self.shown, entry)
                self.pending.setdefault(file, []).append(entry)
            case Sync(file, failed, folder):
                waiting = self.pending.pop(file, [])
                if not failed:
                    for one in waiting:
                        apply(self.synced, one)
                if folder:
                    self.names = set(self.shown)
            case Delete(file, durable):
                self.shown.pop(file, None)
                if durable:
                    self.synced.pop(file, None)
                    self.pending.pop(file, None)
                    self.names = set(self.shown)

    def dropped(self) -> FileContents:
        """Return the durable contents only."""
        return {name: self.synced[name] for name in self.names if name in self.synced}

    def torn(self, choice: random.Random) -> FileContents:
        """Return the durable contents and, at random, parts of the pending ones, names and contents, sector by sector."""
        unsure = sorted(self.names ^ self.shown.keys())
        names = {*(self.names & self.shown.keys()), *(name for name in unsure if choice.random() < 0.5)}
        files = {name: bytearray(content) for name, content in self.synced.items() if name in names}
        for name, waiting in self.pending.items():
            for part in (part for entry in waiting for part in _sectors(entry)):
                if name in names and choice.random() < 0.5:
                    apply(files, part)
        return files


class CrashPoint(NamedTuple):
    """A place in a log where the power may fail: before entry `place`."""

    place: int
    dropped: FileContents
    kept: FileContents
    torn: FileContents


def crash_points(log: DiskLog, stride: int, seed: int) -> Iterator[CrashPoint]:
    """Yield each `stride`-th operation on the disk, and the end, with three possible contents of the disk.

    Unsynced operations are all dropped, all kept, or a random half of their sectors is kept. The contents are valid only until
    the next point is requested.
    """
    initial = {name: bytearray(content) for name, content in log.initial.items()}
    disk = _Disk(initial, {name: bytearray(content) for name, content in initial.items()}, set(initial))
    count = 0
    for place, entry in enumerate([*log.entries, None]):
        if isinstance(entry, Note):
            continue
        if entry is None or count % stride == 0:
            choice = random.Random(f"{seed} {place}")
            yield CrashPoint(place, disk.dropped(), disk.shown, disk.torn(choice))
        count += 1
        if entry is not None:
            disk.apply(entry)


def apply(files: FileContents, entry: Write | Truncate) -> None:
    """Apply one entry to contents."""
    content = files.setdefault(entry.file, bytearray())
    if isinstance(entry, Truncate):
        del content[entry.size :]
        content.extend(bytes(max(0, entry.size - len(content))))
        return
    if len(content) < entry.offset:
        content.extend(bytes(entry.offset - len(content)))
    content[entry.offset : entry.offset + len(entry.data)] = entry.data


def _sectors(entry: Write | Truncate) -> Sequence[Write | Truncate]:
    if isinstance(entry, Truncate):
        return [entry]
    return [
        Write(entry.file, entry.offset + start, entry.data[start : start + SECTOR])
        for start in range(0, len(entry.data), SECTOR)
    ]
