"""The lock of a store: one writer at a time, and no reader meanwhile.

A run consists of several files, which no file system replaces at once. So a reader of several of them holds the lock too,
shared with other readers. Operations are read without it, since judging a run may take an hour; the check finds out
afterwards whether its run was replaced. The system releases the lock when the process ends. On systems without file locks
nothing is locked.
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
"""Seconds to wait for other processes; work under the lock takes far less than one."""
_PAUSE: Final = 0.02
_NO_LOCKS: Final = frozenset({errno.ENOLCK, errno.ENOSYS, errno.EOPNOTSUPP})


@contextmanager
def locked(store: Path) -> Iterator[None]:
    """Hold the store exclusively. No other lock may be taken inside.

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
    """Hold the store shared with other readers, while nobody writes. May be nested; not inside `locked`.

    Raises:
        StoreError: a writer did not end in time.
    """
    path = store / ".lock"
    try:
        file = path.open("rb")
    except OSError:  # an empty store, or a read-only copy, which nobody writes
        yield
        return
    with file:
        _take(file, path, shared=True)
        yield


def _take(file: IO[bytes], path: Path, *, shared: bool) -> None:
    end = time.monotonic() + WAIT
    while not _taken(file, shared=shared):
        if time.monotonic() > end:
            todo = "Wait until the other command has ended and run this one again"
            what = f"expected the other command on this store to end within {WAIT:.0f} s"
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
