"""Output of the commands: text tables or one JSON object on stdout, everything else on stderr.

Colour and drawn tables on a terminal only. Imports `tck.record` for the exit codes.
"""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import sys
import textwrap
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final, TextIO

import click

from tck.record import Exit


@dataclass(slots=True)
class Settings:
    """The options before the command."""

    debug: bool = False


class Problem(click.ClickException):
    """End the command with one message and an exit code; the message says what, where and what to do."""

    def __init__(self, message: str, code: Exit = Exit.USAGE) -> None:
        super().__init__(message)
        self.code = code


LOOKALIKES = str.maketrans(
    {
        "─": "-", "━": "-", "│": "|", "…": "...", "“": '"', "”": '"', "\u2019": "'", "\u2013": "-", "\u00d7": "x",
        "→": "->", "≤": "<=", "✓": "+", "✗": "x", "⚠": "!!", "↺": "@", "¿": "??", "≈": "~", "◦": "o", "∅": "-",
    }
)  # fmt: skip
"""ASCII for the symbols of our texts, where a terminal has another encoding than UTF-8."""


class Output:
    """Standard output that never fails: it survives a reader who went away, and encodings without our symbols.

    Args:
        stream: The stream of Python; None where the process was started with stdout closed.
    """

    def __init__(self, stream: TextIO | None) -> None:
        self._stream = _closed_stdout() if stream is None else stream
        self.reader_gone = False

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - whatever the stream has
        return getattr(self._stream, name)

    def write(self, text: str) -> int:
        """Write text in characters that the encoding has."""
        self._try(lambda: self._stream.write(printable(text, self._stream.encoding)))
        return len(text)

    def writelines(self, texts: Iterable[str]) -> None:
        """Write several texts."""
        for text in texts:
            self.write(text)

    def flush(self) -> None:
        """Flush what was written."""
        self._try(self._stream.flush)

    def _try(self, work: Callable[[], object]) -> None:
        try:
            work()
        except BrokenPipeError:
            self.reader_gone = True
            os.dup2(os.open(os.devnull, os.O_WRONLY), self._stream.fileno())


def printable(text: str, encoding: str | None) -> str:
    """Return text in characters that an encoding has: an ASCII lookalike or a question mark stands for others."""
    try:
        text.encode(encoding or "utf-8")
    except UnicodeEncodeError:
        known = text.translate(LOOKALIKES)
        return known.encode(encoding or "utf-8", "replace").decode(encoding or "utf-8")
    return text


def _closed_stdout() -> TextIO:
    """Open the null device in the place of a closed stdout, or the next file that is opened would take it."""
    null = os.open(os.devnull, os.O_WRONLY)
    if null != 1:
        os.dup2(null, 1)
        os.close(null)
    return open(1, "w", encoding="utf-8", closefd=False)


class ReaderGoneError(Exception):
    """The reader of our output went away, as `head` does."""


def emit(text: str) -> None:
    """Print text to stdout.

    Raises:
        ReaderGoneError: nobody reads it.
    """
    try:
        sys.stdout.write(text if text.endswith("\n") else text + "\n")
        sys.stdout.flush()
    except BrokenPipeError as error:
        raise ReaderGoneError from error
    if reader_gone():
        raise ReaderGoneError


def reader_gone() -> bool:
    """Return whether nobody reads stdout any more."""
    return bool(getattr(sys.stdout, "reader_gone", False))


def emit_json(content: object) -> None:
    """Print one JSON value to stdout, within `stdout_to_stderr` to the stdout outside."""
    text = json.dumps(content, indent=2, ensure_ascii=False)
    if not _saved:
        emit(text)
        return
    with os.fdopen(os.dup(_saved[0]), "w", encoding="utf-8") as stdout:
        stdout.write(f"{text}\n")


def note(text: str) -> None:
    """Print progress or advice to stderr."""
    click.echo(text, err=True)


_saved: Final[list[int]] = []
"""Descriptors of stdout, the outermost first, while it is redirected."""


@contextlib.contextmanager
def stdout_to_stderr() -> Iterator[None]:
    """Redirect stdout of this process and its children to stderr within the block."""
    sys.stdout.flush()
    _saved.append(os.dup(1))
    os.dup2(2, 1)
    try:
        yield
    finally:
        sys.stdout.flush()
        os.dup2(_saved[-1], 1)
        os.close(_saved.pop())


_NARROW = 60
"""Up to this width columns in a file or a pipe are folded too; else they stay as they are, for other programs."""


def table(head: Sequence[str], rows: Sequence[Sequence[object]], right: Sequence[str] = ()) -> str:
    """Render a table: drawn on a terminal, in plain columns elsewhere.

    Where a terminal is too narrow for the longest words, each row is a block of lines, a cell on each; so it is elsewhere where
    `COLUMNS` asks for a width of a phone.

    Args:
        head: the names of the columns.
        rows: a cell per column.
        right: names of the columns that hold numbers.
    """
    cells = [[str(cell) for cell in row] for row in rows]
    drawn = sys.stdout.isatty()
    width = shutil.get_terminal_size().columns
    if drawn or width <= _NARROW:
        least = [max(_longest(row[at], drawn) for row in [head, *cells]) for at in range(len(head))]
        if sum(least) + (3 * len(head) + 1 if drawn else 2 * (len(head) - 1)) > width:
            return _blocks(head, cells, width)
    return _drawn(head, cells, right) if sys.stdout.isatty() else _plain(head, cells, right)


def _longest(cell: str, folds: bool) -> int:
    """Return the room that a cell needs: drawn cells fold between words."""
    return max(map(len, cell.split()), default=0) if folds else len(cell)


def _blocks(head: Sequence[str], cells: Sequence[Sequence[str]], width: int) -> str:
    """Render each row as its first cell and the others below it, named; empty ones and zeros are left out."""
    lines = []
    for first, *others in cells:
        lines.append(first)
        for name, cell in zip(head[1:], others, strict=True):
            if cell.strip() not in {"", "0"}:
                lines += textwrap.wrap(f"{name}: {cell}", width, initial_indent="  ", subsequent_indent="    ")
    return "\n".join(lines) + "\n"


def _plain(head: Sequence[str], cells: Sequence[Sequence[str]], right: Sequence[str]) -> str:
    widths = [max(len(row[at]) for row in [head, *cells]) for at in range(len(head))]
    lines = []
    for row in [head, *cells]:
        parts = [
            cell.rjust(width) if name in right else cell.ljust(width)
            for cell, width, name in zip(row, widths, head, strict=True)
        ]
        lines.append("  ".join(parts).rstrip())
    return "\n".join(lines) + "\n"


def _drawn(head: Sequence[str], cells: Sequence[Sequence[str]], right: Sequence[str]) -> str:
    from rich import box  # noqa: PLC0415 - only a terminal needs it
    from rich.console import Console  # noqa: PLC0415 - likewise
    from rich.table import Table  # noqa: PLC0415 - likewise
    from rich.text import Text  # noqa: PLC0415 - likewise

    drawn = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for name in head:
        drawn.add_column(name, justify="right" if name in right else "left", overflow="fold")
    for row in cells:
        drawn.add_row(*map(Text, row))
    console = Console()
    with console.capture() as capture:
        console.print(drawn)
    return capture.get()
