"""The covering array: journeys in which all allowed pairs of conditions meet, and the triples that `TRIPLES` names.

`journeys.csv` holds them, a journey in each line. `python -m tck.suite.support.journeys.array` writes it anew after a change
of the axes; the same axes give the same lines, and a test demands that the file is up to date.
"""

from __future__ import annotations

import csv
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Final

from tck.covering import Array
from tck.suite.support.harness.point import JOURNEY
from tck.suite.support.journeys.model import AXES, EXCLUSIONS, TRIPLES, Journey

FILE: Final = Path(__file__).with_name("journeys.csv")
"""The journeys, in the order of their numbers."""
ARRAY: Final = Array(AXES, [each.values for each in EXCLUSIONS], TRIPLES)
"""The pairs and triples that journeys are to meet."""


@cache
def journeys() -> Mapping[str, Journey]:
    """Return all journeys by their names, `journey-1` and so on."""
    with FILE.open(encoding="utf-8", newline="") as file:
        return {f"{JOURNEY}{number}": Journey(**row) for number, row in enumerate(csv.DictReader(file), start=1)}


def write(made: Iterable[Mapping[str, str]]) -> None:
    """Write the file."""
    with FILE.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(AXES), lineterminator="\n")
        writer.writeheader()
        writer.writerows(made)


if __name__ == "__main__":
    write(ARRAY.generate())
