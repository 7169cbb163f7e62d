"""Ask a broker whether it agrees with the programs of a corpus, and note those with which it does.

The programs run as cases of the suite, by `tck run corpus`, those too that no complete broker has confirmed yet. A broker
agrees with a program if it breaks no row by it, or rows only that its profile declares to be broken.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Final

from tck.explore.collection import Candidate, store
from tck.programs.corpus import Corpus
from tck.record import Bundle
from tck.record.outcomes import Verdict
from tck.suite.support.corpus import UNCONFIRMED
from tck.suite.support.harness.point import CORPUS

_AGREES: Final = frozenset({Verdict.CONFORMANT, Verdict.DECLARED, Verdict.OBSERVATION, Verdict.ADVISORY})
_IN_PROCESS: Final = "-process"
"""How the name of a profile ends that has the same broker in a process of its own, where it can be killed."""
_OPEN: Final = frozenset({Verdict.UNSUPPORTED, Verdict.INCONCLUSIVE})


def confirm(folder: Path, provider: str, out: Path, words: Iterable[str] = ()) -> int:
    """Run the suite's corpus on a broker, and write into a corpus' index which programs it agrees with; return the exit code.

    That is 1 if it contradicts any, and that of `tck run` if nothing ran.

    Args:
        folder: The corpus whose index is written.
        provider: The name of the broker's profile.
        out: Where the run is recorded.
        words: Selectors and options of `tck run`; all programs if there are none.
    """
    before = set(out.glob("runs/*/"))
    command = [sys.executable, "-m", "tck", "run", "--profile", provider, *(list(words) or ["corpus"])]
    ended = subprocess.run(
        [*command, "--no-report", "--out", str(out)],
        env={**os.environ, UNCONFIRMED: "1"},
        check=False,
        stdout=sys.stderr,
    )
    runs = sorted(set(out.glob("runs/*/")) - before)
    if not runs:  # it has said why
        return ended.returncode or 3
    found = agreed(Bundle.open(runs[-1], allow_truncated=True))
    note(Corpus(folder), provider.removesuffix(_IN_PROCESS), found)
    against = {number: rows for number, rows in found.items() if rows}
    for number, rows in sorted(against.items()):
        sys.stdout.write(f"corpus/{number:04}  {provider}:{','.join(rows)}\n")
    sys.stdout.write(f"{len(found)} programs ran on {provider}; it contradicts {len(against)}\n")
    return 1 if against else 0


def agreed(bundle: Bundle) -> dict[int, tuple[str, ...]]:
    """Return the rows by which a run contradicts each program that it could judge; none where it agrees."""
    found: dict[int, tuple[str, ...]] = {}
    for result in bundle.results():
        part, _, number = result.case.partition("/")
        if part != CORPUS.rpartition("-")[0] or set(result.verdicts.values()) <= _OPEN:
            continue
        found[int(number)] = tuple(row for row, verdict in result.verdicts.items() if verdict not in _AGREES | _OPEN)
    return found


def note(corpus: Corpus, provider: str, judged: Mapping[int, tuple[str, ...]]) -> None:
    """Write which programs a broker agrees with, and which it contradicts, into the index; those that did not run keep what they have."""
    kept = []
    for there in corpus.entries.values():
        entry, against = there, judged.get(there.number)
        if against is not None:
            brokers, unsettled = (
                {each for each in found if each != provider} for found in (entry.brokers, entry.unsettled)
            )
            (unsettled if against else brokers).add(provider)
            entry = replace(entry, brokers=tuple(sorted(brokers)), unsettled=tuple(sorted(unsettled)))
        expected = {version: corpus.expectation(entry.number, version) for version in entry.versions}
        kept.append(Candidate(entry, expected))
    store(corpus.folder, kept)
