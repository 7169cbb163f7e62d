"""Tracebacks that pytest can show.

An exception raised from outside, as by ^C or at a deadline, may come at an instruction that has no line. Python then
says that its line is None, and pytest's report of it ends in a TypeError.
"""

from __future__ import annotations

from typing import Any

import pytest
from _pytest._code import Traceback, TracebackEntry


def leave_out_lineless(excinfo: pytest.ExceptionInfo[Any]) -> None:
    """Leave the entries without a line out of the traceback that pytest shows."""
    whole = excinfo.traceback
    shown = [entry for entry in whole if _line(entry) is not None]
    if len(shown) < len(whole):
        excinfo.traceback = Traceback(shown)


def _line(entry: TracebackEntry) -> int | None:
    line: int | None = entry._rawentry.tb_lineno  # noqa: SLF001 - `entry.lineno` is what fails
    return line
