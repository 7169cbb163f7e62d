"""Detection instead of a run: passes the collected items to `tck.detection`, which is independent of pytest."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tck.detection.detect import Collected, Detector, exit_code
from tck.plugin.collecting import parameter_of
from tck.plugin.state import State


def run(session: pytest.Session, state: State) -> None:
    """Run the saboteurs and dummies, and keep the table in the state."""
    cases = [Collected(found.point, item) for item in session.items if (found := parameter_of(item))]
    reporter: Any = session.config.pluginmanager.get_plugin("terminalreporter")
    options = state.options
    through = options.detect_through or None
    detector = Detector(cases, state.catalogue, state.selection, options.detect_scope, through)

    def judged() -> None:
        reporter.write(".", flush=True)
        state.interrupts.check()

    state.detection = detector.run(state, judged)
    reporter.write_line("")
    reporter.write_sep("=", "detection")
    for line in state.detection.text_lines():
        reporter.write_line(line)
    session.config.option.verbose = -2  # cases are judged in children: pytest would close with "no tests ran"
    if state.options.detect_out:
        Path(state.options.detect_out).write_text(json.dumps(state.detection.to_json(), indent=1), encoding="utf-8")


def exit_status(state: State, status: int) -> int:
    """Return the exit code of a detection that ended with a status of pytest's."""
    return int(exit_code(state.detection, interrupted=status == pytest.ExitCode.INTERRUPTED, failed=status != 0))
