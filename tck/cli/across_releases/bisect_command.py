"""`tck bisect`: find the release of a provider in which a verdict turned."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterator
from pathlib import Path

import click

from tck.cli.across_releases.running import Ran, between, released_profile, run_release, verdict_of
from tck.cli.across_releases.search import SameVerdict, Tried, Turn, bisect
from tck.cli.support import choices
from tck.cli.support.console import Problem, emit, emit_json, note
from tck.profile.releases import Release, in_order
from tck.provenance import new_seed
from tck.record import BundleError, Exit, Verdict

UNDECIDED = frozenset({Verdict.HARNESS_ERROR, Verdict.INCONCLUSIVE, Verdict.UNSUPPORTED, Verdict.OBSERVATION})
"""Verdicts that say nothing of a release."""


@click.command("bisect")
@click.argument("profile")
@click.argument("row")
@click.option("--from", "first", metavar="VERSION", help="The oldest release to look at.")
@click.option("--to", "last", metavar="VERSION", help="The newest release to look at.")
@click.option(
    "--release",
    "listed",
    multiple=True,
    metavar="VERSION",
    help="Look at these releases only, in place of --from and --to.",
)
@choices.tier_option
@click.option("--seed", type=int, metavar="N", help="Order of the cases, the same for each release (default: random).")
@click.option(
    "--repeat", type=click.IntRange(min=1), default=1, show_default=True, metavar="N", help="Run each case N times."
)
@choices.setting_option
@choices.out_option
@choices.format_option
def command(
    profile: str,
    row: str,
    first: str | None,
    last: str | None,
    listed: tuple[str, ...],
    tier: str,
    seed: int | None,
    repeat: int,
    settings: tuple[str, ...],
    out: Path,
    form: str,
) -> int:
    """Find the release of a Java provider in which the verdict on a row turned.

    ROW is a row, or a glob on case names. The releases are those between --from and --to that the Maven repository lists;
    about log2 of them are run, each in a process of its own, without the profile's declarations.
    """
    known = choices.catalogue()
    choices.selection((row,), known)
    releases = _releases(profile, first, last, listed)
    seed = new_seed() if seed is None else seed
    arguments = [row, "-n", "0", "--seed", str(seed), "--no-declarations", "--repeat", str(repeat)]
    arguments += ["--tier", tier] if tier else []
    arguments += [word for text in settings for word in ("--setting", text)]
    steps = 2 + math.ceil(math.log2(max(1, len(releases) - 1)))
    note(
        f"tck: bisect {row} on {profile}: {len(releases)} releases from {releases[0]} to {releases[-1]}, about {steps} runs"
    )
    tried: list[Tried] = []

    def attempt(release: str) -> Tried:
        ran = run_release(profile, release, arguments, out)
        tried.append(_judged(row, release, ran, out))
        note(_line(tried[-1], max(map(len, releases))))
        return tried[-1]

    try:
        turn = bisect(releases, attempt)
    except SameVerdict as error:
        if form == "json":
            emit_json(_json(profile, row, releases, tried, None))
        raise Problem(f"{row} on {profile}: {error}", Exit.NOTHING_JUDGED) from None
    if form == "json":
        emit_json(_json(profile, row, releases, tried, turn))
    else:
        emit("\n".join([*_result(row, turn), *_changed(profile, turn)]))
    return Exit.CONFORMANT


def _releases(profile: str, first: str | None, last: str | None, listed: tuple[str, ...]) -> tuple[str, ...]:
    known = choices.catalogue()
    if listed:
        if first or last:
            raise click.UsageError("--release names the releases; leave out --from and --to")
        for each in listed:
            released_profile(profile, each, known)
        found = in_order(listed)
    elif first and last:
        found = between(profile, first, last, known)
    else:
        raise click.UsageError("expected --from and --to, or --release at least twice")
    if len(found) < 2:
        raise click.UsageError("expected at least two releases to look at")
    return found


def _judged(row: str, release: str, ran: Ran, out: Path) -> Tried:
    run = str(ran.summary.get("run", ""))
    if not run:
        return Tried(release, "", ran.said or f"the run ended with {ran.exit} and no result", "", ran.seconds)
    try:
        verdict, observed = verdict_of(row, run, out)
    except BundleError as error:
        return Tried(release, "", str(error), run, ran.seconds)
    decided = "" if verdict is None or verdict in UNDECIDED else verdict.value
    return Tried(release, decided, observed or ("" if decided else str(verdict)), run, ran.seconds)


def _line(tried: Tried, width: int) -> str:
    observed = f"  {' '.join(tried.observed.split())}" if tried.verdict != Verdict.CONFORMANT else ""
    return f"  {tried.release:<{width}}  {tried.verdict or 'not judged':<10}  {tried.seconds:5.1f} s{observed}"


def _result(row: str, turn: Turn) -> Iterator[str]:
    before, after = turn.before, turn.after
    yield f"{row}: {before.verdict} until {before.release}, {after.verdict} from {after.release} on"
    if turn.between:
        yield f"  between them and not judged: {', '.join(turn.between)}"
    for each in (before, after):
        yield f"  {each.release}: run {each.run}" + (
            f", observed {' '.join(each.observed.split())}" if each.observed else ""
        )
    earlier = sorted({each.release for each in turn.tried}, key=Release.of)
    yield f"  {len(earlier)} releases were run: {', '.join(earlier)}"


def _changed(profile: str, turn: Turn) -> Iterator[str]:
    """Say where the profile itself treats the two releases differently: the turn may then be of its making."""
    known = choices.catalogue()
    before, after = (released_profile(profile, each.release, known) for each in (turn.before, turn.after))
    keys = ("namespace", "java", "options", "broker", "factory")
    differ = [key for key in keys if before.adapter.settings.get(key) != after.adapter.settings.get(key)]
    differ += ["claims"] if before.claims != after.claims else []
    if differ:
        yield (
            f"  the profile treats the two differently as well ({', '.join(differ)}): "
            "`tck run --release` with --setting and --tier tries one as the other"
        )


def _json(
    profile: str, row: str, releases: tuple[str, ...], tried: list[Tried], turn: Turn | None
) -> dict[str, object]:
    return {
        "profile": profile,
        "row": row,
        "releases": list(releases),
        "tried": [dataclasses.asdict(each) for each in tried],
        "last_before": turn.before.release if turn else None,
        "first_after": turn.after.release if turn else None,
        "between": list(turn.between) if turn else [],
    }
