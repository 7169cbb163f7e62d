"""JUnit XML for continuous integration servers: the common part of Surefire's and Jenkins' formats.

A suite for each section, a test case for each case, with the file of its test, relative to the folder that holds the kit, and the line
there, from 1. Violations, stale declarations and undecided requirements are failures, harness errors are errors, inconclusive, declared and
unsupported cases are skipped, and so are the cases that never ran since the provider was lost. An advisory passes, with a note in `system-out`
and in the property `advisories` of its suite. With `--strict` advisories and inconclusive cases are failures.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path, PurePosixPath
from xml.etree import ElementTree as ET

from tck.catalogue import Catalogue
from tck.catalogue.sections import reading_order
from tck.record.outcomes import Verdict
from tck.record.reader import Bundle
from tck.record.rows import Case
from tck.reports import show
from tck.reports.labels import WORDS
from tck.reports.read import CaseReport, load
from tck.reports.surprises import expected_and_observed, find
from tck.reports.verdict_tree import RunTree, build

_FAILURES = frozenset({Verdict.VIOLATION, Verdict.STALE, Verdict.UNDECIDED})
_STRICT = frozenset({Verdict.ADVISORY, Verdict.INCONCLUSIVE})
_SKIPPED = frozenset({Verdict.INCONCLUSIVE, Verdict.DECLARED, Verdict.UNSUPPORTED})
_LONGEST = 4000
_TELLING = 80
"""Characters by which an observation is known to be the cause itself, of which a long one is clipped."""


def write(bundle: Bundle, target: Path, catalogue: Catalogue) -> Path:
    """Write the file and return its path."""
    report = load(bundle)
    tree = build(report, catalogue)
    causes = {
        case.name: card.heading for group in find(tree) for card in group.cards if card.cause for case in card.cases
    }
    root = ET.Element("testsuites", name=show.one_line(f"JMS TCK on {report.subject}"))
    for section, (cases, unrun) in _sections(tree, catalogue).items():
        rows = (catalogue.get(id_) for case in [*(each.case for each in cases), *unrun] for id_ in case.assertions)
        cited = tree.own.section(section, [row for row in rows if row and row.section == section])
        root.append(_suite(tree, str(cited), cases, unrun, causes))
    for total in ("tests", "failures", "errors"):
        root.set(total, str(sum(int(suite.get(total, "0")) for suite in root)))
    root.set("time", _seconds(float(suite.get("time", "0")) * 1000 for suite in root))
    ET.indent(root)
    target.parent.mkdir(parents=True, exist_ok=True)
    ET.ElementTree(root).write(target, encoding="utf-8", xml_declaration=True)
    return target


def _sections(tree: RunTree, catalogue: Catalogue) -> dict[str, tuple[list[CaseReport], list[Case]]]:
    """Return the cases that ran and those that never ran by section, each in the first section that judges it."""
    written: set[str] = set()
    found: dict[str, tuple[list[CaseReport], list[Case]]] = {}
    for chapter in tree.chapters:
        for section in chapter.sections:
            cases = {case.name: case for node in section.assertions for case in node.cases if case.name not in written}
            written.update(cases)
            if cases:
                found[section.number] = (list(cases.values()), [])
    for case in sorted(tree.run.unfinished, key=lambda case: reading_order(case.case)):
        row = catalogue.get(case.assertions[0])
        found.setdefault(row.section if row else case.assertions[0].rpartition("-")[0], ([], []))[1].append(case)
    return dict(sorted(found.items(), key=lambda each: reading_order(each[0])))


def _suite(
    tree: RunTree, section: str, cases: list[CaseReport], unrun: list[Case], causes: Mapping[str, str]
) -> ET.Element:
    report = tree.run
    suite = ET.Element("testsuite", name=show.one_line(section))
    properties = ET.SubElement(suite, "properties")
    run = report.run
    for name, value in (
        ("run", run.run),
        ("provider", report.subject),
        ("profile", run.profile.name),
        ("tier", run.profile.tier),
        ("seed", str(run.seed)),
        ("catalogue", run.catalogue.digest),
        ("advisories", str(sum(_advises(case) for case in cases))),
    ):
        ET.SubElement(properties, "property", name=name, value=show.one_line(value))
    tests = [_test(tree, case, causes.get(case.name)) for case in cases]
    for case in unrun:
        tests.append(_element_of(case, _seconds([])))
        ET.SubElement(tests[-1], "skipped", message=show.one_line(f"never ran: {report.why_unfinished}", 300))
    suite.extend(tests)
    suite.set("tests", str(len(tests)))
    for attribute, element in (("failures", "failure"), ("errors", "error"), ("skipped", "skipped")):
        suite.set(attribute, str(sum(1 for test in tests if test.find(element) is not None)))
    suite.set("time", _seconds(attempt.ms for case in cases for attempt in case.attempts))
    return suite


def _test(tree: RunTree, case: CaseReport, cause: str | None) -> ET.Element:
    test = _element_of(case.case, _seconds(attempt.ms for attempt in case.attempts))
    verdict = case.verdict
    kind = _element(verdict, strict=tree.run.run.strict)
    if kind is not None:
        label = WORDS[verdict].label if kind == "skipped" else ""  # of the others, the attribute `type` says it
        seen = expected_and_observed(case)[1]
        if cause and cause.startswith(seen[:_TELLING]):
            seen = ""  # the cause is the observation
        said = ": ".join(filter(None, (label, cause, seen)))
        child = ET.SubElement(test, kind, message=show.one_line(said, 300))
        if kind != "skipped":
            child.set("type", str(verdict))
            child.text = show.visible(_account(tree, case))
    if (kind is None and verdict is not Verdict.CONFORMANT) or (kind == "skipped" and _advises(case)):
        ET.SubElement(test, "system-out").text = show.visible(_account(tree, case))
    return test


def _element_of(case: Case, time: str) -> ET.Element:
    """Return the test case without its end."""
    file = PurePosixPath(case.file.replace("\\", "/"))
    if file.is_absolute() or ".." in file.parts:  # a test of the user's own: no path of the machine is told
        file = PurePosixPath(file.name)
    classname = file.as_posix().removesuffix(".py").replace("/", ".")
    said = {"name": case.case, "classname": classname, "file": file.as_posix(), "line": str(case.line)}
    return ET.Element("testcase", {name: show.one_line(text) for name, text in said.items()}, time=time)


def _advises(case: CaseReport) -> bool:
    """Whether a case found a broken SHOULD, be there worse or not."""
    return any(Verdict.ADVISORY in attempt.verdicts.values() for attempt in case.attempts)


def _element(verdict: Verdict, *, strict: bool) -> str | None:
    if verdict in _FAILURES or (strict and verdict in _STRICT):
        return "failure"
    if verdict is Verdict.HARNESS_ERROR:
        return "error"
    return "skipped" if verdict in _SKIPPED else None


def _account(tree: RunTree, case: CaseReport) -> str:
    attempt = case.shown
    expected, observed = expected_and_observed(case, _LONGEST)
    lines = [
        ("verdict", ", ".join(f"{each} {verdict}" for each, verdict in attempt.verdicts.items())),
        ("section", "; ".join(f"{each} {tree.by_id[each].own}" for each in case.rows) if tree.own.text else ""),
        ("claim", attempt.claim or case.case.title),
        ("expected", expected),
        ("observed", observed),
        ("because", attempt.explanation),
        ("declared", attempt.deviation.full_reason if attempt.deviation else None),
        ("source", case.source),
        ("rerun", tree.run.rerun(case.name)),
        ("trace", attempt.error.trace if attempt.error else None),
    ]
    return "\n".join(f"{name:<9} {show.clip(text, _LONGEST)}" for name, text in lines if text)


def _seconds(milliseconds: Iterable[float]) -> str:
    return f"{sum(milliseconds) / 1000:.3f}"
