"""The end of `tck run`, once pytest has returned: the HTML report, then the verdicts on the terminal."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

from tck.cli.support.bundles import reference_run
from tck.cli.support.console import Problem, emit, note
from tck.cli.support.pytest_session import Ended
from tck.plugin.state import State
from tck.record import Bundle, BundleError, Exit

SHOWN: Final = 5
"""How many of the cases that ran again are named."""
WIDE: Final = 160
"""Characters of the reason."""


def prepare(*, report: bool) -> None:
    """Load what the end of a run needs, while this process has nothing else to do.

    An error will be reported when the report is written; it must not end the cases that run meanwhile.
    """
    with contextlib.suppress(Exception):
        import tck.reports.export.terminal  # noqa: F401, PLC0415 - only a run that forks has the time for it
        from tck.reports.html.site import prepare as prepare_site  # noqa: PLC0415 - likewise

        if report:
            prepare_site()


def conclude(ended: Ended, *, report: bool, verbose: bool = False) -> Path | None:
    """Write the report and print the verdicts of a run with results; return the report's first page.

    Args:
        ended: How the session ended.
        report: Whether to write the report.
        verbose: Whether to print every surprise, however many there are.

    Raises:
        Problem: The report cannot be written.
    """
    state = ended.state
    if state is None or state.controller is None or not state.controller.results:
        return None
    from tck.reports.export.terminal import LINES, render_run  # noqa: PLC0415 - rich is loaded at the end only

    try:
        bundle = Bundle.open(state.options.bundle)
    except BundleError as error:
        note(f"tck: {error}")
        return None
    index, failure = None, None
    try:
        index = _write(bundle, state) if report else None
    except Problem as problem:
        failure = problem  # the verdicts are worth more than the report
    lines = [
        "",
        f"{' verdicts ':=^{ended.width}}",
        render_run(
            bundle, state.catalogue, width=ended.width, colour=ended.colour, lines=None if verbose else LINES
        ).rstrip(),
        "",
        *_again(state.controller.again),
        f"bundle  {state.options.bundle}",
        *([f"report  {index}"] if index else []),
        f"exit    {state.controller.exit.text}",
    ]
    emit("\n".join(lines))
    if failure is not None:
        raise failure
    return index


def _again(why: Mapping[str, str]) -> Iterator[str]:
    """Say which cases ran again, the first few with the reason."""
    if why:
        yield f"{len(why)} case{'s' * (len(why) > 1)} ran again, and the second time is what counts"
        for case, text in sorted(why.items())[:SHOWN]:
            yield f"  {case}  {' '.join(text.split())[:WIDE]}"
        yield from (["  ..."] if len(why) > SHOWN else [])
        yield ""


def _write(bundle: Bundle, state: State) -> Path:
    from tck.reports.html import write_site  # noqa: PLC0415 - the templates are loaded only when a report is written

    try:
        beside = reference_run(bundle, Path(state.options.out), state.catalogue)
        return write_site(bundle, state.options.site, state.catalogue, cases="surprises", reference=beside)
    except OSError as error:
        where = error.filename or state.options.site
        raise Problem(
            f"cannot write {where}: {error.strerror}; the bundle is whole, `tck report` writes the report",
            Exit.USAGE,
        ) from error
