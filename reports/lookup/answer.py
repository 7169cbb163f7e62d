"""The answer about one row: the rule, the behaviour of the reference provider, a case to run, and how other providers differ.

All runs show the same case if they have it, so that differences come from the provider and not from the point. May import
`tck.catalogue`, `tck.record` and the modules of `reports` that read runs.
"""

from __future__ import annotations

import difflib
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from tck.catalogue import Assertion, Catalogue
from tck.record import Bundle, Verdict
from tck.record.rows import Result, Run
from tck.reports import show
from tck.reports.html import lanes
from tck.reports.html.lane_rows import MessageToken
from tck.reports.read import CaseReport, RunReport, cites, load
from tck.reports.verdict_tree import AssertionNode, build

_APIS = ("classic", "simplified", "domain-specific")
_DIFFERENCES = 3
_VARYING = re.compile(r"ID:\S+|\d{6,}|-\d+\b| \(thread [^)]*\)|(?<= -> raised )([\w.]+)(?::.*)?")
"""Texts that vary between runs of the same case: message ids, times, numbers of objects, names of threads, and the messages
of exceptions, of which only the type counts."""


Changes: TypeAlias = Mapping[str, tuple[str, str]]


@dataclass(frozen=True, slots=True)
class StoryLine:
    """A row of the lanes as text: numbers of its events, milliseconds since the first event, lane, text."""

    numbers: tuple[int, ...]
    at: str
    lane: str
    text: str
    setup: bool
    cited: bool


@dataclass(frozen=True, slots=True)
class CaseStory:
    """One case of a run, with its lanes as text."""

    case: CaseReport
    verdict: Verdict
    lines: tuple[StoryLine, ...]
    messages: tuple[MessageToken, ...]

    @property
    def attempt(self) -> Result:
        """The attempt that is shown: the first of the worst."""
        return self.case.shown


@dataclass(frozen=True, slots=True)
class RowRun:
    """One row in one run of a provider; `story` is None if the run has no case of it."""

    run: RunReport
    verdict: Verdict | None
    counts: Counter[Verdict]
    story: CaseStory | None
    behaviours: tuple[str, ...]
    rerun: str
    changed: Changes = field(default_factory=dict)
    """Changes since the run, each with its old and new value: kit, catalogue, profile."""


@dataclass(frozen=True, slots=True)
class Difference:
    """A difference between two providers: the steps of each; either may be empty."""

    reference: tuple[str, ...]
    other: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class OtherProvider:
    """Another provider, and its differences from the reference provider."""

    row_run: RowRun
    same: bool
    """Whether verdict, behaviour and, in the same case, every step agree."""
    differences: tuple[Difference, ...]
    more: int
    """The number of differences that are left out."""


@dataclass(frozen=True, slots=True)
class Answer:
    """The whole answer about one row."""

    row: Assertion
    group: tuple[str, ...]
    """Ids of the rows that restate this one."""
    reference: RowRun | None
    others: tuple[OtherProvider, ...]


def answer(
    row: Assertion,
    catalogue: Catalogue,
    reference: Bundle | None,
    others: Sequence[Bundle] = (),
    case: str = "",
    changed: Callable[[Run], Changes] = lambda _: {},
) -> Answer:
    """Return the answer about a row.

    Args:
        row: The row.
        catalogue: The catalogue.
        reference: A run of the reference provider, if there is one.
        others: Runs of other providers.
        case: The case to show; by default one with another verdict of another provider, else the most typical one.
        changed: Returns the changes since a run.
    """
    row_run = row_in_run(reference, row, catalogue, case) if reference else None
    if reference and row_run and not case:
        row_run = _in_differing_case(reference, row_run, row, catalogue, others)
    story = case or (row_run.story.case.name if row_run and row_run.story else "")
    if row_run:
        row_run = replace(row_run, changed=changed(row_run.run.run))
    parted = []
    for bundle in others:
        there = row_in_run(bundle, row, catalogue, story)
        parted.append(_other(replace(there, changed=changed(there.run.run)), row_run))
    group = tuple(id_ for id_ in catalogue.group_of(row.id) if id_ != row.id)
    return Answer(row, group, row_run, tuple(parted))


