"""A folder of Allure results, written from the bundle: a file per case, labelled by chapter, section and assertion.

Plain JSON in Allure's result format, so that the suite runs without Allure's plugin.
"""

from __future__ import annotations

import hashlib
import json
import uuid
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

from tck.catalogue import Catalogue
from tck.record.outcomes import Verdict
from tck.record.reader import Bundle
from tck.record.rows import Result
from tck.reports import show
from tck.reports.html import lanes
from tck.reports.labels import SURPRISES, WORDS
from tck.reports.read import CaseReport, cites, load
from tck.reports.surprises import expected_and_observed
from tck.reports.verdict_tree import AssertionNode, RunTree, build

_STATUS = {
    Verdict.VIOLATION: "failed",
    Verdict.STALE: "failed",
    Verdict.UNDECIDED: "failed",
    Verdict.HARNESS_ERROR: "broken",
    Verdict.INCONCLUSIVE: "skipped",
    Verdict.DECLARED: "skipped",
    Verdict.UNSUPPORTED: "skipped",
}
_SEVERITY = {"MUST": "critical", "SHOULD": "normal", "MAY": "minor", "UNDEFINED": "trivial"}
_LONGEST = 4000


def write(bundle: Bundle, folder: Path, catalogue: Catalogue) -> Path:
    """Write the results into a folder, next to existing files, and return its path."""
    folder.mkdir(parents=True, exist_ok=True)
    tree = build(load(bundle), catalogue)
    clock = int(datetime.fromisoformat(tree.run.run.started).timestamp() * 1000)
    for case in tree.run.cases:
        for attempt in case.attempts:
            stop = clock + max(1, round(attempt.ms))
            _write_result(folder, tree, case, attempt, (clock, stop))
            clock = stop
    _write_frame(folder, tree)
    return folder


def _write_result(folder: Path, tree: RunTree, case: CaseReport, attempt: Result, times: tuple[int, int]) -> None:
    identity = str(uuid.uuid5(uuid.NAMESPACE_URL, f"{tree.run.run.run}/{case.name}/{attempt.attempt}"))
    result = {
        "uuid": identity,
        "historyId": hashlib.md5(case.name.encode("utf-8", "replace"), usedforsecurity=False).hexdigest(),
        "testCaseId": hashlib.md5(case.case.node.encode("utf-8", "replace"), usedforsecurity=False).hexdigest(),
        "fullName": show.one_line(case.case.node),
        "name": show.one_line(case.name),
        "description": show.visible(case.case.title),
        "status": _STATUS.get(attempt.verdict, "passed"),
        "statusDetails": _details(case, attempt),
        "stage": "finished",
        "start": times[0],
        "stop": times[1],
        "labels": [{"name": name, "value": show.one_line(value)} for name, value in _labels(tree, case)],
        "links": _links(attempt),
        "parameters": [{"name": axis, "value": show.one_line(place)} for axis, place in case.case.axes.items()],
        "steps": [],
        "attachments": _attach(folder, identity, tree, attempt),
    }
    (folder / f"{identity}-result.json").write_text(json.dumps(result), encoding="utf-8")


def _details(case: CaseReport, attempt: Result) -> dict[str, Any]:
    if attempt.verdict is Verdict.CONFORMANT:
        return {}
    expected, observed = (
        expected_and_observed(case, _LONGEST)
        if attempt is case.shown
        else (attempt.expected or "", attempt.observed or "")
    )
    lines = (("expected", expected), ("observed", observed), ("because", attempt.explanation or ""))
    message = "\n".join(f"{name}: {show.visible(text)}" for name, text in lines if text)
    return {
        "message": f"{WORDS[attempt.verdict].label}. {message}",
        "trace": show.visible(attempt.error.trace) if attempt.error else "",
        "known": attempt.verdict is Verdict.DECLARED,
        "flaky": bool(attempt.deviation and attempt.deviation.outcome == "flaky"),
    }


def _labels(tree: RunTree, case: CaseReport) -> Iterator[tuple[str, str]]:
    places = {
        node.id: (chapter, section)
        for chapter in tree.chapters
        for section in chapter.sections
        for node in section.assertions
    }
    for identifier in case.rows:
        chapter, section = places[identifier]
        node = tree.by_id[identifier]
        yield "epic", str(chapter.own)
        yield "feature", str(section.own)
        yield "story", f"{node.id} {node.title}"
        yield "tag", node.level
    yield "severity", _severity(tree.by_id[case.rows[0]])
    yield "suite", case.case.file
    yield "thread", case.case.worker
    yield "framework", "jms-tck"
    yield "language", tree.run.run.provider.language


def _severity(node: AssertionNode) -> str:
    return _SEVERITY.get(node.level, "normal")


def _links(attempt: Result) -> list[dict[str, str]]:
    link = attempt.deviation.link if attempt.deviation else None
    if not link or not link.startswith(("https://", "http://")):
        return []
    return [{"type": "issue", "name": "declared deviation", "url": show.one_line(link)}]


def _attach(folder: Path, identity: str, tree: RunTree, attempt: Result) -> list[dict[str, str]]:
    if attempt.verdict not in SURPRISES:
        return []
    lines = lanes.text(lanes.build(tree.run.events(attempt), cites(attempt)))
    if not lines:
        return []
    source = f"{identity}-attachment.txt"
    (folder / source).write_text("\n".join(lines) + "\n", encoding="utf-8")
    return [{"name": "events by session", "source": source, "type": "text/plain"}]


def _write_frame(folder: Path, tree: RunTree) -> None:
    run = tree.run.run
    facts = {
        "Provider": tree.run.subject,
        "Profile": run.profile.name,
        "Tier": run.profile.tier,
        "Kit": run.kit.version,
        "Catalogue": run.catalogue.digest,
        "Seed": str(run.seed),
        "Clock": run.clock,
        "Python": run.environment.python,
    }
    lines = [f"{key} = {show.one_line(value).encode('unicode_escape').decode()}" for key, value in facts.items()]
    (folder / "environment.properties").write_text("\n".join(lines) + "\n", encoding="ascii")
    categories = [
        {"name": word.label, "matchedStatuses": [_STATUS[verdict]], "messageRegex": f"(?s){word.label}\\..*"}
        for verdict, word in WORDS.items()
        if verdict in _STATUS
    ]
    (folder / "categories.json").write_text(json.dumps(categories), encoding="utf-8")
