"""Rates and latencies per second of a run, from its operations. May import columns; reads no files."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from tck.check.columns import NEVER, Array, Op, Out, Table

_SECOND = 1_000_000_000


def samples(rows: Table, faults: Sequence[Mapping[str, Any]] = ()) -> Iterator[dict[str, Any]]:
    """Yield one line per second, up to the last one with an event.

    Args:
        rows: The operations of the run.
        faults: The injected faults, with `kind` and `ms` since the start.
    """
    ended = rows.t1 < NEVER
    if not ended.any():
        return
    when = _seconds(np.where(ended, rows.t1, rows.t0))
    last = int(when.max())
    sends = (rows.op == Op.SEND) & (rows.out == Out.OK)
    counts = {
        "sent": sends,
        "delivered": rows.op == Op.DELIVER,
        "settled": ended & np.isin(rows.op, (Op.ACK, Op.COMMIT, Op.ROLLBACK, Op.RECOVER)),
        "browsed": rows.op == Op.BROWSE,
        "completed": rows.op == Op.COMPLETE,
        "failed": (rows.out != Out.OK) & np.isin(rows.op, (Op.SEND, Op.ACK, Op.COMMIT, Op.ROLLBACK, Op.RECOVER)),
    }
    tallied = {name: np.bincount(when[mask], minlength=last + 1) for name, mask in counts.items()}
    call = _quantiles(when[sends], (rows.t1 - rows.t0)[sends])
    second, latency = _latencies(rows)
    through = _quantiles(second, latency)
    for number in range(last + 1):
        yield {
            "s": number,
            **{name: int(tally[number]) for name, tally in tallied.items()},
            "send_ms": call.get(number),
            "latency_ms": through.get(number),
            "faults": [str(each["kind"]) for each in faults if int(each["ms"]) // 1000 == number],
        }


def _latencies(rows: Table) -> tuple[Array, Array]:
    """Return, for each first delivery of a copy, its second and the time since the call of its send."""
    sent = np.flatnonzero(rows.op == Op.SEND)
    order = sent[np.argsort(rows.msg[sent], kind="stable")]
    got = np.flatnonzero((rows.op == Op.DELIVER) & ~rows.red & (rows.msg >= 0))
    if not len(order) or not len(got):
        return np.empty(0, np.int64), np.empty(0, np.int64)
    at = np.minimum(np.searchsorted(rows.msg[order], rows.msg[got]), len(order) - 1)
    known = rows.msg[order][at] == rows.msg[got]
    got, at = got[known], at[known]
    return _seconds(rows.t0[got]), rows.t0[got] - rows.t0[order][at]


def _seconds(times: Array) -> Array:
    """Return the seconds of the run in which times lie; what is older than the run, by a clock that went back, lies in the first."""
    seconds: Array = np.maximum(times // _SECOND, 0)
    return seconds


def _quantiles(second: Array, nanoseconds: Array) -> dict[int, list[float]]:
    """Return median, 95th and 99th percentile and maximum of each second, in milliseconds."""
    order = np.lexsort((nanoseconds, second))
    seconds, values = second[order], nanoseconds[order]
    found, first, many = np.unique(seconds, return_index=True, return_counts=True)
    result = {}
    for number, start, size in zip(found.tolist(), first.tolist(), many.tolist(), strict=True):
        picked = [values[start + min(size - 1, int(size * share))] for share in (0.5, 0.95, 0.99)]
        result[number] = [round(float(each) / 1e6, 3) for each in (*picked, values[start + size - 1])]
    return result
