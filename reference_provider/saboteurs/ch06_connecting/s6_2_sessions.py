"""Faults in 6.2: sessions."""

from __future__ import annotations

from reference_provider.saboteurs.faults import acknowledge_ignored
from reference_provider.saboteurs.registry import Patch, saboteur


@saboteur("6.2.15-23", "acknowledge() does nothing after the session is closed")
def _(patch: Patch) -> None:
    acknowledge_ignored(patch, connection_closed=False)
