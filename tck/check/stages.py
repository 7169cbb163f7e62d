"""The two pure functions that evaluate every property, `session` and `message`, and `across` for the rest.

`session` takes the rows of whole sessions, or of slices with their context rows, and passes on the copies in them;
`message` takes the copies of whole messages;
`across` takes the little that concerns several messages at once. The answers do not depend on how sessions and messages are
distributed over calls, or on the order of the rows; `merge` adds the answers. Imports the properties; knows nothing of
events, files or Spark.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, TypeAlias

import numpy as np

from tck.check.array_ops import find, gather, starts
from tck.check.columns import COPIES, HITS, IDS, NEVER, NONE, UNITS, Array, Op, Out, Table
from tck.check.properties import PROPERTIES
from tck.check.properties.message_views import Copies, Deliveries, Identity, Units, sends_of
from tck.check.properties.views import AsyncSends, Completions, Exceptions, Lane, Sends, Subscribings
from tck.check.registry import Grain, Judged, Property
from tck.check.results import Margins
from tck.check.tables import Tables
from tck.check.unit_outcomes import (
    RowOutcomes,
    SessionEnds,
    row_outcomes,
    session_ends,
    unit_ends,
    with_callback_outcomes,
)
from tck.check.units import roles_of

Names: TypeAlias = Sequence[Property]

_NO_HITS: Final = Table.empty(HITS)


@dataclass(frozen=True, slots=True)
class Tally:
    """The result of one call for one property, see `PropertyResult`; `hits` are its violations, as `HITS`."""

    obligations: int
    undecided: int
    hits: Table

    @property
    def blamed(self) -> int:
        """The assertions that the violations break, as in the column `blamed`."""
        return int(np.bitwise_or.reduce(self.hits.blamed)) if len(self.hits) else 0


@dataclass(frozen=True, slots=True)
class Stage:
    """The result of one call: a tally for each property it judges, and the tables it passes on."""

    tallies: Mapping[str, Tally]
    copies: Table = field(default_factory=lambda: Table.empty(COPIES))
    units: Table = field(default_factory=lambda: Table.empty(UNITS))
    ids: Table = field(default_factory=lambda: Table.empty(IDS))


def session(
    rows: Table, tables: Tables, margins: Margins, properties: Iterable[Property], own: Array | None = None
) -> Stage:
    """Judge sends, sessions, completions, subscriptions and exceptions.

    Args:
        rows: `OPERATIONS` of whole sessions, in any order.
        tables: The side tables.
        margins: The margins.
        properties: The properties to judge.
        own: Mask of the rows to judge, all if None; the others are context rows, see `slices`.
    """
    wanted = list(properties)
    units, ends = unit_ends(rows), session_ends(rows)
    lane = Lane(rows, tables, margins)
    tallies = _judged(wanted, Grain.SEND, lambda: Sends(rows, np.flatnonzero(rows.op == Op.SEND), tables, margins), own)
    tallies |= _judged(wanted, Grain.LANE, lambda: lane, own)
    quiet = not ((rows.op == Op.COMPLETE) | rows.auto & (rows.op == Op.SEND)).any()
    if quiet:
        tallies |= _nothing(each for each in wanted if each.grain in (Grain.COMPLETION, Grain.ASYNC))
    else:
        completions = Completions(rows, tables, margins, units, ends)
        tallies |= _judged(wanted, Grain.COMPLETION, lambda: completions, own)
        tallies |= _judged(wanted, Grain.ASYNC, lambda: AsyncSends(rows, tables, margins, completions), own)
    tallies |= _judged(wanted, Grain.SUBSCRIPTION, lambda: Subscribings(rows, tables, margins), own)
    tallies |= _judged(wanted, Grain.EXCEPTION, lambda: Exceptions(rows, tables, margins), own)
    mine = np.ones(len(rows), bool) if own is None else own
    visible = rows if quiet else with_callback_outcomes(rows)
    named = np.flatnonzero((rows.op == Op.SEND) & (rows.out == Out.OK) & (rows.jms != 0) & mine)
    return Stage(
        tallies,
        copies=_copies(visible, lane, row_outcomes(visible, units, tables), ends, tables, mine),
        ids=Table({name: rows.columns[name][named] for name in IDS}),
    )


def message(copies: Table, tables: Tables, margins: Margins, properties: Iterable[Property]) -> Stage:
    """Judge deliveries and copies; the rows are `COPIES` of whole messages, in any order."""
    wanted = list(properties)
    sends = sends_of(copies, tables, margins)
    deliveries = Deliveries(copies, sends, tables, margins)
    tallies = _judged(wanted, Grain.DELIVERY, lambda: deliveries)
    if not any(each.grain in (Grain.COPY, Grain.UNIT) for each in wanted):
        return Stage(tallies)
    owed = Copies(copies, sends, deliveries, tables, margins)
    tallies |= _judged(wanted, Grain.COPY, lambda: owed)
    return Stage(tallies, units=roles_of(deliveries, owed, tables))


def across(units: Table, ids: Table, tables: Tables, properties: Iterable[Property]) -> Stage:
    """Judge units in doubt and message ids, from the tables of all calls of `message` and `session`."""
    wanted = list(properties)
    if len(units):
        tallies = _judged(wanted, Grain.UNIT, lambda: Units(units, tables))
    else:
        tallies = _nothing(each for each in wanted if each.grain is Grain.UNIT)
    return Stage(tallies | _judged(wanted, Grain.IDENTITY, lambda: Identity(ids)))


def merge(stages: Iterable[Stage]) -> dict[str, Tally]:
    """Add the tallies of all calls; the order of hits does not depend on the distribution over calls."""
    collected: dict[str, list[Tally]] = {}
    for stage in stages:
        for name, tally in stage.tallies.items():
            collected.setdefault(name, []).append(tally)
    return {name: _sum(tallies) for name, tallies in collected.items()}


def _sum(tallies: Sequence[Tally]) -> Tally:
    if len(tallies) == 1 and len(tallies[0].hits) < 2:
        return tallies[0]
    hits = Table.concat(HITS, [tally.hits for tally in tallies if len(tally.hits)] or [_NO_HITS])
    return Tally(
        sum(tally.obligations for tally in tallies),
        sum(tally.undecided for tally in tallies),
        hits.take(np.lexsort((hits.end, hits.msg, hits.unit, hits.seq, hits.session))),
    )


def judge(
    rows: Table, tables: Tables, margins: Margins | None = None, properties: Iterable[Property] | None = None
) -> dict[str, Tally]:
    """Run all stages in one process, over one whole trace."""
    margins = margins or Margins()
    wanted = list(PROPERTIES.values() if properties is None else properties)
    first = session(rows, tables, margins, wanted)
    second = message(first.copies, tables, margins, wanted)
    return merge((first, second, across(second.units, first.ids, tables, wanted)))


def _judged(wanted: Names, grain: Grain, view: Callable[[], Any], own: Array | None = None) -> dict[str, Tally]:
    mine = [each for each in wanted if each.grain is grain]
    if not mine:
        return {}
    seen = view()
    if not len(seen):
        return _nothing(mine)
    kept = None if own is None else own[seen.index]
    return {
        each.name: _tally(each, each.judge(seen) if kept is None else each.judge(seen).only(kept), seen)
        for each in mine
    }


def _nothing(properties: Iterable[Property]) -> dict[str, Tally]:
    return {each.name: Tally(0, 0, _NO_HITS) for each in properties}


def _tally(kind: Property, judged: Judged, view: Any) -> Tally:  # noqa: ANN401 - a view of any grain, see Grain
    hits = judged.hits
    if not len(hits):
        return Tally(judged.obligations, judged.open, _NO_HITS)
    session_, seq = judged.subject or (view.session, view.seq)
    columns = {
        "msg": view.msg[hits],
        "end": view.end[hits],
        "unit": view.unit[hits],
        "session": session_[hits],
        "seq": seq[hits],
        "blamed": _blamed(kind, judged, hits),
    }
    if judged.other is not None:
        columns |= {"other_session": judged.other[0][hits], "other_seq": judged.other[1][hits]}
    return Tally(judged.obligations, judged.open, Table.of(HITS, columns))


def _blamed(kind: Property, judged: Judged, hits: Array) -> Array:
    """Return the assertions that each violation breaks, as in the column `blamed`."""
    if judged.blames is None:
        return np.full(len(hits), NONE, np.int64)
    blames = judged.blames()
    if not blames.keys() <= set(kind.assertions):
        raise KeyError(
            f"{kind.name} blames assertions that it does not judge: {sorted(blames.keys() - set(kind.assertions))}"
        )
    bits = np.zeros(len(hits), np.int64)
    for place, id_ in enumerate(kind.assertions):
        mine = blames[id_][hits] if id_ in blames else np.ones(len(hits), bool)
        bits[mine] |= 1 << place
    return bits


def _copies(rows: Table, lane: Lane, outcomes: RowOutcomes, ends: SessionEnds, tables: Tables, mine: Array) -> Table:
    """Keep the rows of messages, with the outcome of each."""
    last = np.zeros(len(rows), bool)
    if len(lane):
        last[lane.index[np.append(starts(lane.session)[1:], True)]] = True
    ended = find(ends.session, rows.session)
    e0 = np.where(ended >= 0, gather(ends.t0, ended), NEVER)
    gone = np.where(rows.consumer >= 0, gather(tables.consumers.gone0, rows.consumer), NEVER)
    kept = np.flatnonzero((rows.msg >= 0) & _about_messages(rows.op) & mine)
    whole = rows.replaced(
        kind=outcomes.kind,
        s0=outcomes.s0,
        s1=outcomes.s1,
        tx=outcomes.tx,
        e0=np.minimum(e0, gone) if len(tables.consumers) else e0,
        died=(ended >= 0) & gather(ends.died, ended),
        last=last,
    )
    return whole.pick(COPIES).take(kept)


def _about_messages(op: Array) -> Array:
    mask: Array = (op == Op.SEND) | (op == Op.DELIVER) | (op == Op.BROWSE)
    return mask
