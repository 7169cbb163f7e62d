"""Answers of the tasks of a check: counts and capped hits by property, and facts about undecided units of work.

Answers can be added in any order with the same result, and can be sent as one Arrow table.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np

from tck.check.columns import HITS, NONE, UNITS, Array, Schema, Table
from tck.check.stages import Stage, Tally
from tck.reports.pipeline.parquet import arrow, arrow_column, arrow_texts, numpy_column

CAP: Final = 10_000
"""The most findings of one property that are kept; all are counted."""

COUNT, HIT, UNIT = 0, 1, 2
_NUMBERS: Final = ("obligations", "violations", "undecided", *HITS, "role")
ANSWER: Final = {"kind": "int8", "property": "string", **dict.fromkeys(_NUMBERS, "int64")}
"""Columns of an answer. A row is a count, a hit or a fact about a unit; columns of the other kinds are -1."""


@dataclass(slots=True)
class Count:
    """Counts of a property: decided obligations, violations, undecided ones; the assertions broken, as in `HITS`."""

    obligations: int = 0
    violations: int = 0
    undecided: int = 0
    blamed: int = 0

    def add(self, other: Count) -> None:
        """Add another count."""
        self.obligations += other.obligations
        self.violations += other.violations
        self.undecided += other.undecided
        self.blamed |= other.blamed


@dataclass(slots=True)
class Answer:
    """The answer of one task, or of several together."""

    counts: dict[str, Count] = field(default_factory=dict)
    hits: dict[str, Table] = field(default_factory=dict)
    units: Table = field(default_factory=lambda: Table.empty(UNITS))


def answer_of(stage: Stage, names: Iterable[str] | None = None) -> Answer:
    """Return the answer of a stage, with capped hits; only for the named properties, if names are given."""
    wanted = stage.tallies.keys() if names is None else stage.tallies.keys() & set(names)
    tallies = {name: stage.tallies[name] for name in wanted}
    return Answer(
        {name: _count(tally) for name, tally in tallies.items()},
        {name: _capped(tally.hits) for name, tally in tallies.items() if len(tally.hits)},
        stage.units,
    )


def sum_answers(answers: Iterable[Answer]) -> Answer:
    """Return the sum of answers."""
    counts: dict[str, Count] = {}
    hits: dict[str, list[Table]] = {}
    units = []
    for answer in answers:
        for name, count in answer.counts.items():
            counts.setdefault(name, Count()).add(count)
        for name, table in answer.hits.items():
            hits.setdefault(name, []).append(table)
        if len(answer.units):
            units.append(answer.units)
    capped = {name: _capped(Table.concat(HITS, tables)) for name, tables in hits.items()}
    return Answer(counts, capped, Table.concat(UNITS, units))


def _count(tally: Tally) -> Count:
    return Count(tally.obligations, len(tally.hits), tally.undecided, tally.blamed)


def _capped(hits: Table) -> Table:
    keys = (hits.other_seq, hits.other_session, hits.end, hits.msg, hits.unit, hits.seq, hits.session)
    return hits.take(np.lexsort(keys)[:CAP])


# -- as Arrow ----------------------------------------------------------------------------------------------------


def to_batch(answer: Answer) -> Any:  # noqa: ANN401 - pyarrow has no types
    """Return an answer as a record batch with the columns `ANSWER`."""
    pa = arrow()
    kinds, names, numbers = [], [], []
    for name, count in answer.counts.items():
        row = [count.obligations, count.violations, count.undecided, *[NONE] * (len(HITS) + 1)]
        row[_NUMBERS.index("blamed")] = count.blamed
        kinds.append(np.array([COUNT]))
        names.append([name])
        numbers.append(np.array([row], np.int64))
    for kind, name, table, schema in [
        *((HIT, name, table, HITS) for name, table in answer.hits.items()),
        (UNIT, "", answer.units, UNITS),
    ]:
        kinds.append(np.full(len(table), kind))
        names.append([name] * len(table))
        numbers.append(_spread(table, schema))
    whole = np.concatenate(numbers)
    columns = {
        "kind": arrow_column(np.concatenate(kinds).astype(np.int8)),
        "property": arrow_texts([name for some in names for name in some]),
        **{name: arrow_column(whole[:, at]) for at, name in enumerate(_NUMBERS)},
    }
    return pa.RecordBatch.from_pydict(columns)


def _spread(table: Table, schema: Schema) -> Array:
    rows = np.full((len(table), len(_NUMBERS)), NONE, np.int64)
    for name in schema:
        rows[:, _NUMBERS.index(name)] = table.columns[name]
    return rows


def from_table(table: Any) -> Answer:  # noqa: ANN401 - pyarrow has no types
    """Return the sum of the answers in an Arrow table with the columns `ANSWER`."""
    kind = numpy_column(table.column("kind"))
    names = np.array(table.column("property").to_pylist(), object)
    columns = {name: numpy_column(table.column(name)) for name in _NUMBERS}
    answers = []
    for at in np.flatnonzero(kind == COUNT):
        count = Count(*(int(columns[name][at]) for name in ("obligations", "violations", "undecided", "blamed")))
        answers.append(Answer({names[at]: count}))
    hits = kind == HIT
    answers += [
        Answer(hits={name: _table(columns, HITS, hits & (names == name))}) for name in sorted(set(names[hits].tolist()))
    ]
    answers.append(Answer(units=_table(columns, UNITS, kind == UNIT)))
    return sum_answers(answers)


def _table(columns: Mapping[str, Array], schema: Schema, mask: Array) -> Table:
    return Table({name: columns[name][mask].astype(kind) for name, kind in schema.items()})
