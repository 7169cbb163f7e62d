"""`tck run`: run the suite against a provider, judge it, write bundle and report."""

from __future__ import annotations

import contextlib
import os
from collections import Counter
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

import click

from tck.catalogue import Catalogue
from tck.cli.support import choices
from tck.cli.support.console import Problem, emit, emit_json, note, stdout_to_stderr
from tck.cli.support.pytest_session import Ended, run_suite
from tck.cli.support.run_end import conclude, prepare
from tck.cli.support.suite_tests import files_naming
from tck.plugin.state import State
from tck.profile import Profile, ProfileError, as_asked, check_has_releases, load_profile
from tck.record import Bundle, Exit, Verdict
from tck.running.options import DEFAULT_PROFILE, REAL_TIME
from tck.suite.support.journeys.rows import JUDGED

FEW_ROWS = {"python": 4, "jvm": 8}
"""Largest number of selected rows for which one process is faster than starting a second, by kind of adapter."""
MOST_WORKERS = 4
WAITING = 3
"""Workers for each processor where cases wait for a real clock, one after another: expiry, delays, calls that have to go on waiting."""
LANES = 6
"""Cases beside each other in each process of a Java provider."""
GROWTH = 2
"""Times as many workers of a Java provider as at the beginning, at most, while the machine has processors and memory to spare."""
DEBUGGERS = frozenset({"--pdb", "--trace", "-s", "--capture=no"})
"""Options of pytest that need the terminal, hence one process."""


XDIST = ("-n", "--numprocesses", "--dist", "--maxprocesses", "--max-worker-restart", "--tx")
"""Options that only xdist knows."""


REMEMBERING = frozenset(
    {"--lf", "--last-failed", "--ff", "--failed-first", "--nf", "--new-first", "--sw", "--stepwise", "--cache-show"}
)
"""Options of pytest that need its cache, which a run neither reads nor writes: it would depend on the runs before it."""


class WithPytestArguments(click.Command):
    """A command that passes everything behind `--` to pytest."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Set the rest aside, as `pytest_args`."""
        at = args.index("--") if "--" in args else len(args)
        ctx.meta["pytest_args"] = tuple(args[at + 1 :])
        return super().parse_args(ctx, args[:at])

    def collect_usage_pieces(self, ctx: click.Context) -> list[str]:
        """Show their place in the usage line."""
        return [*super().collect_usage_pieces(ctx), "[-- PYTEST_ARGUMENTS]"]


