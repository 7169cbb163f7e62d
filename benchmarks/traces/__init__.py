"""Clean traces of any size, as columns: what a conformant provider leaves behind under a busy workload.

A trace runs in rounds of one second. In each, every producer sends, transactions end, browsers look, consumers take what
is there in order of priority, settle or hand back, and take again what came back. Every few rounds the provider is
restarted: sessions die, unsettled messages come again in the next round. Nothing in it depends on a provider or on real
time, and equal shapes give equal traces. `anomalies` and `near_misses` change such traces on purpose.
"""

from __future__ import annotations

from benchmarks.traces.model import Load, Shape
from benchmarks.traces.plan import Plan
from benchmarks.traces.rounds import Rounds
from benchmarks.traces.tables import tables_of

__all__ = ["Load", "Shape", "generate"]


def generate(shape: Shape) -> Load:
    """Make a clean trace."""
    plan = Plan(shape)
    rows = Rounds(plan).rows()
    return Load(rows, tables_of(plan, rows))
