"""`tck journeys`: the journeys of the suite, and the pairs and triples of conditions that met, by design or in a run."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from tck.cli.support import bundles, choices
from tck.cli.support.console import emit, emit_json, table
from tck.record import Bundle, Exit, Outcome

if TYPE_CHECKING:
    from tck.covering import Meeting
    from tck.suite.support.journeys.model import Journey

DECIDED = frozenset({Outcome.HELD, Outcome.BROKEN})
"""Outcomes of a case that went its whole way."""


@click.command("journeys")
@choices.bundle_option
@choices.out_option
@click.option("--unmet", is_flag=True, help="List each pair and triple that did not meet.")
@choices.format_option
def command(bundle: str | None, out: Path, unmet: bool, form: str) -> int:
    """List the journeys, and count the pairs and triples of conditions that they meet.

    With a bundle only the journeys count that went their whole way in that run, whatever the verdict. It is no verdict:
    the exit code is 0 for any figures.
    """
    from tck.suite.support.journeys.array import journeys  # noqa: PLC0415 - the suite's vocabulary loads pytest

    known = journeys()
    run = bundles.open_bundle(bundle, out) if bundle is not None else None
    gone = known if run is None else {name: known[name] for name in known if name in _decided(run)}
    measured = measure(known, gone)
    if form == "json":
        emit_json({"run": run.run.run if run else None, **measured})
    else:
        emit(_text(measured, gone, run, unmet=unmet))
    return Exit.CONFORMANT


def _decided(run: Bundle) -> frozenset[str]:
    """Return the names of the journeys that ended with a judgement in a run."""
    return frozenset(result.case.rpartition("/")[2] for result in run.results() if result.outcome in DECIDED)


def measure(known: Mapping[str, Journey], gone: Mapping[str, Journey]) -> dict[str, Any]:
    """Count the meetings of all journeys and of those that went; the keys are a contract, see docs/cli.md."""
    from tck.suite.support.journeys.array import ARRAY  # noqa: PLC0415 - as above

    every = ARRAY.met(journey.conditions for journey in known.values())
    seen = ARRAY.met(journey.conditions for journey in gone.values())
    return {
        "journeys": {name: dict(journey.conditions) for name, journey in gone.items()},
        "pairs": _count(every, seen, 2),
        "triples": _count(every, seen, 3),
        "unmet": [dict(meeting) for meeting in sorted(every - seen)],
    }


def _count(every: Iterable[Meeting], seen: Iterable[Meeting], size: int) -> dict[str, int]:
    return {
        "allowed": sum(len(meeting) == size for meeting in every),
        "met": sum(len(meeting) == size for meeting in seen),
    }


def _text(measured: Mapping[str, Any], gone: Mapping[str, Journey], run: Bundle | None, *, unmet: bool) -> str:
    lines = [(name, _words(journey.conditions)) for name, journey in gone.items()]
    values = Counter(itertools.chain.from_iterable(journey.conditions.items() for journey in gone.values()))
    axes: dict[str, list[str]] = {}
    for (axis, value), count in sorted(values.items()):
        axes.setdefault(axis, []).append(f"{value} {count}")
    where = f"in run {run.run.run} on {run.run.provider.name} {run.run.provider.version}".rstrip() if run else "in all"
    parts = [table(["journey", "conditions"], lines), table(["axis", "journeys by value"], _rows(axes))]
    parts += [
        f"{len(gone)} journeys {where}: {found['met']} of {found['allowed']} allowed {size} met"
        for size, found in (("pairs", measured["pairs"]), ("triples", measured["triples"]))
    ]
    if unmet:
        parts += ["not met: " + _words(meeting) for meeting in measured["unmet"]]
    return "\n".join(parts)


def _rows(axes: Mapping[str, Sequence[str]]) -> list[tuple[str, str]]:
    return [(axis, ", ".join(values)) for axis, values in axes.items()]


def _words(conditions: Mapping[str, str]) -> str:
    return ", ".join(f"{axis} {value}" for axis, value in conditions.items())
