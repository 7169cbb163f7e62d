"""`python -m benchmarks strength gaps`: which circumstances no case and no program meets, by the ways of a message.

A way is a fault point that messages pass: sent, received, given to a listener, rolled back. What a case can bring to a way are
the facts of messages, sizes and values on their places among them, and pairs of these facts; a gap is one that sends meet and
the way does not. Of crossings it says which pairs and triples of their circumstances the corpus has.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import Final

import pytest

from benchmarks.strength.drawing import broad_faults
from benchmarks.strength.in_place import InPlace, run_in_place
from benchmarks.strength.making import meetings
from benchmarks.strength.recording import BITS, Reach, key_of, recorded
from faults import find
from reference_provider.fault_points import FAULT_POINTS
from tck.explore.making.crossing import ARRAY
from tck.plugin.state import State
from tck.programs.corpus import corpus_in
from tck.programs.program import Program
from tck.suite.support.corpus import FOLDER

SENT: Final = "SEND_PREPARED"
WAYS: Final[Mapping[str, str]] = {
    "sent": SENT, "sent asynchronously": "SENT_ASYNCHRONOUSLY", "selected": "VALUES_SELECTED", "awaited": "MESSAGE_AWAITED",
    "received": "HANDED_OVER", "body received": "BODY_RECEIVED", "listener": "LISTENER_CALLED", "server session": "SESSION_LOADED",
    "settled": "SETTLED", "acknowledged": "MESSAGE_ACKNOWLEDGED", "redelivered": "REDELIVERED", "committed": "COMMIT",
    "rolled back": "ROLLBACK", "expiry asked": "EXPIRY_CHECKED", "consumer closed": "CONSUMER_CLOSED", "session ended": "SESSION_ENDED",
}  # fmt: skip
"""The ways, each with its fault point."""


@dataclass(slots=True)
class Gaps(InPlace):
    """The pytest plugin that reads, or runs, the recorded pass.

    Attributes:
        folder: Where it is kept.
        reach: What it found.
    """

    folder: Path
    reach: Reach | None = None

    def run(self, items: dict[str, pytest.Item], state: State) -> None:
        """Read it."""
        self.reach = recorded([find(row) for row in broad_faults()], list(items.values()), state, self.folder)


def lines(reach: Reach, most: int) -> Iterator[str]:
    """Yield the table of the ways, and for each the gaps, the `most` first of them."""
    met = {way: _met(reach, FAULT_POINTS[point]) for way, point in WAYS.items()}
    wanted, pairs = met["sent"]
    yield f"{'way':20} {'facts':>12} {'pairs':>16}"
    for way, (facts, both) in met.items():
        yield f"{way:20} {len(facts & wanted):5} of {len(wanted):3} {len(both & pairs):7} of {len(pairs):5}"
    for way, (facts, _) in met.items():
        left = sorted(wanted - facts)
        if left:
            more = f" and {len(left) - most} more" if len(left) > most else ""
            yield f"{way}: never with {', '.join(left[:most])}{more}"


def crossed(programs: Iterable[Program], most: int) -> Iterator[str]:
    """Yield how many pairs and triples of crossings the programs of a corpus meet, and the first that they do not."""
    met = {meeting for program in programs for meeting in meetings(program)}
    for size, what in ((2, "pairs"), (3, "triples")):
        wanted = [each for each in ARRAY.allowed if len(each) == size]
        left = [" and ".join(map(" ".join, each)) for each in wanted if each not in met]
        yield f"crossings: {len(wanted) - len(left)} of {len(wanted)} {what}; never {'; '.join(left[:most]) or '-'}"


def _met(reach: Reach, point: object) -> tuple[set[str], set[tuple[str, str]]]:
    found = reach.facts.get(key_of(point.owner, point.attribute), {})  # type: ignore[attr-defined]
    masks = {mask for each in found.values() for mask in each}
    held = [[name for name, bit in BITS.items() if mask & bit] for mask in masks]
    return {name for names in held for name in names}, {pair for names in held for pair in combinations(names, 2)}


def run(folder: Path, most: int) -> int:
    """Print the gaps; return the exit code: 4 if the suite could not be collected."""
    gaps = Gaps(folder.absolute())
    if not run_in_place(gaps) or gaps.reach is None:
        return 4
    sys.stdout.writelines(f"{line}\n" for line in lines(gaps.reach, most))
    sys.stdout.writelines(f"{line}\n" for line in crossed(corpus_in(FOLDER).programs.values(), most))
    return 0
