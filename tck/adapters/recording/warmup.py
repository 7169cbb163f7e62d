"""Make all wrapper classes before the first case; else each is made for the first object of its types."""

from __future__ import annotations

from tck.adapters.recording.kinds import INFOS
from tck.adapters.recording.shapes import api_types


def warm_up() -> None:
    """Compile the wrapper class of each single API type: some 60 milliseconds, once per process."""
    for each in sorted(api_types(), key=lambda each: each.__name__):
        INFOS[each]
