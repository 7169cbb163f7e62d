"""`tck coverage`: the rows that the suite tests, by level and chapter, and the official ids they cover."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import click

from tck.catalogue import Assertion, Catalogue, Level
from tck.catalogue.citations import OwnSections
from tck.catalogue.out_of_reach import load_out_of_reach
from tck.catalogue.tier_differences import documentary_note, in_force, tier_notes
from tck.catalogue.versions import BY_NAME, version_title
from tck.cli.support import bundles, choices
from tck.cli.support.console import emit, emit_json, table
from tck.cli.support.pytest_session import collect_suite
from tck.cli.support.rows import tier_version
from tck.record import Bundle, Exit
from tck.record.runs import RUNS, newest_folder
from tck.reports import show
from tck.reports.official_ids import api_table, covered_spec_ids, held_api_table
from tck.running.options import DEFAULT_PROFILE


@click.command("coverage")
@choices.select_argument
@choices.bundle_option
@choices.out_option
@click.option("--missing", is_flag=True, help="Name the official API ids that the run did not cover, too.")
@click.option("--waits", is_flag=True, help="Name the rows whose cases waited without a proof in the run, too.")
@choices.tier_option
@choices.format_option
def command(
    select: tuple[str, ...], bundle: str | None, out: Path, missing: bool, waits: bool, tier: str, form: str
) -> int:
    """Count what the suite tests, by chapter and level, and the official ids it covers.

    SELECT limits the rows, as for `tck run`, and a tier to those in force in that version, or stated by that draft; the
    chapters are then named as its text names them. The official figures are always those of the whole catalogue. Coverage
    is no verdict: the exit code is 0 for any figures.
    """
    tier_version(tier)
    known = choices.catalogue()
    chosen = choices.selection(select, known)
    opened = open_newest(bundle, out)
    tested = collect_suite(["--profile", DEFAULT_PROFILE]).ids
    rows = [row for row in known.values() if chosen.everything or row.id in chosen.assertions]
    rows = [row for row in rows if not tier or in_force(row, tier)]
    measured = measure(rows, known, tested, opened, tier)
    if form == "json":
        emit_json(measured)
    else:
        emit(_text(measured, opened, out))
        if missing and opened is not None:
            emit(_missing(measured["official"]["api"]))
        if waits and measured["waits"]:
            emit(waits_table(measured["waits"]))
    return Exit.CONFORMANT


def open_newest(run: str | None, out: Path) -> Bundle | None:
    """Open the requested bundle, else the newest; None if there is no run.

    Args:
        run: as for `bundles.find_folder`.
        out: the output folder.

    Raises:
        Problem: the bundle cannot be trusted, or the requested one is not there.
    """
    return None if run is None and newest_folder(out) is None else bundles.open_bundle(run, out)


def measure(
    rows: Sequence[Assertion], known: Catalogue, tested: Collection[str], bundle: Bundle | None, tier: str = ""
) -> dict[str, Any]:
    """Count; the keys are a contract, see docs/cli.md. Without a bundle no API id is covered or missing."""
    judged = [row for row in rows if row.judged]
    levels = {level.value: [row for row in rows if row.level is level] for level in Level}
    chapters = {chapter: [row for row in rows if row.chapter == chapter] for chapter in known.chapters}
    api = held_api_table(known, bundle) if bundle is not None else api_table(known, frozenset())
    unreachable = load_out_of_reach()
    covered = {id_ for each in api for id_ in each.covered}
    own = OwnSections.of(tier)
    return {
        "tier": tier or None,
        "documentary": bool(documentary_note(tier)),
        "stated": sum(own.text in row.sections for row in rows) if own.text else None,
        "tier_notes": {row.id: note for row, note in tier_notes(tier, known)},
        "rows": len(rows),
        "judged": len(judged),
        "tested": sum(row.id in tested for row in judged),
        "untested": choices.in_order(row.id for row in judged if row.id not in tested),
        "levels": {level: _count(members, tested) for level, members in levels.items() if members},
        "chapters": {
            chapter: {**_count(members, tested), "own": str(own.chapter(chapter, members))}
            for chapter, members in chapters.items()
            if members
        },
        "official": {
            "spec": {
                "testable": sum(official.testable for official in known.official_spec.values()),
                "covered": len(covered_spec_ids(known, tested)),
            },
            "api": {
                "testable": sum(each.testable for each in api),
                "covered": len(covered) if bundle is not None else None,
                "missing": {
                    id_: f"{each.name}.{call}" for each in api for id_, call in each.missing if id_ not in unreachable
                }
                if bundle is not None
                else {},
                "out_of_reach": dict(unreachable),
                "stale": sorted(covered & unreachable.keys()),
            },
        },
        "waits": bounded_waits(bundle, {row.id for row in rows}) if bundle is not None else None,
        "run": bundle.run.run if bundle is not None else None,
    }


def bounded_waits(bundle: Bundle, rows: Collection[str]) -> dict[str, dict[str, float]]:
    """Sum up the bounded waits without proof in a run, by the row that a case is named for.

    Args:
        bundle: the run.
        rows: ids of the rows that count.

    Returns:
        For each row whose cases waited, in the order of the catalogue: `count`, and `ms`, milliseconds in all.
    """
    count: Counter[str] = Counter()
    ms: defaultdict[str, float] = defaultdict(float)
    for result in bundle.results():
        row = result.case.partition("/")[0]
        waits = [wait.ms for wait in result.waits if not wait.timed]
        if row in rows and waits:
            count[row] += len(waits)
            ms[row] += sum(waits)
    return {row: {"count": count[row], "ms": round(ms[row], 1)} for row in choices.in_order(count)}


def _count(rows: Iterable[Assertion], tested: Collection[str]) -> dict[str, int]:
    rows = list(rows)
    judged = [row for row in rows if row.judged]
    return {"rows": len(rows), "judged": len(judged), "tested": sum(row.id in tested for row in judged)}


def _text(measured: dict[str, Any], bundle: Bundle | None, out: Path) -> str:
    head = ["", "rows", "judged", "tested", "untested"]

    def line(name: str, counts: dict[str, Any]) -> list[object]:
        return [name, counts["rows"], counts["judged"], counts["tested"], counts["judged"] - counts["tested"]]

    tier = measured["tier"]
    lines = [line(counts["own"] if tier else name, counts) for name, counts in measured["chapters"].items()]
    lines += [line(name, counts) for name, counts in measured["levels"].items()]
    lines.append(line("all", measured))
    spec, api = measured["official"]["spec"], measured["official"]["api"]
    return "\n".join(
        [
            table(head, lines, right=head[1:]),
            *_tier_lines(measured),
            f"official ids of the specification: {spec['covered']} of {spec['testable']} testable ones, by the rows that tests name",
            f"official ids of the API: {_api_text(api, bundle, out)}",
            f"bounded waits without proof: {_waits_text(measured, bundle)}",
            "`tck list --untested` names the judged rows that no test names",
        ]
    )


def _tier_lines(measured: dict[str, Any]) -> Iterator[str]:
    tier = measured["tier"]
    if not tier:
        return
    own = OwnSections.of(tier)
    stated = f", {measured['stated']:,} of them stated by the text of {own.stated}" if own.text else ""
    yield f"{version_title(tier)}: {measured['rows']:,} rows{stated}"
    notes = measured["tier_notes"]
    if notes:
        what = "said otherwise by the draft" if BY_NAME[tier].draft_of else "replaced by a later version"
        yield f"{show.count(len(notes), 'row')} {what}; `tck list --tier {tier}` names them"
    if measured["documentary"]:
        yield documentary_note(tier)


def _api_text(api: dict[str, Any], bundle: Bundle | None, out: Path) -> str:
    if bundle is None:
        return f"not measured: there is no run under {out / RUNS}; `tck run` makes one"
    others = f"{len(api['missing'])} are missing (`--missing` names them), {len(api['out_of_reach'])} are out of reach"
    part = f" of {' '.join(bundle.run.selection)} only" if bundle.run.selection else ""
    where = f"run {bundle.run.run}{part} on {bundle.run.provider.name} {bundle.run.provider.version}".rstrip()
    return f"{api['covered']} of {api['testable']} testable ones, by the held cases of {where}; {others}"


def _waits_text(measured: dict[str, Any], bundle: Bundle | None) -> str:
    if bundle is None:
        return "not measured, for the same reason"
    waits = measured["waits"].values()
    seconds = sum(each["ms"] for each in waits) / 1000
    named = "; `--waits` names them" if waits else ""
    return f"{sum(each['count'] for each in waits)} by cases of {len(waits)} rows, {seconds:.1f} s in all, in the same run{named}"


def waits_table(waits: dict[str, dict[str, float]]) -> str:
    """Lay out the result of `bounded_waits`, the longest first."""
    most = sorted(waits.items(), key=lambda each: -each[1]["ms"])
    lines = [[row, int(each["count"]), round(each["ms"])] for row, each in most]
    return table(["row", "waits", "ms"], lines, right=["waits", "ms"])


def _missing(api: dict[str, Any]) -> str:
    lines = [table(["not covered", "call"], [[id_, call] for id_, call in api["missing"].items()])]
    reasons = dict.fromkeys(api["out_of_reach"].values())
    for reason in reasons:
        ids = [id_ for id_, why in api["out_of_reach"].items() if why == reason]
        lines.append(f"out of reach: {reason}: {', '.join(ids)}")
    if api["stale"]:
        lines.append(f"covered, though listed as out of reach: {', '.join(api['stale'])}")
    return "\n".join(lines)
