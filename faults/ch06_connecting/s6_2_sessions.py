"""Faults in 6.2: sessions."""

from __future__ import annotations

from faults.kit.common import acknowledge_ignored
from faults.kit.declaring import saboteur
from faults.kit.patch import Patch


@saboteur("6.2.15-23", "acknowledge() does nothing after the session is closed")
def _(patch: Patch) -> None:
    acknowledge_ignored(patch, connection_closed=False)
