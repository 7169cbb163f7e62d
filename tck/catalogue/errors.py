"""The one error of the catalogue: what is wrong, in which file, on which line, at which key. Imports nothing of ours."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path


class CatalogueError(Exception):
    """Report catalogue data that breaks a rule.

    Attributes:
        file: The data file.
        line: The line in it, counted from 1; 0 when the whole file is meant.
        key: The key of the row, or the empty string when the line itself is meant.
        message: What was expected, what was seen and what to do.
    """

    def __init__(self, file: Path | str, line: int, key: str, message: str) -> None:
        self.file = str(file)
        self.line = line
        self.key = key
        self.message = message
        place = f"{self.file}:{line}" if line else self.file
        super().__init__(f"{place}: {key}: {message}" if key else f"{place}: {message}")


def did_you_mean(word: str, known: Collection[str]) -> str:
    """Return ``, did you mean "x"?`` for the nearest known word, or the empty string when none is near."""
    import difflib  # noqa: PLC0415 - only errors need it, and every start of the kit would pay for it

    near = difflib.get_close_matches(word, known, n=1)
    return f', did you mean "{near[0]}"?' if near else ""