@click.command("run", cls=WithPytestArguments)
@choices.select_argument
@choices.profile_option
@choices.tier_option
@click.option("-n", "workers", default="auto", show_default=True, metavar="N|auto", help="Processes; 0 is this one.")
@click.option(
    "--points",
    type=click.Choice(["all", "one"]),
    default="all",
    show_default=True,
    help="Every point of a row's axes, or one per test, turning with the seed.",
)
@click.option("--seed", type=int, metavar="N", help="Order of the cases, choice of points (default: random, printed).")
@click.option("--strict", is_flag=True, help="Advisory and inconclusive verdicts fail the run too.")
@click.option(
    "--repeat", type=click.IntRange(min=1), default=1, show_default=True, metavar="N", help="Run each case N times."
)
@choices.setting_option
@choices.release_option
@click.option("--no-declarations", is_flag=True, help="Judge as if the profile declared no deviation.")
@click.option("--claim", type=click.Choice(["everything"]), help="Claim what the provider's maintainers disclaim, too.")
@click.option("--second", metavar="PROFILE", default="", help="Provider beside it, for scenarios that run on two.")
@click.option("--bridge", metavar="BRIDGE", default="", help="The bridge that the rows on interworking judge.")
@click.option(
    "--channel",
    metavar="CHANNEL",
    default="",
    help="The notification service it runs on: jacorb, a profile, or a reference. Without -p: beside reference-realtime.",
)
@click.option(
    "--budget",
    type=click.IntRange(min=10),
    metavar="SECONDS",
    help="Run what fits into that time, most telling cases first; the others are listed as left out.",
)
@choices.timeout_multiplier_option
@choices.out_option
@click.option("-v", "--verbose", is_flag=True, help="Show every case and every failure, not only the causes.")
@click.option(
    "--annotations", type=click.Choice(["github"]), help="Print `::error` lines, which GitHub shows at a build."
)
@click.option("--no-report", is_flag=True, help="Write the bundle only, no HTML.")
@choices.format_option
@click.pass_context
def command(
    ctx: click.Context,
    select: tuple[str, ...],
    profile: str,
    tier: str,
    workers: str,
    points: str,
    seed: int | None,
    strict: bool,
    repeat: int,
    settings: tuple[str, ...],
    release: str,
    no_declarations: bool,
    claim: str | None,
    second: str,
    bridge: str,
    channel: str,
    budget: int | None,
    out: Path,
    verbose: bool,
    annotations: str | None,
    no_report: bool,
    form: str,
) -> int:
    """Run the suite against a provider, judge it, write bundle and report.

    SELECT chooses the cases: ch03, 3.4, 3.4.3-1, level:must, feature:xa, hook:kill, a glob on case names
    ("3.4.1-1/queue/*"); several mean any of them, a+b means both. Nothing selects everything.
    """
    extra: tuple[str, ...] = ctx.meta["pytest_args"]
    extra = ("-v", *extra) if verbose else extra
    verbose = any(word.startswith(("-v", "--verbos")) for word in extra)
    if forgotten := REMEMBERING.intersection(extra):
        raise Problem(
            f"{min(forgotten)}: a run does not depend on those before it, so pytest's cache is not used. Each failure names "
            "the command that runs it again; `tck gate --against RUN` compares with an earlier run"
        )
    if channel and profile == DEFAULT_PROFILE:
        profile = REAL_TIME  # a service of its own has no virtual clock
    known = choices.catalogue()
    chosen = choices.selection(select, known) if select else None
    settings = choices.with_release(settings, release)
    checked = [check_profile(profile, tier, settings, known, release)]
    checked += [check_profile(second, tier, (), known)] if second else []
    kind = "jvm" if "jvm" in {each.adapter.kind for each in checked} else "python"
    travels = chosen is not None and points == "all" and not chosen.named.isdisjoint(JUDGED)
    few = chosen is not None and not travels and repeat * len(chosen.assertions) <= FEW_ROWS[kind]
    files = files_naming(chosen.assertions) if chosen else ()
    arguments = ["--profile", profile, "--points", points, "--repeat", str(repeat), "--out", str(out), "-r", "N"]
    arguments += ["--seed", str(seed)] if seed is not None else []
    arguments += ["--tier", tier] if tier else []
    arguments += ["--second", second] if second else []
    arguments += ["--bridge", bridge] if bridge else []
    arguments += ["--channel", channel] if channel else []
    arguments += ["--strict-verdicts"] if strict else []
    arguments += [word for text in select for word in ("--select", text)]
    arguments += [word for text in settings for word in ("--setting", text)]
    arguments += ["--no-declarations"] if no_declarations else []
    arguments += ["--claim", claim] if claim else []
    arguments += ["--budget", str(budget)] if budget else []
    arguments += extra
    allure = any(word.startswith("--alluredir") for word in extra)
    lanes = LANES if kind == "jvm" and can_fork(extra) and not (second or bridge or channel or budget) else 0
    count = workers_for(workers, few=few, waits=kind == "jvm" and not lanes, extra=extra)
    with stdout_to_stderr() if form == "json" else contextlib.nullcontext():
        ended = run_suite(
            arguments,
            files,
            workers=count,
            most=count * GROWTH if workers == "auto" and kind == "jvm" else 0,
            lanes=lanes,
            forks=can_fork(extra),
            allure=allure,
            meanwhile=partial(prepare, report=not no_report),
            hung=partial(_conclude_hung, report=not no_report, verbose=verbose, form=form),
        )
        _tell_unwritable(ended)
        index = conclude(ended, report=not no_report, verbose=verbose)
    if annotations and ended.state is not None and ended.state.controller and ended.state.controller.results:
        from tck.reports.export.annotations import github  # noqa: PLC0415 - only this option needs it

        lines = github(Bundle.open(ended.state.options.bundle), ended.state.catalogue).rstrip()
        (note if form == "json" else emit)(lines) if lines else None
    if form == "json" and ended.state is not None and ended.state.controller is not None:
        emit_json(summary(ended, ended.state, index))
    if ended.exit == Exit.NOTHING_JUDGED:
        note(f"tck: nothing was judged{_why(select, tier)}")
    return ended.exit


