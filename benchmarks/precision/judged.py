"""The judgements on drawn accusations, kept in `judged.csv`, and their figures. Imports the catalogue's values only."""

from __future__ import annotations

import csv
import datetime as dt
import enum
import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from benchmarks.precision.drawing import PrecisionError
from tck.catalogue import Catalogue

TABLE = Path(__file__).parent / "judged.csv"
COLUMNS = ("date", "commit", "judge", "seed", "profile", "row", "verdict", "note")
CERTAIN = 1.96
"""Standard deviations of a 95% interval."""


class Verdict(enum.StrEnum):
    """What a reader of the specification says of an accusation.

    ``plain``: the sentence is broken. ``contestable``: by a reading that a maintainer would contest. ``setting``: under a
    setting of the profile; with another documented one it conforms. ``false``: the row does not forbid what was seen.
    """

    PLAIN = "plain"
    CONTESTABLE = "contestable"
    SETTING = "setting"
    FALSE = "false"


@dataclass(frozen=True, slots=True)
class Judgement:
    """One line of the table."""

    date: dt.date
    commit: str
    judge: str
    seed: int
    profile: str
    row: str
    verdict: Verdict
    note: str


def read(catalogue: Catalogue, table: Path = TABLE) -> list[Judgement]:
    """Read the table.

    Raises:
        PrecisionError: A line is malformed.
    """
    with table.open(encoding="utf-8", newline="") as file:
        rows = csv.reader(file, strict=True)
        found: list[Judgement] = []
        try:
            for cells in rows:
                if rows.line_num == 1:
                    _check(tuple(cells) == COLUMNS, f"the columns are {', '.join(COLUMNS)}")
                    continue
                found.append(_judgement(cells))
                _check(found[-1].row in catalogue, f"there is no row {found[-1].row}")
        except (ValueError, csv.Error) as error:
            raise PrecisionError(f"{table.name}:{rows.line_num}: {error}; correct the line") from None
    return found


def figures(judged: Iterable[Judgement]) -> Iterator[str]:
    """Yield the figures by date and judge, as lines of a Markdown table."""
    kinds = ", ".join(Verdict)
    yield f"| date | commit | judge | judged | {kinds.replace(', ', ' | ')} | false, 95% interval |"
    yield "|---|---|---|---|---|---|---|---|---|"
    groups: dict[tuple[dt.date, str, str], Counter[Verdict]] = {}
    for each in judged:
        groups.setdefault((each.date, each.commit, each.judge), Counter())[each.verdict] += 1
    for (date, commit, judge), verdicts in sorted(groups.items()):
        total = verdicts.total()
        shares = " | ".join(f"{verdicts[each]} ({verdicts[each] / total:.0%})" for each in Verdict)
        low, high = interval(verdicts[Verdict.FALSE], total)
        yield f"| {date} | {commit} | {judge} | {total} | {shares} | {100 * low:.0f}% to {100 * high:.0f}% |"


def interval(found: int, of: int) -> tuple[float, float]:
    """Return the 95% interval of Wilson of a share: it stays within 0 and 1, also where nothing was found."""
    share, square = found / of, CERTAIN**2
    middle = (share + square / (2 * of)) / (1 + square / of)
    half = CERTAIN * math.sqrt(share * (1 - share) / of + square / (4 * of**2)) / (1 + square / of)
    return max(0.0, middle - half), min(1.0, middle + half)


def _judgement(cells: list[str]) -> Judgement:
    _check(len(cells) == len(COLUMNS), f"{len(cells)} cells where {len(COLUMNS)} are due")
    date, commit, judge, seed, profile, row, verdict, note = cells
    _check(re.fullmatch("[0-9a-f]{7,40}", commit) is not None, f'"{commit}" is no commit')
    _check(all((judge, profile)), "judge and profile must be given")
    _check(verdict in set(Verdict), f'"{verdict}" is no verdict; those are {", ".join(Verdict)}')
    _check(re.fullmatch("[0-9]+", seed) is not None, f'"{seed}" is no seed, a whole number')
    return Judgement(dt.date.fromisoformat(date), commit, judge, int(seed), profile, row, Verdict(verdict), note)


def _check(holds: bool, otherwise: str) -> None:
    if not holds:
        raise ValueError(otherwise)
