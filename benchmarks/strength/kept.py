"""The tables of docs/strength.md: what is broken, counted, and the figures of the batches that are kept in `batches.csv`."""

from __future__ import annotations

import csv
import subprocess
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from benchmarks.precision.judged import interval
from faults import (
    all_bridge_saboteurs,
    all_lawful,
    all_nearly_right,
    all_nearly_right_bridges,
    all_saboteurs,
    trace_faults,
)
from faults.composing.circumstances import FACTS
from faults.composing.operators import generic_names

FILE: Final = Path(__file__).parent / "batches.csv"
FIELDS: Final = (
    "date", "commit", "faults", "seed", "drawn", "never", "harmless", "counted", "noticed", "broad", "owned", "silent",
    "forgiven", "unowned",
)  # fmt: skip


def keep(rows: Sequence[Mapping[str, Any]], seed: int, *, mutants: bool, ground: str = "", file: Path = FILE) -> None:
    """Add the figures of a batch to the file.

    Args:
        rows: Those of the batch in its database.
        seed: That of the batch.
        mutants: Whether its faults are mutants.
        ground: The lawful provider that they changed, if any.
        file: See `FILE`.
    """
    fates = Counter(row["fate"] for row in rows)
    never, harmless, noticed = (fates[each] for each in ("never reached", "changed nothing", "noticed"))
    owners = [row["owner"] for row in rows if row["fate"] == "noticed" and row["owner"] is not None]
    commit = subprocess.run(
        ["git", "rev-parse", "--short=7", "HEAD"],  # noqa: S607
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    figures = [len(rows), never, harmless, len(rows) - never - harmless, noticed, len(owners), sum(owners)]
    bins = [fates[each] for each in ("nothing compared it", "seen and forgiven", "seen without an owner")]
    kind = "mutants" if mutants else f"composed on {ground}" if ground else "composed"
    with file.open("a", encoding="utf-8", newline="") as lines:
        csv.writer(lines, lineterminator="\n").writerow(
            [f"{datetime.now(UTC):%Y-%m-%d}", commit.strip(), kind, seed, *figures, *bins]
        )


def kept(file: Path = FILE) -> list[dict[str, str]]:
    """Return the kept batches, the oldest first."""
    with file.open(encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines))


def table(batches: Sequence[Mapping[str, str]]) -> Iterator[str]:
    """Yield the table of batches, in Markdown."""
    yield "| date | commit | faults | seed | change something | noticed | 95% interval | owner named | not compared | forgiven | without owner |"
    yield "|---|---|---|---|---|---|---|---|---|---|---|"
    for each in batches:
        noticed, counted, owned, broad = (int(each[name]) for name in ("noticed", "counted", "owned", "broad"))
        between = " to ".join(f"{share:.0%}" for share in interval(noticed, counted)) if counted else "-"
        owner = f"{owned} of {broad}" if broad else "-"
        bins = " | ".join(each[name] for name in ("silent", "forgiven", "unowned"))
        head = " | ".join(each[name] for name in ("date", "commit", "faults", "seed"))
        yield f"| {head} | {counted} of {each['drawn']} drawn | **{noticed}** ({noticed / max(1, counted):.0%}) | {between} | {owner} | {bins} |"


def broken() -> Iterator[str]:
    """Yield the table of what is broken, in Markdown."""
    narrow, missed = all_nearly_right(), all_nearly_right(noticed=False)
    bridges, missed_bridges = all_nearly_right_bridges(), all_nearly_right_bridges(noticed=False)
    strangers = sum(each.origin.startswith("round") for each in narrow.values())
    alone = len(all_saboteurs()) + len(generic_names())
    yield "| what is broken | by | how many | command |"
    yield "|---|---|---|---|"
    yield f"| one row, wherever it applies | a broad fault, its saboteur | {len(all_saboteurs()):,}; {len(all_bridge_saboteurs())} of bridges | `tck detect` |"
    yield (
        f"| a row, under one circumstance | a narrow fault, written by hand | {len(narrow) - strangers} of authors and {strangers} of strangers, "
        f"{len(bridges)} of bridges, all noticed; not noticed: {len(missed)} and {len(missed_bridges)} | `tck detect` |"
    )
    yield (
        f"| anything, under up to three circumstances | a composed fault, drawn | {alone:,} broad and generic ones, {len(FACTS)} circumstances | "
        "`python -m benchmarks strength batch` |"
    )
    yield f"| a property of traces | a fault that many actors show | {len(trace_faults())} | `tck workload`, in the tests |"
    yield "| everything; the hooks | dummies | 3, 2 of bridges, 1 of hooks | `tck detect` |"
    yield "| one place of the source, at random | a mutant | drawn | `python -m benchmarks mutants` |"
    yield f"| nothing: SHOULD and MAY are used otherwise | a lawful provider | {len(all_lawful())} | `tck detect --lawful` |"
