"""Memory of tasks: each makes arrays of the same sizes as the one before it."""

from __future__ import annotations

import ctypes
import sys
from contextlib import suppress
from typing import Final

_MMAP_THRESHOLD, _TRIM_THRESHOLD, _TOP_PAD = -3, -1, -2
_SETTINGS: Final = ((_MMAP_THRESHOLD, 32 << 20), (_TRIM_THRESHOLD, 1 << 30), (_TOP_PAD, 64 << 20))


def keep_memory() -> None:
    """Have this process keep what arrays gave back, for the next ones, where the C library is glibc.

    Else each array is fetched from the system and given back to it, which is a tenth of the time of a task. The peak is the same.
    """
    if sys.platform == "linux":
        with suppress(AttributeError, OSError):  # another C library
            mallopt = ctypes.CDLL(None).mallopt
            for name, size in _SETTINGS:
                mallopt(name, size)
