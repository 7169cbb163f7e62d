"""`tck lookup WORDS | ID`: what does the reference provider do when ...? The rule, the evidence, and how others differ."""

from __future__ import annotations

import dataclasses
from collections import defaultdict
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from tck.catalogue import Assertion, Catalogue
from tck.cli.support import bundles, choices
from tck.cli.support.console import Problem, emit, emit_json, note, stdout_to_stderr
from tck.cli.support.rows import row_json, tier_version
from tck.cli.support.suite_tests import files_naming, ids_tested, suite_tests
from tck.record import Bundle, BundleError, Exit
from tck.record.runs import RUNS
from tck.running.options import DEFAULT_PROFILE

if TYPE_CHECKING:
    from tck.reports.lookup.index import Index


@click.command("lookup")
@click.argument("words", nargs=-1, required=True, metavar="WORDS | ID")
@click.option(
    "--run", "run", metavar="RUN", help="The recorded run of the reference provider to show (default: the newest)."
)
@click.option(
    "--with",
    "others",
    multiple=True,
    metavar="RUN",
    help="A run of another provider, to show how it differs; repeatable.",
)
@choices.tier_option
@click.option("-n", "limit", type=click.IntRange(1, 100), default=8, show_default=True, help="Rows listed.")
@click.option("--all", "everything", is_flag=True, help="Also show set-up calls.")
@click.option("--no-record", is_flag=True, help="Run nothing if no run is recorded; show the rule alone.")
@choices.out_option
@choices.format_option
def command(
    words: tuple[str, ...],
    run: str | None,
    others: tuple[str, ...],
    tier: str,
    limit: int,
    everything: bool,
    no_record: bool,
    out: Path,
    form: str,
) -> int:
    """Answer "what does the reference provider do when ...?".

    WORDS are searched for in rules, tests and recorded runs; ID is a row (6.2.7-6), a case of one
    (6.2.7-6/queue/classic/auto), a section of any version (6.2.7, 4.4.11) or an official number (JMS:SPEC:123). The
    best row is shown in full: the rule, the steps of the reference provider, and the case to run.
    """
    from tck.provenance import changed_since  # noqa: PLC0415 - help needs neither numpy nor SQL
    from tck.reports.lookup import render, runs  # noqa: PLC0415 - likewise
    from tck.reports.lookup.answer import answer  # noqa: PLC0415 - likewise
    from tck.reports.lookup.question import NoRowError, Sources  # noqa: PLC0415 - likewise

    known = choices.catalogue()
    version = tier_version(tier)
    recorded = runs.ReferenceRuns((out, out / bundles.PLACE), DEFAULT_PROFILE, known, version)
    reference = bundles.open_bundle(run, out) if run else recorded.newest()
    sources = Sources(known, ids_tested(), partial(_index, known, reference, out))
    try:
        asked = sources.ask(" ".join(words), limit, version)
    except NoRowError as error:
        raise Problem(str(error)) from error
    row = asked.rows[0]
    if version and not row.applies_to(version):
        raise Problem(
            f"{row.id} is not in force in {tier}: {render.in_force(row)}; without --tier it is shown as it is now"
        )
    compared = [bundles.open_bundle(other, out) for other in others]
    if run is None:
        if not version and row.until:  # a row that a later version dropped is shown as the last version had it
            recorded, reference = dataclasses.replace(recorded, version=row.until), None
        shown = recorded.with_case(row, asked.case, reference)
        if shown is None and not no_record and row.judged and row.id in ids_tested():
            shown = _record(row, out / bundles.PLACE, tier or row.until)
        reference = shown or reference
    try:
        runs.check_case(asked.case, row, [*([reference] if reference else []), *compared])
    except runs.NoCaseError as error:
        raise Problem(str(error)) from error
    found = answer(row, known, reference, compared, asked.case, partial(changed_since, catalogue=known))
    if form == "json":
        emit_json(
            {
                "query": " ".join(words),
                "by": asked.by,
                "hits": [render.hit_json(each) for each in asked.rows[:limit]],
                "missing": list(asked.found.missing) if asked.found else [],
                "row": {
                    **row_json(row, tested=row.id in ids_tested()),
                    "statement": row.statement,
                    "sections": dict(row.sections),
                    "restates": list(found.group),
                    "how": row.how,
                },
                "reference": render.did_json(found.reference),
                "others": [render.other_json(other) for other in found.others],
            }
        )
        return Exit.CONFORMANT
    hint = {} if others or found.reference is None else runs.of_others(out, DEFAULT_PROFILE)
    lines = [
        *render.nearness(asked.found),
        *render.text(found, setup=everything, tested=row.id in ids_tested()),
        *render.recorded_too(hint),
        *render.further(asked.rows, limit),
    ]
    emit("\n".join(lines))
    return Exit.CONFORMANT


def _index(known: Catalogue, reference: Bundle | None, out: Path) -> Index:
    from tck.reports.lookup.index import open_index  # noqa: PLC0415 - ids are found without SQL

    texts: dict[str, list[str]] = defaultdict(list)
    for test in suite_tests():
        for each in test.assertions:
            texts[each].append(f"{test.name} {test.title}")
    file = out / bundles.PLACE / "index.sqlite" if reference is not None else None
    return open_index(known, {each: " ".join(said) for each, said in texts.items()}, reference, file)


def _record(row: Assertion, place: Path, tier: str) -> Bundle | None:
    """Run the cases of a row on the reference provider, which takes a moment, and open the bundle."""
    from tck.cli.support.pytest_session import run_suite  # noqa: PLC0415 - only where nothing is recorded

    try:
        (place / RUNS).mkdir(parents=True, exist_ok=True)
    except OSError as error:
        note(
            f"tck: {row.id} is not recorded and {place} cannot be written ({error.strerror}); --out names another place"
        )
        return None
    note(f"tck: no run of the reference provider has {row.id} for this catalogue; recording its cases")
    words = ["--profile", DEFAULT_PROFILE, "--points", "all", "--seed", "0", "-p", "no:terminal"]
    words += ["--tier", tier] if tier else []
    words += ["--out", str(place), "--select", row.id]
    with stdout_to_stderr():
        ended = run_suite(words, files_naming({row.id}), workers=0)
    try:
        return Bundle.open(ended.state.options.bundle) if ended.state else None
    except BundleError as error:
        note(f"tck: the cases of {row.id} could not be recorded: {error}")
        return None
