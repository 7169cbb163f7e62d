"""Clean traces of any size, as columns: the trace that a conformant provider leaves under a busy workload.

A trace consists of rounds of one second. In each, every producer sends, transactions end, browsers browse, consumers receive
by priority, then settle or return messages and receive the returned ones again. Every few rounds the provider is restarted:
sessions die, and unsettled messages are redelivered in the next round. Nothing depends on a provider or on real time, and
equal shapes give equal traces. `anomalies` and `near_misses` edit such traces.
"""

from __future__ import annotations

from benchmarks.traces.model import Shape, Trace
from benchmarks.traces.plan import Plan
from benchmarks.traces.rounds import Rounds
from benchmarks.traces.tables import tables_of

__all__ = ["Shape", "Trace", "generate"]


def generate(shape: Shape) -> Trace:
    """Generate a clean trace."""
    plan = Plan(shape)
    rows = Rounds(plan).rows()
    return Trace(rows, tables_of(plan, rows))
