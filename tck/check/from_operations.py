"""Converts the packed operations of a workload to rows, side tables and names.

A workload records the message of each delivery and the endpoint of each consumer, so nothing is guessed here: control rows
become side tables, all others are converted. Piece by piece (`TraceBuilder`) or at once (`fold`). May import the modules
of columns and tables; knows numpy arrays and plain mappings, not files; must not judge.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

import numpy as np

from tck.check.columns import (
    ALWAYS,
    AUTO,
    BRANCHES,
    CONSUMERS,
    DUPS_OK,
    ENDPOINTS,
    MATCHES,
    NEVER,
    NONE,
    OPERATIONS,
    RESTARTS,
    SESSIONS,
    STOPS,
    TRANSACTED,
    Array,
    End,
    Kind,
    Op,
    Out,
    Table,
)
from tck.check.evidence import Evidence, Names, Trace
from tck.check.tables import Tables

RECEIVE: Final = 32
DRAINED: Final = 33
OPEN: Final = 34
"""Operations beyond those of `Op`, as `tck.record.packed` describes them."""

_MESSAGES: Final = (Op.SEND, Op.DELIVER, Op.BROWSE, Op.COMPLETE, Op.EXCEPTION)
_UNDECIDED: Final = (End.OPEN, End.DOUBT)
_STORED: Final = tuple(name for name in OPERATIONS if name not in ("run", "bucket", "seq", "host"))


def fold(parts: Iterable[Any], objects: Sequence[Mapping[str, Any]], origin: int) -> Trace:
    """Make a trace of the parts of a workload, all in memory.

    Args:
        parts: The packed rows, part by part, in order.
        objects: The lines about objects.
        origin: Start of the run, nanoseconds since the epoch.
    """
    builder = TraceBuilder(objects, origin)
    pieces, first = [], 0
    for part in parts:
        builder.collect(part)
        pieces.append(builder.rows(part, first))
        first += len(part)
    rows, tables = Table.concat(OPERATIONS, pieces), builder.tables()
    return Trace(rows, tables, Evidence(rows, tables, builder.names()))


class TraceBuilder:
    """Collects the control rows; then makes the side tables."""

    def __init__(self, objects: Sequence[Mapping[str, Any]], origin: int) -> None:
        self._objects = objects
        self._origin = origin
        self._control: list[Any] = []
        self._places: list[Array] = []
        self._acks: list[Any] = []
        self._undone: dict[int, int] = {}
        self._seen = 0

    def collect(self, part: Any) -> None:  # noqa: ANN401 - a structured array
        """Keep the control rows of the next part."""
        op = part["op"]
        there = (part["state"] > 0) & ~np.isin(op, _MESSAGES)
        undoing = part[there & (np.isin(op, (Op.ROLLBACK, Op.RECOVER)) | (op == Op.COMMIT) & (part["out"] != Out.OK))]
        for session, first in zip(*np.unique(undoing["session"], return_index=True), strict=True):
            self._undone.setdefault(int(session), int(undoing["t0"][first]))
        acks = there & (op == Op.ACK)
        self._acks.append(np.array(part[acks]))
        kept = np.flatnonzero(there & ~np.isin(op, (Op.ACK, Op.COMMIT, Op.ROLLBACK, Op.RECOVER)))
        # Most receives ended in order without a message; they show nothing.
        rows = part[kept]
        kept_rows = (rows["op"] != RECEIVE) | (rows["out"] != Out.OK)
        self._control.append(np.array(rows[kept_rows]))
        self._places.append(kept[kept_rows] + self._seen)
        self._seen += len(part)

    def rows(self, part: Any, first: int) -> Table:  # noqa: ANN401 - a structured array
        """Return the operations of a part.

        Args:
            part: The packed rows.
            first: Number of its first row.
        """
        op = part["op"]
        opened = (op == OPEN) & (part["consumer"] == NONE)
        kept = np.flatnonzero((part["state"] > 0) & ((op <= Op.RESTART) | opened))
        taken = part[kept]
        columns = {name: np.ascontiguousarray(taken[name]) for name in _STORED}
        made = columns["op"] == OPEN
        if made.any():
            # A new connection is stopped.
            columns["op"] = np.where(made, Op.STOP, columns["op"])
            columns["out"] = np.where(made, Out.UNKNOWN, columns["out"])
        size = len(kept)
        zero = np.zeros(size, np.int32)
        return Table.of(OPERATIONS, {"run": zero, "bucket": zero, "seq": kept + first, "host": zero, **columns}, size)

    # -- side tables ---------------------------------------------------------------------------------------------

    def tables(self) -> Tables:
        """Return the side tables, after all parts were collected."""
        control: Any = np.concatenate(self._control) if self._control else np.empty(0)
        places = np.concatenate(self._places) if self._places else np.empty(0, np.int64)
        if not len(control):
            return Tables(origin=self._origin)
        ops = control["op"]
        consumers = self._consumers(control)
        return Tables(
            endpoints=self._endpoints(control, consumers),
            consumers=Table.from_rows(CONSUMERS, consumers),
            sessions=self._sessions(),
            restarts=Table.of(RESTARTS, {name: control[name][ops == Op.RESTART] for name in RESTARTS}),
            stops=_stops(control, places),
            branches=_branches(control),
            matches=Table.from_rows(
                MATCHES, ({name: each[name] for name in MATCHES} for each in self._objects if each["kind"] == "match")
            ),
            origin=self._origin,
        )

    def _of(self, kind: str) -> list[Mapping[str, Any]]:
        found = [each for each in self._objects if each["kind"] == kind]
        return sorted(found, key=lambda each: int(each["n"]))

    def _consumers(self, control: Any) -> list[dict[str, int]]:  # noqa: ANN401 - a structured array
        """Return the consumers, with a pseudo-consumer for each receive that may have taken a message without returning it."""
        opened, closed, ended = _moments(control, OPEN), _moments(control, Op.CLOSE), _ends(control)
        falls = np.sort(control["t1"][(control["op"] == Op.RESTART) & (control["out"] == Out.OK)])
        rows = []
        for each in self._of("consumer"):
            number, session = int(each["n"]), int(each["session"])
            gone0, gone1 = min(closed.get(number, (NEVER, NEVER)), ended.get(session, (NEVER, NEVER)))
            if gone1 == NEVER > gone0:
                # The messages of a dead consumer are free for certain once the provider has restarted.
                at = int(np.searchsorted(falls, gone0))
                gone1 = int(falls[at]) if at < len(falls) else NEVER
            open0, open1 = opened.get(number, (ALWAYS, ALWAYS))
            if open1 == NEVER:  # refused: it never existed
                open0, gone0, gone1 = ALWAYS, ALWAYS, ALWAYS
            rows.append(
                {
                    "end": int(each["end"]),
                    "session": session,
                    "selector": int(each["selector"]),
                    "open0": open0,
                    "gone0": gone0,
                    "gone1": gone1,
                }
            )
        for lost in _lost_receives(control):
            t0, t1 = int(lost["t0"]), int(lost["t1"])
            rows.append({"end": int(lost["end"]), "session": NONE, "open0": t0, "gone0": t0, "gone1": t1})
        return rows

    def _endpoints(self, control: Any, consumers: Sequence[Mapping[str, int]]) -> Table:  # noqa: ANN401 - as above
        modes = {int(each["n"]): int(each["mode"]) for each in self._of("session")}
        rows: list[dict[str, int]] = []
        for each in self._of("endpoint"):
            names = ("dest", "shared", "selector", "nolocal", "owner")
            rows.append({"kind": int(each["type"]), **{name: int(each[name]) for name in names}})
        # One that was never created for certain has no obligations.
        rows = [endpoint if endpoint["kind"] == Kind.QUEUE else {**endpoint, "open1": NEVER} for endpoint in rows]
        for row in control[control["op"] == Op.SUBSCRIBE]:
            endpoint = rows[row["end"]]
            if endpoint["open1"] == NEVER:
                endpoint.setdefault("open0", int(row["t0"]))
                endpoint["open1"] = int(row["t1"]) if row["out"] == Out.OK else NEVER
        for row in control[control["op"] == Op.UNSUBSCRIBE]:
            if row["out"] != Out.FAIL:
                _end(rows[row["end"]], int(row["t0"]), int(row["t1"]))
        _end_nondurable(rows, consumers, _moments(control, OPEN))
        self._end_temporary(rows, control)
        _show_drained(rows, control, consumers)
        for row in _lost_receives(control):
            if modes.get(int(row["session"])) in (AUTO, DUPS_OK):
                endpoint = rows[row["end"]]
                endpoint["blind"] = max(endpoint.get("blind", ALWAYS), int(row["t1"]))
        return Table.from_rows(ENDPOINTS, rows)

    def _end_temporary(self, rows: Sequence[dict[str, int]], control: Any) -> None:  # noqa: ANN401 - as above
        """A temporary destination ends with the connection that created it."""
        ended = _ends(control)
        connections = {int(each["n"]): int(each["conn"]) for each in self._of("session")}
        ends = {connections[session]: times for session, times in ended.items()}
        for endpoint in rows:
            if endpoint["owner"] in ends and endpoint["owner"] != NONE:
                _end(endpoint, *ends[endpoint["owner"]])

    def _sessions(self) -> Table:
        rows: list[dict[str, int]] = [
            {"conn": int(each["conn"]), "mode": int(each["mode"]), "closer": int(each.get("closer", 0))}
            for each in self._of("session")
        ]
        acks: Any = np.concatenate(self._acks)
        for session in np.unique(acks["session"]):
            mine = acks[acks["session"] == session]
            rows[session] |= {"ack0": int(mine["t0"].min()), "ack1": int(mine["t1"].max())}
        for session, time in self._undoing(rows):
            rows[session]["undo0"] = min(rows[session].get("undo0", NEVER), time)
        return Table.from_rows(SESSIONS, rows)

    def _undoing(self, sessions: Sequence[Mapping[str, int]]) -> Iterator[tuple[int, int]]:
        """Yield the sessions that rolled back, recovered, or worked for a branch that was undone, with the time."""
        yield from self._undone.items()
        control: Any = np.concatenate(self._control)
        undone = control[(control["op"] == Op.END_BRANCH) & (control["mode"] != End.DONE)]
        first: dict[int, int] = {}
        for row in undone:
            first.setdefault(int(row["conn"]), int(row["t0"]))
        for number, session in enumerate(sessions):
            if session["mode"] == TRANSACTED and session["conn"] in first:
                yield number, first[session["conn"]]

    # -- names ---------------------------------------------------------------------------------------------------

    def names(self) -> Names:
        """Return the names of all objects."""

        def labels(kind: str, key: str = "label") -> dict[int, str]:
            return {int(each["n"]): str(each[key]) for each in self._objects if each["kind"] == kind}

        return Names(
            streams=labels("stream"),
            sessions=labels("session"),
            connections=labels("connection"),
            consumers=labels("consumer"),
            endpoints=labels("endpoint"),
            destinations=labels("destination"),
            selectors=labels("selector", "text"),
        )


def _moments(control: Any, op: int) -> dict[int, tuple[int, int]]:  # noqa: ANN401 - a structured array
    """Find call and return of the first such operation of each consumer."""
    found: dict[int, tuple[int, int]] = {}
    for row in control[(control["op"] == op) & (control["consumer"] >= 0)]:
        returned = int(row["t1"]) if row["out"] == Out.OK else NEVER
        found.setdefault(int(row["consumer"]), (int(row["t0"]), returned))
    return found


def _ends(control: Any) -> dict[int, tuple[int, int]]:  # noqa: ANN401 - a structured array
    """Find call and return of the end of each session."""
    found: dict[int, tuple[int, int]] = {}
    ending = np.isin(control["op"], (Op.CLOSE, Op.CRASH)) & (control["consumer"] == NONE)
    for row in control[ending]:
        known = row["op"] == Op.CLOSE and row["out"] == Out.OK
        found.setdefault(int(row["session"]), (int(row["t0"]), int(row["t1"]) if known else NEVER))
    return found


def _lost_receives(control: Any) -> Any:  # noqa: ANN401 - structured arrays
    return control[(control["op"] == RECEIVE) & (control["out"] != Out.OK) & (control["end"] >= 0)]


def _alone(drained: Any, consumers: Sequence[Mapping[str, int]]) -> Iterator[Any]:  # noqa: ANN401 - structured arrays
    """Yield the drains during which no other consumer held messages: all others were gone, or timed out themselves."""
    of: dict[int, list[int]] = {}
    for number, each in enumerate(consumers):
        of.setdefault(each["end"], []).append(number)
    waiting = {int(row["consumer"]) for row in drained}
    for row in drained:
        others = [consumers[number] for number in of.get(int(row["end"]), ()) if number not in waiting]
        if all(each["gone1"] < row["t0"] or each["open0"] > row["t1"] for each in others):
            yield row


def _end(endpoint: dict[str, int], t0: int, t1: int) -> None:
    endpoint["gone0"] = min(endpoint.get("gone0", NEVER), t0)
    endpoint["gone1"] = min(endpoint.get("gone1", NEVER), t1)


def _end_nondurable(
    rows: Sequence[dict[str, int]],
    consumers: Sequence[Mapping[str, int]],
    opened: Mapping[int, tuple[int, int]],
) -> None:
    """A non-durable subscription ends with its last consumer, and may have ended where none existed for certain."""
    users: dict[int, list[tuple[int, int, int]]] = {}
    for number, each in enumerate(consumers):
        there = each["session"] != NONE and each["gone1"] > ALWAYS
        if there and rows[each["end"]]["kind"] == Kind.NONDURABLE:
            since = opened.get(number, (ALWAYS, ALWAYS))[1]
            users.setdefault(each["end"], []).append((since, each["gone0"], each["gone1"]))
    for end, held in users.items():
        until = min(held)[1]
        for since, gone0, _ in sorted(held):
            if since <= until:
                until = max(until, gone0)
        _end(rows[end], until, max(gone1 for _, _, gone1 in held))


def _show_drained(rows: Sequence[dict[str, int]], control: Any, consumers: Sequence[Mapping[str, int]]) -> None:  # noqa: ANN401 - a structured array
    """Record when each endpoint was last shown to be empty while it existed for certain."""
    for row in _alone(control[control["op"] == DRAINED], consumers):
        endpoint = rows[row["end"]]
        if consumers[row["consumer"]]["selector"] not in (NONE, endpoint["selector"]):
            continue  # a selective consumer of a queue shows nothing about messages it rejects
        if row["t1"] > endpoint.get("gone0", NEVER):
            continue  # it may be another one by then, with the same name
        endpoint["drained"] = max(endpoint.get("drained", ALWAYS), int(row["t0"]))
        endpoint["waited"] = max(endpoint.get("waited", ALWAYS), int(row["t1"]))


def _stops(control: Any, places: Array) -> Table:  # noqa: ANN401 - a structured array
    """Pair each stop, and the creation of each connection, with the start that ended it."""
    ops = control["op"]
    made = (ops == OPEN) & (control["consumer"] == NONE)
    stopped = np.flatnonzero(made | ((ops == Op.STOP) & (control["out"] == Out.OK)))
    rows, running = [], dict[int, list[tuple[int, int]]]()
    for row in control[ops == Op.START]:
        running.setdefault(int(row["conn"]), []).append((int(row["t0"]), int(row["t1"])))
    for at in stopped:
        row = control[at]
        starts = running.get(int(row["conn"]), ())
        if any(t0 < row["t1"] and t1 > row["t0"] for t0, t1 in starts):
            continue  # the order of overlapping calls is unknown
        ends = [t0 for t0, _ in starts if t0 >= row["t1"]]
        rows.append(
            {
                "conn": int(row["conn"]),
                "t0": int(row["t1"]),
                "t1": min(ends, default=NEVER),
                "session": int(row["session"]),
                "seq": int(places[at]),
            }
        )
    return Table.from_rows(STOPS, rows)


def _branches(control: Any) -> Table:  # noqa: ANN401 - a structured array
    """Return the end of each branch: its first certain decision, else its first; `mode` has the kind."""
    branches: dict[int, dict[str, int]] = {}
    for row in control[np.isin(control["op"], (Op.PREPARE, Op.END_BRANCH))]:
        branch = branches.setdefault(int(row["unit"]), {"unit": int(row["unit"]), "s0": NEVER, "s1": NEVER})
        if row["op"] == Op.PREPARE:
            if row["out"] == Out.OK:
                branch["prepared"], branch["p1"] = int(row["mode"] != 0), int(row["t1"])
        elif "kind" not in branch or (branch["kind"] in _UNDECIDED and row["mode"] not in _UNDECIDED):
            branch["kind"], branch["s0"] = int(row["mode"]), min(branch["s0"], int(row["t0"]))
            branch["s1"] = int(row["t1"]) if row["out"] == Out.OK else NEVER
    return Table.from_rows(BRANCHES, branches.values())
