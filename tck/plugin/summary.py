"""The last lines of a run on a terminal; the tables themselves are made by `tck.reports.export.terminal` from the bundle."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tck.detection.judge import Detection

if TYPE_CHECKING:
    from tck.plugin.state import State


def print_run(reporter: Any, state: State) -> None:  # noqa: ANN401 - pytest's reporter
    """Print the verdicts by chapter, the surprises, the places of bundle and report, the exit code."""
    from tck.record import BundleError  # noqa: PLC0415
    from tck.reports.export.terminal import render_run  # noqa: PLC0415 - loaded at the end only

    controller = state.controller
    if controller is None or not controller.results:
        return
    try:
        bundle = state.bundle()
    except BundleError as error:
        reporter.write_line(f"tck: {error}")
        return
    width = reporter._tw.fullwidth  # noqa: SLF001 - pytest offers no public width
    colour = reporter._tw.hasmarkup  # noqa: SLF001 - nor whether colours are wanted
    reporter.write_sep("=", "verdicts")
    reporter.write_line(render_run(bundle, state.catalogue, width=width, colour=colour).rstrip())
    reporter.write_line("")
    reporter.write_line(f"bundle  {state.options.bundle}")
    if state.index is not None:
        reporter.write_line(f"report  {state.index}")
    reporter.write_line(f"exit    {int(controller.exit)} ({controller.exit.name.lower().replace('_', ' ')})")


def print_detection(reporter: Any, detection: Detection) -> None:  # noqa: ANN401 - pytest's reporter
    """Print what the saboteurs and the dummies showed."""
    reporter.write_sep("=", "detection")
    for line in detection.text_lines():
        reporter.write_line(line)
