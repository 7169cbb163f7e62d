"""`tck detect`: run the saboteurs and the dummies, and show which checks cannot fail."""

from __future__ import annotations

import contextlib
from pathlib import Path

import click
from click.core import ParameterSource

from tck.cli.support import choices
from tck.cli.support.console import emit, emit_json, note, stdout_to_stderr
from tck.cli.support.lawful_programs import PROGRAMS, explore_lawful, explored_lines
from tck.cli.support.pytest_session import run_suite
from tck.cli.support.suite_tests import SUITE, files_naming
from tck.profile.locate import find_profile
from tck.record import Exit


@click.command("detect")
@choices.select_argument
@click.option(
    "--scope",
    type=click.Choice(["own", "section", "all"]),
    default="section",
    show_default=True,
    help="Which other rows each saboteur runs, to find collateral: those of its section, or all; `own` runs none, and "
    "its own up to the first violation.",
)
@click.option(
    "--breadth",
    is_flag=True,
    help="Run all cases of each saboteur's own rows, and nothing else, and list the saboteurs that less than half of them "
    "notice: their fault fires under a condition that the row does not name.",
)
@click.option(
    "--lawful",
    is_flag=True,
    help="Run the lawful providers instead, which do otherwise than a SHOULD advises or use what a MAY permits: no check may "
    "call a MUST row of theirs broken. Each runs one point of every test, and random programs as `tck explore` does.",
)
@click.option(
    "--programs",
    type=click.IntRange(min=0),
    metavar="N",
    help=f"Random programs for each lawful provider (default: {PROGRAMS}); 0 for none. Needs --lawful.",
)
@click.option(
    "--through",
    metavar="PROFILE",
    help="Reach each saboteur through this profile, whose adapter takes the setting `saboteur`: its own cases run, up to "
    "the first violation. Shows whether an adapter hides faults.",
)
@choices.timeout_multiplier_option
@choices.format_option
@click.pass_context
def command(  # click passes the options by name
    context: click.Context,
    select: tuple[str, ...],
    scope: str,
    breadth: bool,
    lawful: bool,
    programs: int | None,
    through: str | None,
    form: str,
) -> int:
    """Run the saboteurs and the dummies: can each check fail?

    SELECT names the saboteurs by their rows, as for `tck run`; nothing selects all.
    """
    if lawful:
        if breadth or through is not None or context.get_parameter_source("scope") is not ParameterSource.DEFAULT:
            raise click.UsageError("--lawful runs providers that are right: leave --scope, --breadth and --through out")
        return _lawful(select, PROGRAMS if programs is None else programs, form)
    if programs is not None:
        raise click.UsageError("--programs belongs to --lawful")
    if breadth and through is not None:
        raise click.UsageError("--breadth measures the saboteurs, not an adapter: leave --through out")
    known = choices.catalogue()
    chosen = choices.selection(select, known) if select else None
    files: tuple[Path, ...] = (SUITE,)
    if chosen and scope != "all":
        files = files_naming({row.id for section in chosen.sections for row in known.section(section)})
    arguments = ["--detect", "--detect-scope", "breadth" if breadth else scope, "--seed", "0", "-r", "N"]
    arguments += [word for text in select for word in ("--select", text)]
    if through is not None:
        arguments += ["--detect-through", str(find_profile(through).resolve())]
    with stdout_to_stderr() if form == "json" else contextlib.nullcontext():
        ended = run_suite(arguments, files, workers=0)
    if form == "json" and ended.state is not None and ended.state.detection is not None:
        emit_json(ended.state.detection.to_json())
    if ended.exit == Exit.NOTHING_JUDGED:
        note("tck: nothing was run: no saboteur breaks a row of this selection")
    return ended.exit


def _lawful(select: tuple[str, ...], programs: int, form: str) -> int:
    """Run the lawful providers: the suite in forked children, then random programs."""
    if select:
        choices.selection(select, choices.catalogue())
    arguments = ["--detect", "--detect-lawful", "--seed", "0", "-r", "N"]
    arguments += [word for text in select for word in ("--select", text)]
    with stdout_to_stderr() if form == "json" else contextlib.nullcontext():
        ended = run_suite(arguments, (SUITE,), workers=0)
    table = ended.state.lawful if ended.state is not None else None
    if table is None or ended.exit in {Exit.INTERRUPTED, Exit.NOTHING_JUDGED}:
        if ended.exit == Exit.NOTHING_JUDGED:
            note("tck: nothing was run: no lawful provider belongs to a row of this selection")
        return ended.exit
    settings = {each.name: each.settings for each in table.treated}
    explored = explore_lawful(settings, programs) if programs else {}
    if form == "json":
        emit_json(table.to_json() | {"explored": {name: each.to_json() for name, each in explored.items()}})
    else:
        for line in explored_lines(explored, programs):
            emit(line)
    return max([ended.exit, *(each.exit for each in explored.values())])