def _conclude_hung(ended: Ended, *, report: bool, verbose: bool, form: str) -> None:
    """Show what a run has judged whose only process hangs in a call that nothing can cut."""
    with stdout_to_stderr() if form == "json" else contextlib.nullcontext():
        index = conclude(ended, report=report, verbose=verbose)
    note(
        "tck: a call of the provider does not return, and no signal ends it: the run ends here, its process with it. "
        "With -n 2 another process goes on with the cases that follow"
    )
    if form == "json" and ended.state is not None:
        emit_json(summary(ended, ended.state, index))


def _tell_unwritable(ended: Ended) -> None:
    controller = ended.state.controller if ended.state else None
    if ended.state is not None and controller is not None and controller.problems.unwritable:
        options = ended.state.options
        note(
            f"tck: {controller.problems.unwritable} ({options.bundle}); free some space, or name another folder with --out. "
            f"`tck report {options.bundle} --allow-truncated` shows what was judged until then"
        )


def check_profile(name: str, tier: str, settings: Sequence[str], known: Catalogue, release: str = "") -> Profile:
    """Load the profile; refuse an unusable profile, tier, setting or release before anything starts.

    Raises:
        Problem: with what is wrong, where, and what to do.
    """
    try:
        profile = load_profile(name, known)
        check_has_releases(profile, release)
        return as_asked(profile, tier, settings)
    except ProfileError as error:
        raise Problem(str(error)) from error


def workers_for(text: str, *, few: bool = False, waits: bool = False, extra: Sequence[str] = ()) -> int:
    """Return the number of worker processes; 0 runs all in this one.

    Args:
        text: a number, or `auto`.
        few: whether the cases are so few that starting workers would take longer than they save.
        waits: whether the cases spend most of their time waiting for a real clock.
        extra: arguments for pytest; a debugger needs this process.

    Raises:
        Problem: it is neither a number nor `auto`.
    """
    if text != "auto":
        if not text.isdigit():
            raise Problem(f"-n {text}: expected a whole number from 0, or auto")
        return int(text)
    if few or not DEBUGGERS.isdisjoint(extra):
        return 0
    return min(MOST_WORKERS, max(2, os.cpu_count() or 2)) * (WAITING if waits else 1)


def can_fork(extra: Sequence[str] = ()) -> bool:
    """Return whether the processes of a run are forked, or else started by xdist: on Windows, or with an option of xdist."""
    xdist = any(word.startswith(XDIST) for word in extra)
    return hasattr(os, "fork") and not xdist


def summary(ended: Ended, state: State, index: Path | None) -> dict[str, Any]:
    """Render the result of a run; the keys are a contract, see docs/cli.md."""
    results = state.controller.results if state.controller else ()
    by_verdict: dict[str, Verdict] = {}
    ids: dict[Verdict, set[str]] = {}
    for result in results:
        by_verdict[result.case] = min(
            result.verdict, by_verdict.get(result.case, result.verdict), key=list(Verdict).index
        )
        for id_, verdict in result.verdicts.items():
            ids.setdefault(verdict, set()).add(id_)
    return {
        "run": state.options.run_id,
        "bundle": str(state.options.bundle),
        "report": str(index) if index else None,
        "cases": len(by_verdict),
        "outcomes": dict(sorted(Counter(result.outcome.value for result in results).items())),
        "verdicts": dict(sorted(Counter(verdict.value for verdict in by_verdict.values()).items())),
        "violations": choices.in_order(ids.get(Verdict.VIOLATION, ())),
        "stale": choices.in_order(ids.get(Verdict.STALE, ())),
        "tier": state.tier.name,
        "documentary": state.tier.documentary,
        "seed": state.options.seed,
        "exit": ended.exit,
    }


def _why(select: Sequence[str], tier: str) -> str:
    asked = f" of {' '.join(select)}" if select else ""
    under = f" under {tier}" if tier else ""
    return f"{asked}{under}: no case was selected, or none could be decided; `tck list --cases` shows what there is"
