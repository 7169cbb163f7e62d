"""The stories of findings, from the few rows that each one concerns.

Two passes over the operations serve any number of findings: the first finds the rows of their messages and the rows they
name, the second the ends of their units of work, and the deliveries that show that an endpoint was drained.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from tck.check.array_ops import find, mix
from tck.check.columns import NONE, OPERATIONS, Array, Op, Table
from tck.check.evidence import Evidence
from tck.check.registry import Property
from tck.check.results import Finding
from tck.check.story import finding_of
from tck.reports.pipeline.parquet import STORED
from tck.reports.pipeline.run_info import RunInfo
from tck.reports.pipeline.store import Store

_SETTLING: Final = (Op.ACK, Op.COMMIT, Op.ROLLBACK, Op.RECOVER, Op.CLOSE, Op.CRASH, Op.PREPARE, Op.END_BRANCH)


@dataclass(frozen=True, slots=True)
class Story:
    """A finding with its story, and the rows that the story uses."""

    finding: Finding
    case: str
    rows: Table


def build_stories(store: Store, info: RunInfo, hits: Sequence[tuple[Property, dict[str, int]]]) -> list[Story]:
    """Return the stories of findings, each given as a property and the columns of `HITS`.

    Raises:
        PartError: a file of the run is missing or damaged.
    """
    if not hits:
        return []
    names, cases = store.names(info)
    tables = store.side_tables(info)
    rows = _Rows(_gathered(store, info, [hit for _, hit in hits]))
    stories = []
    for kind, hit in hits:
        near = rows.near(hit)
        stories.append(Story(finding_of(kind, hit, Evidence(near, tables, names)), cases.get(_session(hit), ""), near))
    return stories


def _session(hit: dict[str, int]) -> int:
    """Return the session that determines the case of a hit."""
    if hit["session"] >= 0:
        return hit["session"]
    return hit["unit"] >> 32 if hit["unit"] >= 0 else NONE


def case_of(cases: dict[int, str], hit: dict[str, int]) -> str:
    """Return the case of a hit; empty in a workload."""
    return cases.get(_session(hit), "")


def _gathered(store: Store, info: RunInfo, hits: Sequence[dict[str, int]]) -> Table:
    messages, places = _keys(hits, "msg"), _places(hits)
    first = _walk(store, info, lambda rows: _among(rows.msg, messages) | _among(_place(rows.session, rows.seq), places))
    more = np.unique(first.msg[first.msg >= 0])
    units = np.unique(np.concatenate([first.unit[first.unit >= 0], _keys(hits, "unit")]))
    streams = np.unique(np.array([(hit["msg"] >> 32) << 20 ^ hit["end"] for hit in hits if hit["msg"] >= 0], np.int64))

    def wanted(rows: Table) -> Array:
        fence = (rows.op == Op.DELIVER) & ~rows.red & _among(rows.msg >> 32 << 20 ^ rows.end, streams)
        settles = np.isin(rows.op, _SETTLING) & _among(rows.unit, units)
        mask: Array = _among(rows.msg, more) | settles | fence | _among(_place(rows.session, rows.seq), places)
        return mask

    return _walk(store, info, wanted)


def _walk(store: Store, info: RunInfo, wanted: Callable[[Table], Array]) -> Table:
    return Table.concat(STORED, [rows.take(wanted(rows)) for rows in _parts(store, info)])


def _parts(store: Store, info: RunInfo) -> Iterator[Table]:
    for path, size in store.part_paths(info):
        yield store.operations(info, path, size)


def _keys(hits: Sequence[dict[str, int]], name: str) -> Array:
    return np.unique(np.array([hit[name] for hit in hits if hit[name] >= 0], np.int64))


def _places(hits: Sequence[dict[str, int]]) -> Array:
    pairs = [(hit["session"], hit["seq"]) for hit in hits] + [(hit["other_session"], hit["other_seq"]) for hit in hits]
    named = np.array([pair for pair in pairs if pair[0] >= 0], np.int64).reshape(-1, 2)
    return np.unique(_place(named[:, 0], named[:, 1]))


def _place(session: Array, seq: Array) -> Array:
    return mix((session, seq))


def _among(values: Array, keys: Array) -> Array:
    mask: Array = find(keys, values.astype(np.int64)) >= 0
    return mask


class _Rows:
    """The gathered rows, indexed for finding those of one finding."""

    def __init__(self, rows: Table) -> None:
        self._rows = rows
        self._by_msg = np.argsort(rows.msg, kind="stable")
        self._by_unit = np.argsort(rows.unit, kind="stable")
        self._by_place = np.argsort(_place(rows.session, rows.seq), kind="stable")
        self._by_stream = np.argsort(rows.msg >> 32 << 20 ^ rows.end, kind="stable")
        self._msg, self._unit = rows.msg[self._by_msg], rows.unit[self._by_unit]
        self._place = _place(rows.session, rows.seq)[self._by_place]
        self._stream = (rows.msg >> 32 << 20 ^ rows.end)[self._by_stream]

    def near(self, hit: dict[str, int]) -> Table:
        """Return the rows that the story of a hit may use."""
        named = [(hit["session"], hit["seq"]), (hit["other_session"], hit["other_seq"])]
        places = _place(*(np.array(column, np.int64) for column in zip(*named, strict=True)))
        at = [
            _between(self._place, self._by_place, place)
            for place, (session, _) in zip(places.tolist(), named, strict=True)
            if session >= 0
        ]
        at.append(self._at(self._msg, self._by_msg, hit["msg"]))
        core = np.concatenate(at)
        at += [self._at(self._msg, self._by_msg, msg) for msg in np.unique(self._rows.msg[core]).tolist()]
        found = np.unique(np.concatenate(at))
        units = {hit["unit"], *self._rows.unit[found].tolist()}
        at += [self._settling(self._at(self._unit, self._by_unit, unit)) for unit in units]
        at.append(self._fence(hit))
        rows = self._rows.take(np.unique(np.concatenate(at)))
        return Table.of(OPERATIONS, rows.columns, len(rows))

    def _at(self, keys: Array, order: Array, key: int) -> Array:
        return _between(keys, order, key) if key >= 0 else order[:0]

    def _settling(self, at: Array) -> Array:
        return at[np.isin(self._rows.op[at], _SETTLING)]

    def _fence(self, hit: dict[str, int]) -> Array:
        """Return the first delivery of a later message of the stream at the endpoint of a hit."""
        if hit["msg"] < 0 or hit["end"] < 0:
            return self._by_msg[:0]
        at = self._at(self._stream, self._by_stream, hit["msg"] >> 32 << 20 ^ hit["end"])
        rows = self._rows
        at = at[
            (rows.msg[at] > hit["msg"]) & (rows.end[at] == hit["end"]) & (rows.op[at] == Op.DELIVER) & ~rows.red[at]
        ]
        first: Array = at[np.argsort(rows.t0[at], kind="stable")[:1]]
        return first


def _between(keys: Array, order: Array, key: int) -> Array:
    return order[np.searchsorted(keys, key, "left") : np.searchsorted(keys, key, "right")]
