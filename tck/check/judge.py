"""Judges the events of a case: from events to findings. Loads numpy; reached through `tck.check.judge_events`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from tck.check.evidence import Trace
from tck.check.from_events.calls import Event
from tck.check.from_events.conversion import Matches, trace_of
from tck.check.properties import PROPERTIES
from tck.check.registry import Property
from tck.check.results import Margins, PropertyResult
from tck.check.stages import Tally, judge
from tck.check.story import finding_of


def judge_case(
    events: Iterable[Event], names: Sequence[str] | None, margins: Margins, matches: Matches | None
) -> list[PropertyResult]:
    """Judge the events of one case; see `tck.check.judge_events`."""
    wanted = [_named(name) for name in names] if names is not None else list(PROPERTIES.values())
    trace = trace_of(events, margins, matches)
    tallies = judge(trace.rows, trace.tables, margins, wanted)
    return [result_of(each, tallies[each.name], trace) for each in wanted]


def result_of(kind: Property, tally: Tally, trace: Trace) -> PropertyResult:
    """Return the result of one property, with the story of each violation."""
    findings = tuple(finding_of(kind, tally.hits.row(index), trace.evidence) for index in range(len(tally.hits)))
    return PropertyResult(kind.name, kind.assertions, tally.obligations, findings, tally.undecided, kind.observes)


def _named(name: str) -> Property:
    try:
        return PROPERTIES[name]
    except KeyError:
        raise KeyError(f"no property is called {name!r}; there are {', '.join(sorted(PROPERTIES))}") from None
