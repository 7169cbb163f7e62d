"""The last lines of a run on a terminal: where the bundle is, and the command that writes the report from it.

`-p no:tck-summary` leaves them out, as `tck run` does, which prints the verdicts itself.
"""

from __future__ import annotations

import shlex
from typing import Any, Final

import pytest

from tck.plugin.state import State
from tck.running.options import OUT

NAME: Final = "tck-summary"


class Summary:
    """The plugin that prints them."""

    def __init__(self, state: State) -> None:
        self._state = state

    @pytest.hookimpl(trylast=True)
    def pytest_terminal_summary(self, terminalreporter: Any) -> None:  # noqa: ANN401 - pytest's reporter
        """Print them, if the run has results."""
        controller, options = self._state.controller, self._state.options
        if controller is None or not controller.results:
            return
        words = ["python", "-m", "tck", "report", options.run_id]
        words += [] if options.out == str(OUT.absolute()) else ["--out", options.out]
        terminalreporter.write_sep("=", "run")
        terminalreporter.write_line(f"bundle  {options.bundle}")
        terminalreporter.write_line(f"report  {shlex.join(words)}")
        terminalreporter.write_line(f"exit    {controller.exit.text}")
