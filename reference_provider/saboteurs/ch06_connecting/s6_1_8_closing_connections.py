"""Faults in 6.1.8: closing a connection."""

from __future__ import annotations

from reference_provider.saboteurs.faults import acknowledge_ignored
from reference_provider.saboteurs.registry import Patch, saboteur


@saboteur("6.1.8-35", "acknowledge() does nothing after the connection is closed")
def _(patch: Patch) -> None:
    acknowledge_ignored(patch, connection_closed=True)
