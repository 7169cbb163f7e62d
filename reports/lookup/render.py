"""Render an answer as text for a terminal, and as JSON. Text of a provider is made visible first."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from tck.catalogue import Assertion
from tck.catalogue.versions import text_title
from tck.record import Verdict
from tck.reports.labels import WORDS, counted
from tck.reports.lookup.answer import Answer, CaseStory, Difference, OtherProvider, RowRun, StoryLine
from tck.reports.show import clip, count, one_line, visible
from tck.reports.verdict_tree import in_order

if TYPE_CHECKING:
    from tck.reports.lookup.index import Found

_LONG = 300
_STEP = 200
_INDENT = " " * 2


def text(answer: Answer, *, setup: bool = False, tested: bool = True) -> Iterator[str]:
    """Render an answer as lines.

    Args:
        answer: The answer.
        setup: Include the calls that only set up connections, sessions and destinations.
        tested: Whether a test of the suite names the row.
    """
    yield from rule(answer.row, answer.group)
    yield ""
    yield from _reference(answer, setup=setup, tested=tested)
    for other in answer.others:
        yield ""
        yield from _other(other)


def nearness(found: Found | None) -> list[str]:
    """Say how the row was found where not all words were."""
    if found is None or not found.partial:
        return []
    missing = f"no row has {', '.join(found.missing)}" if found.missing else "no row has all of the words"
    near = f" (near are {', '.join(found.suggestions)})" if found.suggestions else ""
    return [f"{missing}{near}; this comes nearest", ""]


def further(rows: Sequence[Assertion], limit: int) -> list[str]:
    """List the rows behind the first one, at most `limit` with it."""
    rest = rows[1:limit]
    if not rest:
        return []
    left = len(rows) - limit
    width = max(len(row.id) for row in rest)
    lines = ["", "See also", *(f"  {row.id:<{width}}  {row.level:<6}  {row.statement}" for row in rest)]
    return [*lines, f"  and {left} more; -n lists them"] if left > 0 else lines


def recorded_too(runs: Mapping[str, str]) -> list[str]:
    """Name the runs of other providers that `--with` could show: ids by profile."""
    listed = [f"{one_line(profile, 40)} (--with {one_line(run, 60)})" for profile, run in runs.items()]
    return ["", f"Recorded too: {', '.join(listed)}"] if listed else []


def rule(row: Assertion, group: tuple[str, ...]) -> Iterator[str]:
    """Render the rule, and where the specification states it."""
    yield f"{row.id}  {row.level}  {row.title.replace('-', ' ')}"
    yield ""
    yield f"{_INDENT}{row.statement}"
    yield ""
    stated = ", ".join(f"{text_title(version)} in {section}" for version, section in row.sections.items())
    facts = {
        "stated": stated or row.source.replace("javadoc:", "the API documentation of "),
        "in force": in_force(row),
        "restated": ", ".join(group),
        "requires": ", ".join(row.features),
        "2.0 draft": row.draft_difference,
    }
    yield from (f"{_INDENT}{name:<9} {value}" for name, value in facts.items() if value)


def in_force(row: Assertion) -> str:
    """Return the versions in which a row is in force."""
    return f"since {row.since}" + (f", until {row.until}" if row.until else "")


def _reference(answer: Answer, *, setup: bool, tested: bool) -> Iterator[str]:
    row, row_run = answer.row, answer.reference
    if row_run is None or row_run.verdict is None or row_run.story is None:
        yield f"{_INDENT}The reference provider was not tested: {not_asked(row, row_run, tested=tested)}."
        yield from _recorded(row_run)
        return
    name = row_run.run.run.profile.name
    who = "the reference provider does" if name == "reference" else f"{one_line(name, 60)} did"
    yield f"What {who}: {_summary(row_run)}"
    yield from _recorded(row_run)
    yield from (f"{_INDENT}{line}" for line in _case(row_run.story, row_run.behaviours, row.statement))
    if row_run.story.lines:
        yield ""
        yield from _lanes(row_run.story, setup=setup)
    yield ""
    yield "Run it again"
    yield f"{_INDENT}{row_run.rerun}"


def not_asked(row: Assertion, row_run: RowRun | None, *, tested: bool = True) -> str:
    """Return why a run has no result for a row."""
    if not row.judged_java and row.subject == "api":
        return "the row is about the API library itself, which the kit's own tests check"
    if not row.decidable:
        return f"no run can decide the row (it needs “{row.hook}”)" if row.hook else "no run can observe the row"
    if not row.judged:
        return "the row applies to providers written in Java"
    if not tested:
        return "no test of the suite names the row yet"
    return (
        f"run {row_run.run.run.run} has no case of it"
        if row_run
        else f"no run of it is recorded; `tck run {row.id}` makes one"
    )


def _summary(row_run: RowRun) -> str:
    counts = ", ".join(counted(verdict, number) for verdict, number in in_order(row_run.counts))
    profile = row_run.run.run.profile
    version = f", by {profile.tier}" if profile.tier != profile.claims.version else ""
    of = f"{one_line(row_run.run.subject)}{version}, run {row_run.run.run.run}"
    return f"{counts} of {count(sum(row_run.counts.values()), 'case')} ({of})"


def _recorded(row_run: RowRun | None) -> Iterator[str]:
    """Render the changes since a run was recorded, if there are any."""
    if row_run is None or not row_run.changed:
        return
    changes = []
    if "kit" in row_run.changed:
        changes.append("by kit {}, and this is {}".format(*map(one_line, row_run.changed["kit"])))
    if "catalogue" in row_run.changed:
        changes.append("by another catalogue")
    if "profile" in row_run.changed:
        changes.append(
            f"with another profile {one_line(row_run.run.run.profile.name, 60)} or other settings than it has now"
        )
    yield f"{_INDENT}{'recorded':<9} {'; '.join(changes)}"


def _case(story: CaseStory, behaviours: tuple[str, ...], statement: str = "") -> Iterator[str]:
    attempt = story.attempt
    witness = "; ".join(attempt.witnesses)
    claim = attempt.claim or story.case.case.title
    facts = {
        "case": story.case.name,
        "claim": claim if claim != statement else "",
        "expected": attempt.expected if story.verdict is not Verdict.CONFORMANT else "",
        "observed": attempt.observed or "",
        "behaviour": "; ".join(behaviours),
        "because": attempt.explanation or "",
        "witness": witness if witness != attempt.observed else "",
    }
    yield from (f"{name:<9} {one_line(value, _LONG)}" for name, value in facts.items() if value)


def _lanes(story: CaseStory, *, setup: bool) -> Iterator[str]:
    shown = [line for line in story.lines if setup or not line.setup]
    timed = any(line.at for line in shown)
    width = max((len(line.lane) for line in shown), default=0)
    for line in shown:
        numbers = "-".join(map(str, line.numbers))
        at = f"{line.at:>9} ms  " if timed else ""
        yield f"{_INDENT}{numbers:>9}  {at}{line.lane:<{width}}  {_step(line.text)}{' (cited)' if line.cited else ''}"
    hidden = len(story.lines) - len(shown)
    if hidden:
        yield f"{_INDENT}{'':>9}  {count(hidden, 'call')} that set up connections, sessions and destinations left out (--all)"


def _step(line: str) -> str:
    return clip(visible(line), _STEP)


def _other(other: OtherProvider) -> Iterator[str]:
    row_run = other.row_run
    if row_run.verdict is None or row_run.story is None:
        yield f"{one_line(row_run.run.subject)}: run {row_run.run.run.run} has no case of it"
        yield from _recorded(row_run)
        return
    yield f"{one_line(row_run.run.subject)}: {_summary(row_run)}"
    yield from _recorded(row_run)
    if other.same:
        yield f"{_INDENT}the same, step by step, in {row_run.story.case.name}"
        return
    yield from (f"{_INDENT}{line}" for line in _case(row_run.story, row_run.behaviours))
    declared = row_run.story.attempt.deviation
    if declared:
        yield f"{_INDENT}{'declared':<9} {one_line(declared.full_reason, _LONG)}"
    for difference in other.differences:
        yield from _difference(difference)
    if other.more:
        yield f"{_INDENT}and {count(other.more, 'other difference')}; the report shows every step"


def _difference(difference: Difference) -> Iterator[str]:
    for name, lines in (("reference", difference.reference), ("there", difference.other)):
        for number, line in enumerate(lines[:3]):
            yield f"{_INDENT}{name if not number else '':<9} {_step(line)}"
        if len(lines) > 3:
            yield f"{_INDENT}{'':<9} and {count(len(lines) - 3, 'step')} more"
        if not lines:
            yield f"{_INDENT}{name:<9} nothing here"


# -- json ----------------------------------------------------------------------------------------------------------------


def hit_json(row: Assertion) -> dict[str, Any]:
    """Render a row that was found."""
    return {"id": row.id, "level": row.level.value, "title": row.title, "statement": row.statement}


def did_json(row_run: RowRun | None) -> dict[str, Any] | None:
    """Render a row in one run of a provider; None if the run has no case of it."""
    if row_run is None or row_run.story is None or row_run.verdict is None:
        return None
    story, attempt = row_run.story, row_run.story.attempt
    return {
        "run": row_run.run.run.run,
        "provider": row_run.run.subject,
        "tier": row_run.run.run.profile.tier,
        "changed": {name: {"from": old, "to": new} for name, (old, new) in row_run.changed.items()},
        "verdict": row_run.verdict.value,
        "verdicts": {verdict.value: number for verdict, number in in_order(row_run.counts)},
        "meaning": WORDS[row_run.verdict].meaning,
        "behaviours": list(row_run.behaviours),
        "case": story.case.name,
        "test": story.case.source,
        "claim": attempt.claim or story.case.case.title,
        "outcome": attempt.outcome.value,
        "expected": attempt.expected,
        "observed": attempt.observed,
        "explanation": attempt.explanation,
        "witnesses": list(attempt.witnesses),
        "messages": [{"letter": token.letter, "id": token.id, "body": token.body} for token in story.messages],
        "lanes": [_line_json(line) for line in story.lines],
        "rerun": row_run.rerun,
    }


def other_json(other: OtherProvider) -> dict[str, Any]:
    """Render another provider and its differences from the reference."""
    return {
        "run": other.row_run.run.run.run,
        "provider": other.row_run.run.subject,
        "same": other.same,
        "did": did_json(other.row_run),
        "differences": [{"reference": list(each.reference), "there": list(each.other)} for each in other.differences],
        "more": other.more,
    }


def _line_json(line: StoryLine) -> dict[str, Any]:
    return {
        "events": list(line.numbers),
        "ms": line.at,
        "lane": line.lane,
        "text": line.text,
        "laying": line.setup,
        "cited": line.cited,
    }
