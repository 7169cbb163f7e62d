"""The second look: does anything at all travel through a destination on a fresh connection?

Where a message is missing, a provider that delivers on another path has broken the claim; one that delivers nowhere
leaves it undecided, so that a provider which does nothing never decides a case.
"""

from __future__ import annotations

from tck import api
from tck.suite.support.harness.running import RunningCase
from tck.suite.support.values.seen import body


def delivers_at_all(case: RunningCase, destination: api.Destination) -> bool:
    """Send and receive one probe over a fresh client of the case's interface; what stood in a queue may come first."""
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
    except Exception:  # noqa: BLE001 - whatever fails here, the other path does not work
        return False
    return False
