"""One writer at a time, and no reader meanwhile: a lock of the store around what takes runs out of it and puts them in.

A run is several files, and no system swaps several at once: who reads some of them that belong together holds the lock too,
with other readers, for as long as that takes. Operations are read without it, a run of them may take an hour; a check finds
out afterwards whether its run was replaced. The system lets go of it when its process ends, however it does. Where there are no such locks, nothing is locked.
"""

from __future__ import annotations

import errno
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Final

from tck.reports.pipeline.errors import StoreError, disk_errors

if sys.platform != "win32":
    import fcntl

WAIT: Final = 60.0
"""Seconds to wait for others; what is done under the lock takes far less than one."""
_PAUSE: Final = 0.02
_NO_LOCKS: Final = frozenset({errno.ENOLCK, errno.ENOSYS, errno.EOPNOTSUPP})


@contextmanager
def locked(store: Path) -> Iterator[None]:
    """Be the only one at a store meanwhile; no other lock is taken inside.

    Raises:
        StoreError: another command did not end in time.
        NoRoomError: the disk is full.
    """
    path = store / ".lock"
    with disk_errors(path), path.open("ab") as file:
        _take(file, path, shared=False)
        yield


@contextmanager
def unchanged(store: Path) -> Iterator[None]:
    """Read a store while nobody writes; others may read too, and a reader inside a reader. Not inside `locked`.

    Raises:
        StoreError: a writer did not end in time.
    """
    path = store / ".lock"
    try:
        file = path.open("rb")
    except OSError:  # nothing was ever put in; or it is a copy that can only be read, where nobody writes
        yield
        return
    with file:
        _take(file, path, shared=True)
        yield


def _take(file: IO[bytes], path: Path, *, shared: bool) -> None:
    end = time.monotonic() + WAIT
    while not _taken(file, shared=shared):
        if time.monotonic() > end:
            todo = "Wait until the other command has ended and give this one again"
            what = f"expected the other command at this store to end within {WAIT:.0f} s"
            raise StoreError(what, path=path, todo=todo)
        time.sleep(_PAUSE)


def _taken(file: IO[bytes], *, shared: bool) -> bool:
    if sys.platform == "win32":
        return True
    try:
        fcntl.flock(file, (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError as error:
        if error.errno not in _NO_LOCKS:
            raise
    return True
