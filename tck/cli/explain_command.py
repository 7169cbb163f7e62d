"""`tck explain ID`: one row from claim to evidence: its text, the tests that judge it, its results in a run."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from tck.catalogue import CORPUS, PLANS, Assertion, Catalogue, Scenario, load_scenarios
from tck.catalogue.citations import OwnSections
from tck.catalogue.find import UnknownRowError, find_row
from tck.catalogue.tier_differences import documentary_note, holds_since, in_force, load_replaced
from tck.catalogue.versions import version_title
from tck.cli.support import bundles, choices
from tck.cli.support.console import Problem, emit, emit_json
from tck.cli.support.corpus_text import explain_program
from tck.cli.support.rows import row_json, tier_version
from tck.cli.support.suite_tests import SuiteTest, suite_tests
from tck.record import Bundle, Exit, Result, Verdict, worst
from tck.record.runs import newest_with

LOOK_BACK = 5
"""How many runs are searched for a case of the row."""
QUIET = frozenset({Verdict.CONFORMANT, Verdict.OBSERVATION, Verdict.UNSUPPORTED})
"""Verdicts whose cases are counted and not listed."""
LONGEST = 240
"""Characters of a text that are shown where several cases are."""


@click.command("explain")
@click.argument("identifier", metavar="ID")
@choices.bundle_option
@choices.out_option
@choices.tier_option
@choices.format_option
def command(identifier: str, bundle: str | None, out: Path, tier: str, form: str) -> int:
    """Show one row: claim, level, versions, tests, saboteur, and its results in a run.

    ID is a row such as 3.4.3-1, the name of one of its cases, such as 3.4.3-1/queue/classic/auto, a scenario such as
    pj-chat, a program of the corpus such as corpus/0137, or a plan such as plans/async-close. With a tier it is told as a provider of that version is told: where its text states the row, and whether the
    row is in force there.
    """
    tier_version(tier)
    known = choices.catalogue()
    scenario = next((each for each in load_scenarios() if each.id == identifier), None)
    if scenario is not None:
        if form == "json":
            emit_json(dataclasses.asdict(scenario))
        else:
            emit("\n".join(_scenario_lines(scenario)))
        return Exit.CONFORMANT
    if identifier.startswith(f"{CORPUS}/"):
        return explain_program(identifier, form)
    id_, _, case = identifier.partition("/")
    id_ = f"{PLANS}-1" if id_ == PLANS else id_
    try:
        row = find_row(id_, known)
    except UnknownRowError as error:
        raise Problem(str(error)) from error
    tests = [test for test in suite_tests({row.id}) if row.id in test.assertions]
    opened = bundles.open_bundle(bundle, out) if bundle else newest_with(row.id, out, LOOK_BACK)
    results = (
        [result for result in opened.by_assertion.get(row.id, ()) if not case or result.case == identifier]
        if opened
        else []
    )
    if case and opened and not results:
        raise Problem(f"run {opened.run.run} has no case {identifier}; it has {_nearest(identifier, opened, row.id)}")
    content = describe(row, known, tests, tier)
    content["seen"] = _seen(opened, row.id, results) if opened else None
    if form == "json":
        emit_json(content)
    else:
        emit(
            "\n".join(
                [*_row_lines(row, known, tests, tier), "", *_seen_lines(opened, row.id, results, whole=bool(case))]
            )
        )
    return Exit.CONFORMANT


def _scenario_lines(scenario: Scenario) -> list[str]:
    facts = {
        "shows": ", ".join(scenario.features),
        "tiers": ", ".join(scenario.profiles),
        "domains": ", ".join(scenario.domains),
        "needs": ", ".join(scenario.requires),
    }
    lines = [f"{scenario.id}  {scenario.title}", ""]
    lines += [f"  {name:<9} {value}" for name, value in facts.items() if value]
    lines += ["", "Steps", *(f"  {number:>2}  {step}" for number, step in enumerate(scenario.steps, 1)), "", "Claims"]
    for number, claim in enumerate(scenario.asserts, 1):
        rests = ", ".join(scenario.cites.get(str(number), ()))
        since = f" since {claim.since}" if claim.since else ""
        lines.append(f"  {scenario.id}-{number}  {claim.grade}{since}  {claim.text}{f' ({rests})' if rests else ''}")
    return [*lines, "", f"  run it    tck run {scenario.id}"]


def describe(row: Assertion, known: Catalogue, tests: Sequence[SuiteTest], tier: str = "") -> dict[str, Any]:
    """Render everything about a row except its results; the keys are a contract, see docs/cli.md."""
    return {
        **row_json(row, tested=bool(tests), tier=tier),
        "tier": tier or None,
        "in_force": in_force(row, tier) if tier else None,
        "replaced_by": list(load_replaced().get(row.id, ())),
        "statement": row.statement,
        "subject": row.subject.value,
        "domains": list(row.domains),
        "api": list(row.api),
        "sections": dict(row.sections),
        "testable": row.testable.value,
        "how": row.how,
        "saboteur": row.saboteur,
        "draft_difference": row.draft_difference or None,
        "source": row.source or None,
        "restates": [id_ for id_ in known.group_of(row.id) if id_ != row.id],
        "official": list(row.official),
        "tests": [{"node": test.node, "file": test.file, "line": test.line, "title": test.title} for test in tests],
    }


def _nearest(case: str, bundle: Bundle, id_: str) -> str:
    from difflib import get_close_matches  # noqa: PLC0415 - only a wrong name needs it

    names = {result.case for result in bundle.by_assertion.get(id_, ())}
    return ", ".join(get_close_matches(case, names, n=8, cutoff=0)) or f"none of {id_}"


def _seen(bundle: Bundle, id_: str, results: Sequence[Result]) -> dict[str, Any]:
    return {
        "run": bundle.run.run,
        "provider": f"{bundle.run.provider.name} {bundle.run.provider.version}",
        "tier": bundle.run.profile.tier,
        "verdict": worst(result.verdicts[id_] for result in results).value if results else None,
        "cases": [
            {
                "case": result.case,
                "attempt": result.attempt,
                "outcome": result.outcome.value,
                "verdict": result.verdicts[id_].value,
                "expected": result.expected,
                "observed": result.observed,
                "explanation": result.explanation,
                "behaviour": result.behaviour,
                "ms": result.ms,
            }
            for result in results
        ],
    }


def _row_lines(row: Assertion, known: Catalogue, tests: Sequence[SuiteTest], tier: str) -> list[str]:
    versions = f"{row.since} to {row.until}" if row.until else f"{row.since} and later"
    if row.since == row.until:
        versions = f"{row.since} only"
    judged = "a run decides it" if row.judged else "no run decides it"
    needs = f", needs hook {row.hook}" if row.hook else ""
    others = [id_ for id_ in known.group_of(row.id) if id_ != row.id]
    lines = [f"{row.id}  {row.level.value}  {row.title}", "", f"  {row.statement}", ""]
    numbers = "; ".join(f"{section} ({text})" for text, section in row.sections.items())
    own = OwnSections.of(tier)
    if tier and not in_force(row, tier):
        versions += f"; not in {version_title(tier)}"
    facts = {
        "section": str(own.row(row)) if own.text else numbers,
        "stated in": numbers if own.text else "",
        "in force": versions,
        "replaced": f"by {holds_since(row)}" if holds_since(row) else "",
        "binds": f"{row.subject.value}, {', '.join(row.domains)}; {', '.join(row.api)}",
        "features": ", ".join(row.features),
        "testable": f"{row.testable.value}{needs}; {judged}",
        "how": row.how,
        "saboteur": row.saboteur,
        "2.0 draft": row.draft_difference,
        "source": row.source,
        "restates": ", ".join(others),
        "official": ", ".join(row.official),
    }
    lines += [f"  {name:<9} {value}" for name, value in facts.items() if value]
    lines += [f"  test      {test.file}:{test.line} {test.name}\n            {test.title}" for test in tests]
    if documentary_note(tier):
        lines.append(f"  tier      {documentary_note(tier)}")
    if not tests:
        lines.append(f"  test      {'none yet' if row.judged else 'none'}")
    return lines


def _cut(text: str) -> str:
    left = len(text) - LONGEST
    return f"{text[:LONGEST]}... ({left:,} more characters)" if left > 0 else text


def _seen_lines(bundle: Bundle | None, id_: str, results: Sequence[Result], *, whole: bool) -> list[str]:
    """Render what a run saw; texts of a case are whole where it is the only one."""
    if bundle is None:
        return ["  seen      no run to look into; `tck run` makes one"]
    provider = f"{bundle.run.provider.name} {bundle.run.provider.version}".strip()
    if not results:
        return [f"  seen      run {bundle.run.run} ({provider}) had no case of it; `tck run {id_}` runs it"]
    verdict = worst(result.verdicts[id_] for result in results)
    lines = [f"  seen      {verdict.value} on {provider}, run {bundle.run.run}, {len(results)} cases"]
    shown = [result for result in results if result.verdicts[id_] not in QUIET or len(results) == 1]
    for result in shown:
        lines.append(f"    {result.verdicts[id_].value}  {result.case}")
        facts = {"expected": result.expected, "observed": result.observed, "because": result.explanation}
        lines += [f"      {name:<9} {value if whole else _cut(value)}" for name, value in facts.items() if value]
    for behaviour in dict.fromkeys(result.behaviour for result in results if result.behaviour):
        lines.append(f"    behaviour {behaviour}")
    quiet = len(results) - len(shown)
    if quiet:
        lines.append(f"    {quiet} cases without surprise")
    return lines
