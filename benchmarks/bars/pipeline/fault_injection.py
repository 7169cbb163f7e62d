"""Injects faults into large traces: every anomaly many times, each in its own stretch, with the findings that a check must make.

A trace consists of generations (between two restarts), each with its own sessions. An edit works on a few neighbouring
generations only, so that a million rows get hundreds of faults in seconds. An edit is undone if it concerns a message that
an earlier one has changed.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Final

import numpy as np

from benchmarks.traces import Trace
from benchmarks.traces.anomalies import ANOMALIES
from benchmarks.traces.editor import Anomaly, Editor, Key, NoSuchRowError
from tck.check.columns import OPERATIONS, RESTARTS, TRANSACTED, Array, Op, Table
from tck.check.tables import Tables

_OWN: Final = 1 << 41
STRETCH: Final = 3
"""Generations that an edit may read: some need a restart after them and one before."""


AT_THE_ENDS: Final = 5
"""How often to try the anomalies that fit only the beginning or the end of a trace."""
FIRST: Final = frozenset({"flag_set", "auto_comes_back"})
LAST: Final = frozenset(
    {
        "unknown_id",
        "after_close",
        "completion_dropped",
        "sent_after_removal",
        *(
            each.name
            for each in ANOMALIES
            if each.breaks in ("nonpersistent-kept-without-failure", "nondurable-complete-while-open")
        ),
    }
)
"""Anomalies that read the beginning or the end of a whole trace, and are made there only."""

BY_THEMSELVES: Final = frozenset({"completion_after_close", "subscription_refused", "browsed_early"})
"""Anomalies that are not made beside others yet: with any of them in turn, some of the others' edits meet and lose a finding."""

ALONE: Final = frozenset({"temporary_lives_on", "subscribed_later"})
"""Anomalies that change a side table, which affects all rows near it; each gets a stretch to itself."""


@dataclass(slots=True)
class Injected:
    """The edits made to a trace, and the findings they must lead to."""

    trace: Trace
    expected: set[Key] = field(default_factory=set)
    touched: set[int] = field(default_factory=set)
    units: set[int] = field(default_factory=set)
    kinds: dict[str, int] = field(default_factory=dict)


def inject(trace: Trace, per_stretch: int = 5) -> Injected:
    """Inject faults into a trace, some in each stretch, in turn through all anomalies."""
    rows, tables = trace.rows, trace.tables
    bounds = np.concatenate([[-1], np.sort(tables.restarts.t1), [2**61]])
    generation = np.searchsorted(bounds, rows.t0, "right") - 1
    stretch = generation // STRETCH
    done = Injected(trace)
    pieces = []
    alone = [each for each in ANOMALIES if each.name in ALONE]
    anywhere = [each for each in ANOMALIES if each.name not in FIRST | LAST | ALONE | BY_THEMSELVES]
    last = int(stretch.max())
    turn = 0
    for number in range(last + 1):
        piece = rows.take(stretch == number)
        inside = slice(number * STRETCH, number * STRETCH + STRETCH - 1)
        restarts = Table({name: np.sort(tables.restarts.columns[name])[inside] for name in RESTARTS})
        if number == last:
            chosen = [each for each in ANOMALIES if each.name in LAST] * AT_THE_ENDS
        elif number % 4 == 3:
            chosen = [alone[number // 4 % len(alone)]]
        else:
            chosen = [each for each in ANOMALIES if each.name in FIRST and number == 0] * AT_THE_ENDS
            chosen += [anywhere[(number * per_stretch + at) % len(anywhere)] for at in range(per_stretch)]
        for anomaly in chosen:
            piece, tables = _one(done, anomaly, Trace(piece, tables), restarts, turn)
            turn += 1
        pieces.append(piece)
    done.trace = Trace(Table.concat(OPERATIONS, pieces), tables)
    return done


def _one(done: Injected, anomaly: Anomaly, trace: Trace, restarts: Table, turn: int) -> tuple[Table, Tables]:
    """Make one edit; return rows and side tables after it, unchanged where it cannot be made."""
    editor = Editor(Trace(trace.rows, replace(trace.tables, restarts=restarts)), turn)
    try:
        anomaly.make(editor)
    except (NoSuchRowError, IndexError, ValueError):  # the stretch has no fitting row
        return trace.rows, trace.tables
    units = _transactions(trace, editor.touched)
    if editor.touched & done.touched or units & done.units:
        return trace.rows, trace.tables
    done.units |= units
    edited = editor.done()
    number = {
        seq: _OWN + (turn << 12) + at
        for at, seq in enumerate(np.unique(edited.rows.seq[_new(edited.rows.seq)]).tolist())
    }
    done.touched |= editor.touched
    done.expected |= {(name, session, number.get(seq, seq)) for name, session, seq in editor.expected}
    done.kinds[anomaly.name] = done.kinds.get(anomaly.name, 0) + 1
    seq = edited.rows.seq.copy()
    for at in np.flatnonzero(_new(seq)):
        seq[at] = number[int(seq[at])]
    return edited.rows.replaced(seq=seq), replace(edited.tables, restarts=trace.tables.restarts)


def _transactions(trace: Trace, messages: set[int]) -> set[int]:
    """Return the transactions in which messages were sent: an edit to one message concerns the others too."""
    rows = trace.rows
    sent = (
        (rows.op == Op.SEND)
        & np.isin(rows.msg, list(messages))
        & (trace.tables.sessions.mode[rows.session] == TRANSACTED)
    )
    return set(rows.unit[sent].tolist())


def _new(seq: Array) -> Array:
    """Mark the rows that an editor just added; another editor would use the same numbers."""
    mask: Array = (seq >= 1 << 40) & (seq < _OWN)
    return mask
