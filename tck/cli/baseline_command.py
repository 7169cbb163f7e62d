"""`tck baseline RUN`: declare a run's violations as known deviations of the provider's profile."""

from __future__ import annotations

import dataclasses
import math
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, date, datetime, timedelta
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

import click

from tck.cli.support import bundles, choices
from tck.cli.support.console import Problem, emit, emit_json, note
from tck.profile import Declared, Deviation, Profile, ProfileError, load_profile, write_baseline
from tck.record import Bundle, Exit, Verdict

TO_FILL = "TO BE FILLED"
FLAKY_DAYS = 90
"""Days until a flakiness that a baseline declares expires."""


@click.command("baseline")
@click.argument("run", metavar="RUN")
@click.option("-p", "--profile", metavar="NAME|FILE", help="The profile to declare them in (default: that of the run).")
@click.option("--reason", default="", metavar="TEXT", help="Why the provider fails them, in one sentence.")
@click.option("--link", metavar="URL", help="Where the provider's maintainers or documentation say so.")
@click.option("--evidence", metavar="TEXT", help="The evidence, if there is nothing to link to.")
@click.option(
    "--write", is_flag=True, help="Append the tables to the profile; needs --reason, and --link or --evidence."
)
@choices.out_option
@choices.format_option
def command(
    run: str,
    profile: str | None,
    reason: str,
    link: str | None,
    evidence: str | None,
    write: bool,
    out: Path,
    form: str,
) -> int:
    """Print a run's violations as [[deviation]] tables, or write them into the profile.

    RUN is the folder of a run, its id, or `latest`. A declared deviation that holds again is stale and fails a run,
    so a baseline never grows unnoticed.
    """
    bundle = bundles.open_bundle(run, out)
    try:
        target = load_profile(profile or profile_argument(bundle))
    except ProfileError as error:
        raise Problem(f"{error}{'' if profile else '; -p names the profile'}") from error
    found = [
        dataclasses.replace(deviation, reason=reason or TO_FILL, link=link, evidence=evidence)
        for deviation in deviations_of(bundle)
        if target.deviation_for(deviation.assertion, deviation.cases) is None
    ]
    complete = bool(reason and (link or evidence))
    if write and found and not complete:
        raise Problem("--write needs --reason and one of --link, --evidence: a deviation needs a reason and its source")
    try:
        written = write_baseline(target.reference, found) if write and found else ()
    except ProfileError as error:
        raise Problem(str(error)) from error
    if form == "json":
        emit_json(_json(bundle, target, found, written))
    else:
        _show(bundle, target, found, written, complete=complete)
    return Exit.CONFORMANT


def profile_argument(bundle: Bundle) -> str:
    """Return the profile as the run's command line named it, else by its name."""
    words = bundle.run.command
    for word, following in zip(words, (*words[1:], ""), strict=True):
        if word in {"-p", "--profile"} and following:
            return following
        if word.startswith("--profile="):
            return word.partition("=")[2]
    return bundle.run.profile.name


def deviations_of(bundle: Bundle) -> list[Deviation]:
    """Return a declaration for each violation and undecided row of a run, with the fewest globs that match those cases only."""
    attempts: dict[str, dict[str, list[bool]]] = defaultdict(lambda: defaultdict(list))
    undecided: dict[str, set[str]] = defaultdict(set)
    for result in bundle.results():
        for id_, verdict in result.verdicts.items():
            attempts[id_][result.case].append(verdict is Verdict.VIOLATION)
            if verdict is Verdict.UNDECIDED:
                undecided[id_].add(result.case)
    found = []
    for id_ in choices.in_order(attempts):
        always = {case for case, failed in attempts[id_].items() if all(failed)}
        sometimes = {case: failed for case, failed in attempts[id_].items() if any(failed) and not all(failed)}
        found += [Deviation(id_, Declared.FAILS, "", cases) for cases in globs(always, set(attempts[id_]))]
        found += [_flaky(id_, case, failed) for case, failed in sorted(sometimes.items())]
        left_open = undecided[id_] - always - set(sometimes)
        found += [Deviation(id_, Declared.UNDECIDED, "", cases) for cases in globs(left_open, set(attempts[id_]))]
    return found


def _flaky(id_: str, case: str, failed: Sequence[bool]) -> Deviation:
    share = math.ceil(10 * sum(failed) / len(failed)) / 10
    until: date = datetime.now(UTC).date() + timedelta(days=FLAKY_DAYS)
    return Deviation(id_, Declared.FLAKY, "", case, at_most=share, expires=until)


def globs(failing: set[str], every: set[str]) -> list[str]:
    """Return globs that match the failing cases only: `*` if all fail, else by domain, interface, mode, name."""
    if failing == every:
        return ["*"] if every else []
    left, chosen = set(failing), []
    for glob in _candidates(failing):
        covered = {case for case in every if fnmatchcase(case, glob)}
        if covered <= failing and len(covered & left) > 1:
            chosen.append(glob)
            left -= covered
    return chosen + sorted(left)


def _candidates(cases: set[str]) -> Iterator[str]:
    """Yield globs from wide to narrow: one part of the name fixed beside the leading row, then two."""
    split = [case.split("/") for case in sorted(cases)]
    seen: dict[str, None] = {}
    for fixed in (1, 2):
        for parts in split:
            for at in range(1, len(parts) - fixed + 1):
                stars = ["*" if not at <= place < at + fixed else part for place, part in enumerate(parts)]
                seen["/".join([parts[0], *stars[1:]])] = None
    yield from seen


def _values(deviation: Deviation) -> dict[str, object]:
    values = {field.name: getattr(deviation, field.name) for field in dataclasses.fields(deviation)}
    values["outcome"] = deviation.outcome.value
    values["expires"] = deviation.expires.isoformat() if deviation.expires else None
    return {key: value for key, value in values.items() if key not in {"line", "file"}}


def _json(
    bundle: Bundle, target: Profile, found: Sequence[Deviation], written: Sequence[Deviation]
) -> Mapping[str, Any]:
    return {
        "run": bundle.run.run,
        "profile": str(target.path),
        "deviations": [_values(deviation) for deviation in found],
        "written": len(written),
    }


def _show(
    bundle: Bundle, target: Profile, found: Sequence[Deviation], written: Sequence[Deviation], *, complete: bool
) -> None:
    for result in bundle.results():
        if result.verdict is Verdict.STALE and result.deviation is not None:
            note(
                f"tck: stale: {result.deviation.assertion} at {target.path}:{result.deviation.line} holds again in {result.case}; delete it"
            )
    if not found:
        note(f"tck: run {bundle.run.run} has no violation that {target.path} does not declare")
    elif written:
        note(f"tck: {len(written)} deviations appended to {target.path}")
    else:
        emit("\n\n".join(toml_of(deviation) for deviation in found))
        if not complete:
            note(
                f"tck: fill in the reason and a link (or evidence) before the profile accepts them, or give --reason and --link; --write appends them to {target.path}"
            )


def toml_of(deviation: Deviation) -> str:
    """Render one [[deviation]] table, with placeholders for missing values."""
    from tomlkit import dumps  # noqa: PLC0415 - only printed tables need it

    values = {key: value for key, value in _values(deviation).items() if value is not None}
    if deviation.cases == "*":
        del values["cases"]
    if deviation.expires:
        values["expires"] = deviation.expires
    if not deviation.link and not deviation.evidence:
        values["link"] = TO_FILL
    return f"[[deviation]]\n{dumps(values).rstrip()}"
