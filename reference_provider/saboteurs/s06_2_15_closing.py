"""Faults in 6.2.15 and 6.1.8: what a message can still do when its session or connection is closed."""

from __future__ import annotations

from reference_provider.client.sessions import ReferenceSession
from reference_provider.saboteurs.faults import connection_of
from reference_provider.saboteurs.registry import Patch, saboteur


def _ignored_when(patch: Patch, *, connection_closed: bool) -> None:
    """Have acknowledge() do nothing on a closed session whose connection is open, or closed too."""
    original = ReferenceSession.acknowledge_from_message

    def acknowledge_from_message(self: ReferenceSession) -> None:
        if not (self.closed and connection_of(self).closed is connection_closed):
            original(self)

    patch.replace(ReferenceSession, "acknowledge_from_message", acknowledge_from_message)


@saboteur("6.2.15-23", "acknowledge() is ignored once the session is closed")
def _(patch: Patch) -> None:
    _ignored_when(patch, connection_closed=False)


@saboteur("6.1.8-35", "acknowledge() is ignored once the connection is closed")
def _(patch: Patch) -> None:
    _ignored_when(patch, connection_closed=True)
