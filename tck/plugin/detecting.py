"""Detection instead of a run: passes the collected items to `tck.detection`, which is independent of pytest."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tck.detection.detect import Collected, Detector, exit_code
from tck.detection.lawful import LawfulDetector
from tck.detection.lawful import exit_code as lawful_exit_code
from tck.plugin.collecting import parameter_of
from tck.plugin.state import State


def run(session: pytest.Session, state: State) -> None:
    """Run the saboteurs and dummies, or the lawful providers, and keep the table in the state."""
    cases = [Collected(found.point, item) for item in session.items if (found := parameter_of(item))]
    reporter: Any = session.config.pluginmanager.get_plugin("terminalreporter")
    options = state.options

    def judged() -> None:
        reporter.write(".", flush=True)
        state.interrupts.check()

    if options.detect_lawful:
        table: Any = LawfulDetector(cases, state.catalogue, state.selection).run(state, judged)
        state.lawful = table
    else:
        through = options.detect_through or None
        table = Detector(cases, state.catalogue, state.selection, options.detect_scope, through).run(state, judged)
        state.detection = table
    reporter.write_line("")
    reporter.write_sep("=", "detection")
    for line in table.text_lines():
        reporter.write_line(line)
    session.config.option.verbose = -2  # cases are judged in children: pytest would close with "no tests ran"
    if state.options.detect_out:
        Path(state.options.detect_out).write_text(json.dumps(table.to_json(), indent=1), encoding="utf-8")


def exit_status(state: State, status: int) -> int:
    """Return the exit code of a detection that ended with a status of pytest's."""
    interrupted = status == pytest.ExitCode.INTERRUPTED
    if state.options.detect_lawful:
        return int(lawful_exit_code(state.lawful, interrupted=interrupted, failed=status != 0))
    return int(exit_code(state.detection, interrupted=interrupted, failed=status != 0))
