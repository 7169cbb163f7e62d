"""`tck gate RUN --against BASELINE`: fail on new violations only, each with its reason; for continuous integration."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import click

from tck.catalogue import Catalogue
from tck.cli.support import bundles, choices
from tck.cli.support.console import Problem, emit, emit_json, note
from tck.record import Bundle, Exit, Verdict
from tck.reports import earlier_runs, verdict_snapshot
from tck.reports.gate import (
    KINDS,
    ChangedCase,
    GateResult,
    IncomparableError,
    KnownViolation,
    NewViolation,
    by_assertion,
    gate,
)
from tck.reports.show import count, one_line
from tck.reports.verdict_snapshot import Origin, VerdictSnapshot

POINTS = 6
"""Cases shown of one assertion."""
LONGEST = 400
"""Characters shown of expected and observed values."""


@click.command("gate")
@click.argument("run", metavar="RUN", default=bundles.LATEST)
@click.option(
    "--against",
    metavar="BASELINE|HISTORY",
    help="The baseline: a run (folder or id), a gate file, or the folder of a history store.",
)
@click.option(
    "--write",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Write RUN's verdicts as a gate file, the baseline of later runs; with --against only if the gate passes.",
)
@choices.out_option
@choices.format_option
def command(run: str, against: str | None, write: Path | None, out: Path, form: str) -> int:
    """Compare a run with a baseline or a history and fail on new violations only.

    RUN is the folder of a run, its id, or `latest` (default). A violation is new unless the last run that decided the case
    had it too, or it came back before among the last runs with the same kit and provider.
    """
    if against is None and write is None:
        raise Problem(
            "expected --against BASELINE (a run, a gate file or a history store), or --write FILE to make one"
        )
    bundle = bundles.open_bundle(run, out)
    current = verdict_snapshot.of_bundle(bundle)
    if against is None:
        output: dict[str, Any] = {"run": bundle.run.run, "written": str(_write(current, write)) if write else None}
        emit_json(output) if form == "json" else emit(f"gate file  {output['written']}")
        return Exit.CONFORMANT
    gated = _gate(current, _past(against, current, out))
    code = _exit(gated, bundle)
    # Otherwise the baseline would contain the violations that this gate refused, and they would pass the next time.
    written = _write(current, write) if write is not None and code == Exit.CONFORMANT else None
    if form == "json":
        emit_json({**_json(gated), "written": str(written) if written else None, "exit": int(code)})
    else:
        emit("\n".join(_text(gated, bundle, choices.catalogue())))
        if write:
            note(f"tck: gate file {write} {'written' if written else 'not written: the gate did not pass'}")
    return code


def _past(text: str, current: VerdictSnapshot, out: Path) -> VerdictSnapshot:
    """Read the baseline: a gate file, a history store, or a bundle."""
    path = Path(text)
    try:
        if path.is_file() and path.name != "run.json":
            return verdict_snapshot.read(path)
        if earlier_runs.is_store(path):
            return earlier_runs.snapshot_before(path, current.newest)
    except earlier_runs.NothingEarlierError as error:
        todo = (
            f"`tck pipeline ingest RUN --store {path}` adds an earlier one, else the next run is the first to have one"
        )
        raise Problem(f"{error}; {todo}") from error
    except (verdict_snapshot.GateFileError, earlier_runs.HistoryError) as error:
        raise Problem(str(error)) from error
    if path.is_dir() and not (path / "run.json").exists():
        raise Problem(
            f"{path}: neither a run (no run.json) nor a history store (no table `verdict`); "
            "give the folder of a run, a gate file, or a folder that `tck pipeline history` wrote"
        )
    return verdict_snapshot.of_bundle(bundles.open_bundle(text, out))


def _gate(current: VerdictSnapshot, past: VerdictSnapshot) -> GateResult:
    try:
        return gate(current, past)
    except IncomparableError as error:
        raise Problem(str(error)) from error


def _write(current: VerdictSnapshot, path: Path) -> Path:
    if path.exists() and not path.is_file():
        raise Problem(f"cannot write {path}: it is not a file and cannot be replaced; --write names another file")
    try:
        return verdict_snapshot.write(current, path)
    except OSError as error:
        raise Problem(f"cannot write {path}: {error.strerror}; --write names another file") from error


def _exit(gated: GateResult, bundle: Bundle) -> Exit:
    """Return the exit code of the gate; a run that did not end passes no gate."""
    ended = Exit(bundle.end.exit) if bundle.end is not None else Exit.KIT_ERROR
    if ended in {Exit.INTERRUPTED, Exit.TERMINATED, Exit.USAGE, Exit.PROVIDER_LOST}:
        return ended
    if ended is Exit.KIT_ERROR and not any(
        entry.verdict is Verdict.HARNESS_ERROR for entry, *_ in gated.current.case_verdicts.values()
    ):
        return ended  # it failed outside all cases
    return gated.exit


# -- text ----------------------------------------------------------------------------------------------------------------


def _text(gated: GateResult, bundle: Bundle, known: Catalogue) -> Iterator[str]:
    now = gated.current.newest
    yield f"run {now.run} of {now.subject} ({now.tier}) against {gated.past.source}{_span(gated.past)}"
    yield ""
    if gated.new:
        rows = by_assertion(gated.new)
        yield f"new violations: {count(len(rows), 'assertion')} in {count(len(gated.new), 'case')}"
        for assertion in choices.in_order(rows):
            yield from _row(assertion, rows[assertion], bundle, known)
    else:
        yield "no new violation"
    if gated.unjudged:
        yield ""
        yield f"decided before and not judged now: {count(len(gated.unjudged), 'case')}"
        for verdict in (Verdict.HARNESS_ERROR, Verdict.UNDECIDED, Verdict.INCONCLUSIVE):
            names = [each.case for each in gated.unjudged if each.now is verdict]
            if names:
                yield f"  {verdict.value}: {_some(names)}"
    yield from _known_lines(gated.known)
    yield from _fixed_lines(gated.fixed)
    if gated.gone:
        yield ""
        yield f"violated before and not asked by this run: {_some(case for _, case in gated.gone)}"
    if gated.unasked:
        yield ""
        yield f"decided before and not asked by this run: {count(gated.unasked, 'other case')}"


def _span(past: VerdictSnapshot) -> str:
    newest = past.newest
    if past.kind != "history":
        return f" of {newest.at}, {newest.subject}, kit {newest.kit}"
    return f", {count(len(past.origins), 'run')} up to {newest.at}"


def _row(assertion: str, found: Sequence[NewViolation], bundle: Bundle, known: Catalogue) -> Iterator[str]:
    row = known.get(assertion)
    yield f"  {assertion}  {row.level if row else ''}  {row.statement if row else 'not in this catalogue'}"
    groups: dict[tuple[str, ...], list[NewViolation]] = {}
    for each in found:
        groups.setdefault(tuple(_reason(each)), []).append(each)
    for reason, alike in groups.items():
        for each in alike[:POINTS]:
            yield f"    {each.case}"
        if len(alike) > POINTS:
            yield f"    and {len(alike) - POINTS} more"
        yield from (f"      {line}" for line in reason)
        results = [result for result in bundle.by_assertion[assertion] if result.case == alike[0].case]
        broken = [each for each in results if each.verdicts.get(assertion) is Verdict.VIOLATION]
        result = (broken or results)[0]
        for name, text in (("expected", result.expected), ("observed", result.observed)):
            if text:
                yield f"      {name:<9} {one_line(text, LONGEST)}"


def _reason(new: NewViolation) -> Iterator[str]:
    """Explain why a violation is new: the verdict before, the changes since, and whether it is flaky."""
    if new.before is None:
        held = f"; {count(new.held_elsewhere, 'other point')} of the row held" if new.held_elsewhere else ""
        yield f"{'before':<9} not asked{held}"
    else:
        at = new.before.origin
        yield f"{'before':<9} {new.before.verdict.value} in run {at.run} of {at.at}: {KINDS[new.kind]}"
    yield f"{'since':<9} {_changed(new)}"
    if new.failed < new.attempts:
        yield f"{'flaky':<9} failed in {new.failed} of {count(new.attempts, 'attempt')}"


def _changed(new: NewViolation) -> str:
    if new.changed:
        return ", ".join(
            f"{name} {one_line(old, 60)} became {one_line(value, 60)}"
            if name in {"provider", "kit"}
            else f"the {name} changed"
            for name, (old, value) in new.changed.items()
        )
    if new.before is None:
        return "the case is new to this baseline; neither kit, provider, catalogue nor profile changed"
    unchanged = "neither kit, provider, catalogue nor profile changed"
    return f"{unchanged}: the case may be flaky; --repeat shows it" if new.flaky else unchanged


def _known_lines(found: Sequence[KnownViolation]) -> Iterator[str]:
    if not found:
        return
    yield ""
    yield f"known violations: {count(len({each.assertion for each in found}), 'assertion')} in {count(len(found), 'case')}"
    flaky = [each for each in found if each.why == "flaky"]
    if flaky:
        yield f"  of these flaky, having come and gone before with the same kit and provider: {_some(f'{each.case} ({each.broken} of {each.asked})' for each in flaky)}"
    elsewhere = [each for each in found if each.why == "row"]
    if elsewhere:
        yield f"  of these at points not asked before, of rows that were violated: {_some(each.case for each in elsewhere)}"


def _fixed_lines(found: Sequence[ChangedCase]) -> Iterator[str]:
    if not found:
        return
    held = [each for each in found if each.now is not Verdict.DECLARED]
    declared = [each for each in found if each.now is Verdict.DECLARED]
    yield ""
    yield f"fixed: {count(len(held), 'case')}{': ' + _some(each.case for each in held) if held else ''}"
    if declared:
        yield f"declared since as deviations: {_some(each.case for each in declared)}"


def _some(names: Iterable[str]) -> str:
    found = list(names)
    more = len(found) - 2 * POINTS
    return ", ".join(found[: 2 * POINTS]) + (f" and {more} more" if more > 0 else "")


# -- json ----------------------------------------------------------------------------------------------------------------


def _json(gated: GateResult) -> dict[str, Any]:
    return {
        "run": gated.current.newest.run,
        "against": gated.past.source,
        "kind": gated.past.kind,
        "runs": len(gated.past.origins),
        "common": gated.common,
        "new": [_new_json(each) for each in gated.new],
        "known": [
            {
                "assertion": each.assertion,
                "case": each.case,
                "why": each.why,
                "since": _origin(each.since),
                "broken": each.broken,
                "asked": each.asked,
            }
            for each in gated.known
        ],
        "fixed": [_fixed_json(each) for each in gated.fixed],
        "unjudged": [_fixed_json(each) for each in gated.unjudged],
        "gone": [{"assertion": assertion, "case": case} for assertion, case in gated.gone],
        "unasked": gated.unasked,
    }


def _new_json(new: NewViolation) -> dict[str, Any]:
    return {
        "assertion": new.assertion,
        "case": new.case,
        "kind": new.kind,
        "why": KINDS[new.kind],
        "before": {"verdict": new.before.verdict.value, "in": _origin(new.before.origin)} if new.before else None,
        "since": _origin(new.since),
        "changed": {name: {"from": old, "to": value} for name, (old, value) in new.changed.items()},
        "flaky": new.flaky,
        "failed": new.failed,
        "attempts": new.attempts,
    }


def _fixed_json(fixed: ChangedCase) -> dict[str, Any]:
    return {
        "assertion": fixed.assertion,
        "case": fixed.case,
        "now": fixed.now.value,
        "violated": _origin(fixed.last),
    }


def _origin(origin: Origin) -> dict[str, str]:
    return {key: value for key, value in dataclasses.asdict(origin).items() if key in {"run", "at", "version", "kit"}}
