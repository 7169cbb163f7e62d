"""Tracebacks that pytest can show.

An exception raised from outside, as by ^C or at a deadline, may come at an instruction that has no line. The line of its
entry is then None, at which pytest's report ends in a TypeError, or -1, as Python 3.11.2 has it.
"""

from __future__ import annotations

from typing import Any

import pytest
from _pytest._code import Traceback, TracebackEntry


def leave_out_lineless(excinfo: pytest.ExceptionInfo[Any]) -> None:
    """Leave the entries without a line out of the traceback that pytest shows."""
    whole = excinfo.traceback
    shown = [entry for entry in whole if _has_line(entry)]
    if len(shown) < len(whole):
        excinfo.traceback = Traceback(shown)


def _has_line(entry: TracebackEntry) -> bool:
    line: int | None = entry._rawentry.tb_lineno  # noqa: SLF001 - `entry.lineno` is what fails
    return line is not None and line > 0
