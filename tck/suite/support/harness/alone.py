"""Cases that run beside others in one process, each in a lane, and what no case may do there."""

from __future__ import annotations

import threading
from typing import Final

from tck.suite.support.harness.outcome import Ending

WHOLE: Final = frozenset({"Provider.restart", "Provider.kill"})
"""The calls that concern the whole provider, and so everybody beside the case."""


class NeedsAlone(Ending):
    """The case does something that would disturb the cases beside it: it is given up here, and runs alone later."""


class LaneThread(threading.Thread):
    """A thread that runs one case after another, beside others."""

    disturbs = False
    """Whether its case has asked for something that would disturb the others."""


def needs_alone(why: str) -> None:
    """End the case here if it runs beside others, so that it runs alone later.

    Raises:
        NeedsAlone: It does.
    """
    thread = threading.current_thread()
    if isinstance(thread, LaneThread):
        thread.disturbs = True
        raise NeedsAlone(why)
