"""Records the functions of the mutated modules that each case enters: a mutant needs only the cases that reach it.

Runs in a forked child, before the provider is loaded, with a profile function on every thread.
"""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Collection
from types import FrameType
from typing import Any


class Reach:
    """Records the functions entered since the last case: file and first line."""

    def __init__(self, files: Collection[str]) -> None:
        self._files = frozenset(files)
        self._seen: set[tuple[str, int]] = set()
        self._since = 0.0

    def start(self) -> None:
        """Watch this thread and all threads started from now on."""
        self._since = time.perf_counter()
        threading.setprofile(self._watch)
        sys.setprofile(self._watch)

    def taken(self) -> dict[str, Any]:
        """Return the functions entered since the last call, and the milliseconds since then.

        Sets the profile function again: Python removes one that raised, which happens where a case is cut.
        """
        sys.setprofile(self._watch)
        now = time.perf_counter()
        noted = {"ms": round((now - self._since) * 1000, 3), "places": sorted(self._seen)}
        self._seen.clear()
        self._since = now
        return noted

    def _watch(self, frame: FrameType, event: str, argument: object) -> None:  # noqa: ARG002 - the signature is Python's
        if event == "call":
            code = frame.f_code
            if code.co_filename in self._files:
                self._seen.add((code.co_filename, code.co_firstlineno))
