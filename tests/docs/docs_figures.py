"""The figures of a page: a number with a unit, in prose or in a table.

A measured figure carries its origin. Its section has a line that begins `Figures of commit abcdef0, 2026-11-25`: the commit that was
measured or, for older figures, the one that recorded them. Blocks that a command writes need none, and neither does code: a default, a limit
or a constant is written in backticks, unit included.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date

GENERATED = re.compile(
    r"<!-- (bars|bad input|precision|faults|batches|runs): begin -->.*?<!-- \1: end -->"
    r"|<!-- index: .*?<!-- end of the index -->",
    re.DOTALL,
)
"""Blocks that a command writes, or that a test compares with the code."""
CODE = re.compile(r"^ *```.*?^ *```|(?<!`)(`+)(?!`).+?(?<!`)\1(?!`)", re.MULTILINE | re.DOTALL)
HEADING = re.compile(r"^#+ (.+)$", re.MULTILINE)
TIMES = "s|ms|us|min|minutes?|hours?|seconds?|milliseconds?|times"
SIZES = "bytes|KB|MB|GB|KiB|MiB|GiB"
OURS = (
    "assertions|cases|cores|deliveries|events|faults|files|images|lines|messages|modules|mutants|obligations|operations|plans|processes|programs|"
    "providers|reconnections|rows|runs|saboteurs|steps|survivors|syncs|tests|delivered|killed|sent|survived"
)
FIGURE = re.compile(
    rf"(?<![\w.,-])\d+(?:[.,/ ]\d+)*(?: million|M)?(?: ?%| ?(?:{TIMES}|{SIZES})\b| (?:more |of )?(?:{OURS})\b)"
)
ORIGIN = re.compile(r"^Figures of commit ([0-9a-f]{7,40}), (\d{4}-\d{2}-\d{2})\b", re.MULTILINE)


def figures(text: str) -> Iterator[tuple[str, str]]:
    """Yield the figures of a page that have no origin, each with the heading of its section."""
    for heading, part in sections(prose(text)):
        if not has_origin(part):
            yield from ((heading, figure) for figure in all_figures(part))


def all_figures(text: str) -> list[str]:
    """Return the figures of a text, with an origin or without."""
    return [found[0] for found in FIGURE.finditer(prose(text))]


def prose(text: str) -> str:
    """Return a page without code and without what is generated."""
    return CODE.sub("`code`", GENERATED.sub("", text))


def sections(text: str) -> Iterator[tuple[str, str]]:
    """Yield heading and text of each section, of whatever level, without the sections below it."""
    found = list(HEADING.finditer(text))
    for number, each in enumerate(found):
        yield each[1], text[each.end() : found[number + 1].start() if number + 1 < len(found) else len(text)]


def has_origin(part: str) -> bool:
    """Return whether a section says from when its figures are; a date that does not exist is an error."""
    dates = [date.fromisoformat(found[2]) for found in ORIGIN.finditer(part)]
    return dates != []
