"""JUnit XML for continuous integration servers: the common part of Surefire's and Jenkins' formats.

A suite for each section, a test case for each case. Violations, stale declarations and undecided requirements are failures, harness errors are
errors, inconclusive, declared and unsupported cases are skipped, an advisory passes with a note in `system-out`. With
`--strict` advisories and inconclusive cases are failures.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from xml.etree import ElementTree as ET

from tck.catalogue import Catalogue
from tck.record.outcomes import Verdict
from tck.record.reader import Bundle
from tck.reports import show
from tck.reports.labels import WORDS
from tck.reports.read import CaseReport, RunReport, load
from tck.reports.surprises import expected_and_observed, find
from tck.reports.verdict_tree import SectionNode, build

_FAILURES = frozenset({Verdict.VIOLATION, Verdict.STALE, Verdict.UNDECIDED})
_STRICT = frozenset({Verdict.ADVISORY, Verdict.INCONCLUSIVE})
_SKIPPED = frozenset({Verdict.INCONCLUSIVE, Verdict.DECLARED, Verdict.UNSUPPORTED})
_LONGEST = 4000


def write(bundle: Bundle, target: Path, catalogue: Catalogue) -> Path:
    """Write the file and return its path."""
    report = load(bundle)
    tree = build(report, catalogue)
    causes = {
        case.name: card.heading for group in find(tree) for card in group.cards if card.cause for case in card.cases
    }
    root = ET.Element("testsuites", name=show.one_line(f"JMS TCK on {report.subject}"))
    written: set[str] = set()
    for chapter in tree.chapters:
        for section in chapter.sections:
            cases = [case for case in _cases(section) if case.name not in written]
            written.update(case.name for case in cases)
            if cases:
                root.append(_suite(report, section, cases, causes))
    for total in ("tests", "failures", "errors"):
        root.set(total, str(sum(int(suite.get(total, "0")) for suite in root)))
    root.set("time", _seconds(float(suite.get("time", "0")) * 1000 for suite in root))
    ET.indent(root)
    target.parent.mkdir(parents=True, exist_ok=True)
    ET.ElementTree(root).write(target, encoding="utf-8", xml_declaration=True)
    return target


def _cases(section: SectionNode) -> Iterable[CaseReport]:
    return {case.name: case for node in section.assertions for case in node.cases}.values()


def _suite(report: RunReport, section: SectionNode, cases: list[CaseReport], causes: Mapping[str, str]) -> ET.Element:
    suite = ET.Element("testsuite", name=show.one_line(f"{section.number} {section.title}"))
    properties = ET.SubElement(suite, "properties")
    run = report.run
    for name, value in (
        ("run", run.run),
        ("provider", report.subject),
        ("profile", run.profile.name),
        ("tier", run.profile.tier),
        ("seed", str(run.seed)),
        ("catalogue", run.catalogue.digest),
    ):
        ET.SubElement(properties, "property", name=name, value=show.one_line(value))
    tests = [_test(report, case, causes.get(case.name)) for case in cases]
    suite.extend(tests)
    suite.set("tests", str(len(tests)))
    for attribute, element in (("failures", "failure"), ("errors", "error"), ("skipped", "skipped")):
        suite.set(attribute, str(sum(1 for test in tests if test.find(element) is not None)))
    suite.set("time", _seconds(attempt.ms for case in cases for attempt in case.attempts))
    return suite


def _test(report: RunReport, case: CaseReport, cause: str | None) -> ET.Element:
    classname = case.case.file.removesuffix(".py").replace("/", ".")
    time = _seconds(attempt.ms for attempt in case.attempts)
    test = ET.Element("testcase", name=show.one_line(case.name), classname=show.one_line(classname), time=time)
    verdict = case.verdict
    kind = _element(verdict, strict=report.run.strict)
    if kind is not None:
        said = ": ".join(filter(None, (WORDS[verdict].label, cause, expected_and_observed(case)[1])))
        message = show.one_line(said, 300)
        child = ET.SubElement(test, kind, message=message)
        if kind != "skipped":
            child.set("type", str(verdict))
            child.text = show.visible(_account(report, case))
    elif verdict is not Verdict.CONFORMANT:
        ET.SubElement(test, "system-out").text = show.visible(_account(report, case))
    return test


def _element(verdict: Verdict, *, strict: bool) -> str | None:
    if verdict in _FAILURES or (strict and verdict in _STRICT):
        return "failure"
    if verdict is Verdict.HARNESS_ERROR:
        return "error"
    return "skipped" if verdict in _SKIPPED else None


def _account(report: RunReport, case: CaseReport) -> str:
    attempt = case.shown
    expected, observed = expected_and_observed(case, _LONGEST)
    lines = [
        ("verdict", ", ".join(f"{each} {verdict}" for each, verdict in attempt.verdicts.items())),
        ("claim", attempt.claim or case.case.title),
        ("expected", expected),
        ("observed", observed),
        ("because", attempt.explanation),
        ("declared", attempt.deviation.reason if attempt.deviation else None),
        ("source", case.source),
        ("rerun", report.rerun(case.name)),
        ("trace", attempt.error.trace if attempt.error else None),
    ]
    return "\n".join(f"{name:<9} {show.clip(text, _LONGEST)}" for name, text in lines if text)


def _seconds(milliseconds: Iterable[float]) -> str:
    return f"{sum(milliseconds) / 1000:.3f}"
