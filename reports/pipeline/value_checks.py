"""Validate the values of a store's columns: numbers within bounds, references that exist, known words.

A file with correct checksums can still hold values that the kit never writes. Judging them would give wrong verdicts or use
unbounded memory. Times and message ids may have any value.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any, Final, TypeAlias

from tck.check.columns import DUPS_OK, NEVER, NONE, UNSURE, End, Kind, Op, Out, Schema, Table
from tck.check.evidence import Names
from tck.record import Outcome, Verdict
from tck.reports.pipeline.errors import PartError
from tck.reports.pipeline.parquet import AGAIN, STORED, numpy_column, read_rows, read_table

Bounds: TypeAlias = Mapping[str, tuple[int, int]]
Sizes: TypeAlias = Mapping[str, Mapping[str, int]]

_MOST: Final = 2**63 - 1
_TIMES: Final = (
    *("t0", "t1", "p1", "s0", "s1", "since", "open0", "open1", "gone0", "gone1"),
    *("ack0", "ack1", "undo0", "drained", "waited", "blind"),
)
_ANY_SIDE: Final[Bounds] = {
    **dict.fromkeys(_TIMES, (-NEVER, NEVER)),
    **dict.fromkeys(("dest", "conn", "selector", "klass", "msg", "owner", "unit"), (NONE, _MOST)),
    "op": (0, max(Op.names())),
    "out": (0, max(Out.names())),
    "count": (NONE, _MOST),
    "nolocal": (UNSURE, _MOST),
    "answer": (NONE, 1),
}
"""Bounds of columns with the same meaning in operations and in every side table."""
_OWN: Final[Mapping[str, Bounds]] = {
    "operations": {"mode": (NONE, max(End.names()))},  # of the end of a branch
    "endpoints": {"kind": (0, max(Kind.names()))},
    "sessions": {"mode": (NONE, DUPS_OK)},
    "branches": {"kind": (0, max(End.names()))},
}
_COUNTED: Final[Bounds] = dict.fromkeys(
    (
        *("obligations", "violations", "undecided", "attempt", "attempts", "failed", "held", "cases"),
        *("bucket", "count", "worst"),
    ),
    (0, _MOST),
)
"""Bounds of the counts in the other tables."""
_VERDICTS: Final = frozenset(each.value for each in Verdict)
_OUTCOMES: Final = frozenset(each.value for each in Outcome)
_WORDS: Final[Mapping[str, Mapping[str, frozenset[str]]]] = {
    "names": {"kind": frozenset({*(each.name for each in fields(Names)), "cases"})},
    "verdict": {"verdict": _VERDICTS, "outcome": _OUTCOMES},
    "outcome": {"verdict": _VERDICTS},
    "standing": {"verdict": _VERDICTS},
    "trace_verdict": {"verdict": _VERDICTS | {""}, "outcome": _OUTCOMES | {""}},
}


def read_operations(path: Path, expected: Mapping[str, int], sizes: Sizes) -> Table:
    """Read a file of operations.

    Args:
        path: The file.
        expected: Its rows and bytes when it was written.
        sizes: Rows and bytes of each side table.

    Raises:
        PartError: as `read_table`, or a value is invalid.
    """
    return checked(read_table(path, STORED, expected), "operations", sizes, path)


def read_side(path: Path, name: str, schema: Schema, sizes: Sizes) -> Table:
    """Read a side table; arguments and errors as `read_operations`."""
    return checked(read_table(path, schema, sizes[name]), name, sizes, path)


def checked(table: Table, name: str, sizes: Sizes, path: Path) -> Table:
    """Return the table if all its values are within bounds.

    Raises:
        PartError: a value is not.
    """
    rows = {each: size["rows"] for each, size in sizes.items()}
    places = {
        "end": (NONE, rows["endpoints"] - 1),
        "session": (NONE if name != "operations" else 0, rows["sessions"] - 1),
        "consumer": (NONE, rows["consumers"] - 1),
    }
    for column, (least, most) in {**_ANY_SIDE, **places, **_OWN.get(name, {})}.items():
        values = table.columns.get(column)
        if values is not None and len(values):
            _within(column, (int(values.min()), int(values.max())), (least, most), path, AGAIN)
    return table


def read_known(
    path: Path, name: str, kinds: Mapping[str, str], expected: Mapping[str, int] | None = None, *, todo: str = AGAIN
) -> Any:  # noqa: ANN401 - pyarrow has no types
    """Read one of the tables of verdicts, findings or names, as an Arrow table.

    Raises:
        PartError: as `read_rows`, or a number or a word is invalid.
    """
    table = read_rows(path, kinds, expected, todo=todo)
    if not table.num_rows:
        return table
    for column in (each for each in kinds if each in _COUNTED):
        values = numpy_column(table.column(column))
        _within(column, (int(values.min()), int(values.max())), _COUNTED[column], path, todo)
    for column, words in _WORDS.get(name, {}).items():
        strange = sorted(set(table.column(column).unique().to_pylist()) - words)
        if strange:
            what = f"expected words of this kit in the column {column}, saw {strange[0]!r}"
            raise PartError(what, path=path, todo=todo)
    return table


def _within(column: str, found: tuple[int, int], bounds: tuple[int, int], path: Path, todo: str) -> None:
    (lowest, highest), (least, most) = found, bounds
    if least <= lowest and highest <= most:
        return
    what = f"from {least} to {most}" if most < _MOST else f"of {least} and more"
    strange = lowest if lowest < least else highest
    raise PartError(f"expected numbers {what} in the column {column}, saw {strange}", path=path, todo=todo)
