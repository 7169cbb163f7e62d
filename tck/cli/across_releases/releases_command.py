"""`tck releases`: run the suite on several releases of a provider, one after the other, into one folder of runs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from tck.cli.across_releases.running import Ran, between, released_profile, run_release
from tck.cli.support import choices
from tck.cli.support.console import emit, emit_json, note, table
from tck.profile.releases import in_order
from tck.provenance import new_seed
from tck.record import Exit
from tck.record.runs import RUNS

WORST_FIRST = (
    Exit.INTERRUPTED,
    Exit.TERMINATED,
    Exit.KIT_ERROR,
    Exit.USAGE,
    Exit.PROVIDER_LOST,
    Exit.VIOLATION,
    Exit.NOTHING_JUDGED,
)
"""The order in which exit codes of runs decide that of the command."""


@click.command("releases")
@click.argument("profile")
@click.argument("select", nargs=-1, metavar="[SELECT]...")
@click.option("--release", "listed", multiple=True, metavar="VERSION", help="A release to run; repeatable.")
@click.option("--from", "first", metavar="VERSION", help="Run all releases from this one on that the repository lists.")
@click.option("--to", "last", metavar="VERSION", help="The last of them.")
@click.option("-n", "workers", default="auto", show_default=True, metavar="N|auto", help="Processes of each run.")
@click.option("--points", type=click.Choice(["all", "one"]), default="all", show_default=True, help="As in `tck run`.")
@click.option("--seed", type=int, metavar="N", help="Order of the cases, the same for each release (default: random).")
@choices.tier_option
@choices.setting_option
@choices.out_option
@choices.format_option
def command(
    profile: str,
    select: tuple[str, ...],
    listed: tuple[str, ...],
    first: str | None,
    last: str | None,
    workers: str,
    points: str,
    seed: int | None,
    tier: str,
    settings: tuple[str, ...],
    out: Path,
    form: str,
) -> int:
    """Run several releases of a Java provider, each in a process of its own, into one folder of runs.

    Each release is a profile of its own there (artemis-2.30.0), so `tck matrix` and the history show releases as columns. The
    exit code is the worst of the runs.
    """
    releases = _releases(profile, listed, first, last)
    seed = new_seed() if seed is None else seed
    arguments = [*select, "-n", workers, "--points", points, "--seed", str(seed), *(["--tier", tier] if tier else [])]
    arguments += [word for text in settings for word in ("--setting", text)]
    if select:
        choices.selection(select, choices.catalogue())
    ran: dict[str, Ran] = {}
    for number, release in enumerate(releases, 1):
        note(f"tck: {profile} {release}, {number} of {len(releases)}")
        ran[release] = run_release(profile, release, arguments, out)
        if not ran[release].summary:
            note(ran[release].said)
    code = next((each for each in WORST_FIRST if any(run.exit == each for run in ran.values())), Exit.CONFORMANT)
    if form == "json":
        emit_json(
            {"profile": profile, "runs": [_row(release, each) for release, each in ran.items()], "exit": int(code)}
        )
    else:
        emit(_table(ran))
        emit(_advice(ran, out))
    return code


def _releases(profile: str, listed: tuple[str, ...], first: str | None, last: str | None) -> tuple[str, ...]:
    known = choices.catalogue()
    if bool(first) != bool(last) or bool(first) == bool(listed):
        raise click.UsageError("expected --release once or more, or both --from and --to")
    for each in listed:
        released_profile(profile, each, known)
    return in_order(listed) if listed else between(profile, str(first), str(last), known)


def _row(release: str, ran: Ran) -> dict[str, Any]:
    return {"release": release, "exit": ran.exit, "seconds": round(ran.seconds, 1), **_kept(ran)}


def _kept(ran: Ran) -> dict[str, Any]:
    return {key: ran.summary.get(key) for key in ("run", "bundle", "cases", "verdicts", "violations")}


def _table(ran: dict[str, Ran]) -> str:
    head = ["release", "cases", "violations", "undecided", "harness errors", "seconds", "exit", "run"]
    rows: list[list[object]] = []
    for release, each in ran.items():
        verdicts = each.summary.get("verdicts", {})
        counts = [verdicts.get(name, 0) for name in ("violation", "undecided", "harness-error")]
        run = each.summary
        rows.append([release, run.get("cases", 0), *counts, f"{each.seconds:.0f}", each.exit, run.get("run", "none")])
    return table(head, rows, right=head[1:7])


def _advice(ran: dict[str, Ran], out: Path) -> str:
    runs = [str(each.summary["run"]) for each in ran.values() if each.summary.get("run")]
    if not runs:
        return f"no run under {out / RUNS} has a result"
    return f"side by side: tck matrix {' '.join(runs)} --out {out}"
