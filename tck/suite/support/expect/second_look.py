"""The second look: does a destination deliver at all on a fresh connection?

Where a message is missing, a provider that delivers on another path has broken the claim; one that delivers nowhere
leaves it undecided, so that a provider which does nothing never decides a case.
"""

from __future__ import annotations

from tck import api
from tck.suite.support.harness.running import RunningCase
from tck.suite.support.values.seen import body


def delivers_at_all(case: RunningCase, destination: api.Destination) -> bool:
    """Send one probe over a fresh client of the case's interface and receive; older messages of a queue may come first."""
    try:
        link = case.link("auto", destination=destination)
        probe = "second look"
        link.put(probe)
        for _ in range(64):
            message = link.poll()
            if message is None:
                return False
            if body(message) is not None:
                return True
    except Exception:  # noqa: BLE001 - by any error the other path does not work
        return False
    return False