def _in_differing_case(
    reference: Bundle, row_run: RowRun, row: Assertion, catalogue: Catalogue, others: Sequence[Bundle]
) -> RowRun:
    """Return the reference's run of a case in which another provider has another verdict; unchanged if there is none."""
    for bundle in others:
        other = row_in_run(bundle, row, catalogue)
        if other.story is not None and other.verdict != row_run.verdict:
            name = other.story.case.name
            same = row_in_run(reference, row, catalogue, name)
            if same.story is not None and same.story.case.name == name:
                return same
    return row_run


def row_in_run(bundle: Bundle, row: Assertion, catalogue: Catalogue, case: str = "") -> RowRun:
    """Return a row in one run of a provider."""
    run = load(bundle)
    node = build(run, catalogue).by_id.get(row.id)
    if node is None:
        return RowRun(run, None, Counter(), None, (), run.rerun(row.id))
    chosen = next((each for each in node.cases if each.name == case), None) or _typical(node)
    behaviours = (attempt.behaviour for each in node.cases for attempt in each.attempts if attempt.behaviour)
    return RowRun(
        run,
        node.verdict,
        node.counts,
        _story(run, chosen, row.id),
        tuple(dict.fromkeys(behaviours)),
        run.rerun(chosen.name),
    )


def _typical(node: AssertionNode) -> CaseReport:
    """Return the case to show: with the worst verdict; this row first, on a queue, through the classic API if possible."""

    def order(case: CaseReport) -> tuple[bool, bool, int, str]:
        axes = case.case.axes
        api = axes.get("api", "")
        return (
            case.case.assertions[0] != node.id,
            axes.get("domain") != "queue",
            _APIS.index(api) if api in _APIS else len(_APIS),
            case.name,
        )

    return min(node.cases_with(node.verdict) or node.cases, key=order)


def _story(run: RunReport, case: CaseReport, id_: str) -> CaseStory:
    attempt = case.shown
    diagram = lanes.build(run.events(attempt), cites(attempt))
    lines = tuple(_line(step, diagram) for step in diagram.steps)
    return CaseStory(case, case.verdict_of(id_), lines, diagram.tokens)


def _line(step: lanes.Step, diagram: lanes.Diagram) -> StoryLine:
    return StoryLine(
        step.numbers,
        step.at if diagram.timed else "",
        diagram.lanes[step.lane].label,
        lanes.row_line(step.row_text._replace(cited=False)),
        step.setup,
        step.cited,
    )


def _other(row_run: RowRun, reference: RowRun | None) -> OtherProvider:
    if reference is None or row_run.story is None or reference.story is None:
        agree = (
            reference is not None
            and row_run.verdict == reference.verdict
            and row_run.behaviours == reference.behaviours
        )
        return OtherProvider(row_run, agree, (), 0)
    if row_run.story.case.name != reference.story.case.name:
        return OtherProvider(row_run, False, (), 0)
    found = _differences(reference.story, row_run.story)
    same = not found and row_run.verdict == reference.verdict and row_run.behaviours == reference.behaviours
    return OtherProvider(row_run, same, tuple(found[:_DIFFERENCES]), max(0, len(found) - _DIFFERENCES))


def _differences(reference: CaseStory, other: CaseStory) -> list[Difference]:
    """Compare the steps of two cases by lane and text, without times, ids and numbers of objects."""
    left, right = _steps(reference), _steps(other)
    matcher = difflib.SequenceMatcher(None, [plain for plain, _ in left], [plain for plain, _ in right], autojunk=False)
    return [
        Difference(tuple(text for _, text in left[a:b]), tuple(text for _, text in right[c:d]))
        for tag, a, b, c, d in matcher.get_opcodes()
        if tag != "equal"
    ]


def _steps(story: CaseStory) -> list[tuple[str, str]]:
    lines = [line for line in story.lines if not line.setup]
    return [(_VARYING.sub(r"\1#", f"{line.lane} {line.text}"), show.one_line(line.text)) for line in lines]
