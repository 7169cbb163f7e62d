"""Rows of figures as text, as JSON and as a table of a Markdown page."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TypedDict

from benchmarks.bars.bar import Bar
from benchmarks.unavailable import Unavailable

BEGIN, END = "<!-- bars: begin -->", "<!-- bars: end -->"
_HEAD = "| id | what | unit | prototype | require | stretch | now | met |\n|---|---|---|---|---|---|---|---|\n"
_STATE = {True: "met", False: "MISSED", None: "not measured"}


class Row(TypedDict):
    """One bar as measured in this run; `now` and `met` are None if it could not be measured."""

    id: str
    what: str
    unit: str
    prototype: str
    require: float
    stretch: float
    higher: bool
    gated: bool
    now: float | None
    met: bool | None
    detail: str


def measure(bars: Sequence[Bar]) -> Iterator[Row]:
    """Measure bars one after the other."""
    for bar in bars:
        try:
            figure = bar.measure()
        except Unavailable as reason:
            now, met, detail = None, None, f"not measured: {reason}"
        else:
            now, met, detail = round(figure.value, 3), bar.met(figure), figure.detail
        yield Row(
            id=bar.id,
            what=bar.what,
            unit=bar.unit,
            prototype=bar.prototype,
            require=bar.require,
            stretch=bar.stretch,
            higher=bar.higher,
            gated=bar.gated,
            now=now,
            met=met,
            detail=detail,
        )


def as_text(row: Row) -> str:
    """Return a row as text."""
    sign = "at least" if row["higher"] else "at most"
    return (
        f"{row['id']:5} {_STATE[row['met']]:7} {row['now']} {row['unit']} ({sign} {row['require']}, stretch {row['stretch']})\n"
        f"      {row['what']}\n      {row['detail']}"
    )


def as_json(rows: Sequence[Row]) -> str:
    """Return all rows as one JSON list."""
    return json.dumps(rows, indent=1)


def write_into(page: Path, rows: Sequence[Row]) -> None:
    """Put rows into the table of a page, between the two markers; other rows stay as they are.

    Raises:
        ValueError: the page has no such markers.
    """
    text = page.read_text(encoding="utf-8")
    before, begin, rest = text.partition(BEGIN)
    table, end, after = rest.partition(END)
    if not begin or not end:
        raise ValueError(f"{page}: expected the lines {BEGIN} and {END} around the table, saw none")
    lines = {_id(line): line for line in table.splitlines() if re.match(r"\| [A-Z]\d", line)}
    lines.update({row["id"]: _line(row) for row in rows if row["now"] is not None})
    body = "".join(lines[name] + "\n" for name in sorted(lines, key=order))
    page.write_text(f"{before}{BEGIN}\n{_HEAD}{body}{END}{after}", encoding="utf-8")


def order(name: str) -> tuple[str, int, str]:
    """Return the sort key of a bar: P2 before P10, P10 before P10c."""
    letter, number, part = re.match(r"(\D*)(\d*)(.*)", name).groups()  # type: ignore[union-attr]  # always matches
    return letter, int(number or 0), part


def _id(line: str) -> str:
    return line.split("|")[1].split(maxsplit=1)[0]


def _line(row: Row) -> str:
    cells = (
        row["id"] + (" (gate)" if row["gated"] else ""),
        row["what"],
        row["unit"],
        row["prototype"],
        f"{'>=' if row['higher'] else '<='} {row['require']:g}",
        f"{row['stretch']:g}",
        f"{row['now']:g}",
        _STATE[row["met"]],
    )
    return f"| {' | '.join(cells)} |"
