"""The place for a provider's files during a run: in memory where the system has room for it.

The suite stops, restarts and kills providers, but no machine loses power, so what is in memory is as good as what is on a
disk; and a provider that syncs each commit to its disk takes half of the time there.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from pathlib import Path
from typing import Final

_MEMORY: Final = Path("/dev/shm")  # noqa: S108 - directories of our own are made in it
_ENOUGH: Final = 1 << 30
"""Free bytes without which memory is not used: brokers reserve the size of a journal, containers often offer 64 MB only."""
_CHOSEN_BY_USER: Final = ("TMPDIR", "TEMP", "TMP")


def work_directory() -> Path:
    """Return where to make the directory of a provider.

    The directory that TMPDIR (TEMP, TMP) names; else /dev/shm if it can be written and has 1 GiB free; else the system's
    directory for temporary files.
    """
    if not any(os.environ.get(name) for name in _CHOSEN_BY_USER) and _has_room(_MEMORY):
        return _MEMORY
    return Path(tempfile.gettempdir())


def _has_room(directory: Path) -> bool:
    return (
        directory.is_dir() and os.access(directory, os.W_OK | os.X_OK) and shutil.disk_usage(directory).free >= _ENOUGH
    )
