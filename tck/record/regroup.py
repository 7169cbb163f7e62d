"""Regroups the events of a run that ended: the attempts of a worker in frames that many share.

A worker compresses each attempt by itself, so that a killed one leaves whole attempts. A frame of many compresses a
third better, since cases resemble each other; a reader still opens one attempt by reading one frame.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

from tck.record import compressed
from tck.record.rows import EventsRef, Result
from tck.record.writer import EVENTS, EVENTS_SUFFIX, PARTS

_FRAME: Final = 1 << 18
"""Bytes of content after which a frame ends: about 20 cases, which a reader unpacks in half a millisecond."""


def regrouped(folder: Path, results: Sequence[Result]) -> tuple[Result, ...]:
    """Write the events of all workers to `events`; return the results with the places of their events there.

    The workers' own files stay: a run that is killed meanwhile is read from them.
    """
    places: dict[EventsRef, EventsRef] = {}
    for path in sorted((folder / PARTS).glob(f"{EVENTS}.*{EVENTS_SUFFIX}")):
        name = path.relative_to(folder).as_posix()
        refs = sorted(
            {result.events for result in results if result.events and result.events.file == name}, key=_offset
        )
        target = folder / EVENTS / path.name.removeprefix(f"{EVENTS}.")
        places.update(_rewrite(path, refs, target, target.relative_to(folder).as_posix()))
    return tuple(
        replace(result, events=places.get(result.events, result.events)) if result.events else result
        for result in results
    )


def _offset(ref: EventsRef) -> int:
    return ref.offset


def _rewrite(path: Path, refs: Sequence[EventsRef], target: Path, name: str) -> Iterator[tuple[EventsRef, EventsRef]]:
    target.parent.mkdir(exist_ok=True)
    with target.open("wb") as file:
        for group in _frames(path, refs):
            frame = compressed.pack(b"".join(content for _, content in group), compressed.SMALL)
            start, offset = 0, file.tell()
            for ref, content in group:
                yield ref, EventsRef(name, offset, len(frame) if content else 0, ref.count, start)
                start += len(content)
            file.write(frame)


def _frames(path: Path, refs: Sequence[EventsRef]) -> Iterator[list[tuple[EventsRef, bytes]]]:
    """Yield the attempts of each frame with their lines."""
    group: list[tuple[EventsRef, bytes]] = []
    size = 0
    with path.open("rb") as source:
        for ref in refs:
            source.seek(ref.offset)
            content = compressed.unpack(source.read(ref.length))
            group.append((ref, content))
            size += len(content)
            if size >= _FRAME:
                yield group
                group, size = [], 0
    if group:
        yield group
