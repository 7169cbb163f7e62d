"""The figures of batches that are kept, a line each in `batches.csv`, and their table for docs/strength.md."""

from __future__ import annotations

import csv
import subprocess
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from benchmarks.precision.judged import interval

FILE: Final = Path(__file__).parent / "batches.csv"
FIELDS: Final = (
    "date", "commit", "faults", "seed", "drawn", "never", "harmless", "counted", "noticed", "broad", "owned", "silent",
    "forgiven", "unowned",
)  # fmt: skip


def keep(rows: Sequence[Mapping[str, Any]], seed: int, *, mutants: bool, file: Path = FILE) -> None:
    """Add the figures of a batch to the file.

    Args:
        rows: Those of the batch in its database.
        seed: That of the batch.
        mutants: Whether its faults are mutants.
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
    kind = "mutants" if mutants else "composed"
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
