"""One writer at a time: a lock of the store around what takes runs out of it and puts them in. Readers need none.

The system lets go of it when its process ends, however it does. Where there are no such locks, nothing is locked.
"""

from __future__ import annotations

import errno
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Final

from reports.pipeline.errors import StoreError, room

if sys.platform != "win32":
    import fcntl

WAIT: Final = 60.0
"""Seconds to wait for another writer; what is done under the lock takes far less than one."""
_PAUSE: Final = 0.02
_NO_LOCKS: Final = frozenset({errno.ENOLCK, errno.ENOSYS, errno.EOPNOTSUPP})


@contextmanager
def locked(store: Path) -> Iterator[None]:
    """Be the only writer of a store meanwhile; no other lock is taken inside.

    Raises:
        StoreError: another writer did not end in time.
        NoRoomError: the disk is full.
    """
    path = store / ".lock"
    with room(path), path.open("ab") as file:
        end = time.monotonic() + WAIT
        while not _taken(file):
            if time.monotonic() > end:
                todo = "Wait until the other command has ended and give this one again"
                raise StoreError(
                    f"expected the other writer of this store to end within {WAIT:.0f} s", path=path, todo=todo
                )
            time.sleep(_PAUSE)
        yield


def _taken(file: IO[bytes]) -> bool:
    if sys.platform == "win32":
        return True
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError as error:
        if error.errno not in _NO_LOCKS:
            raise
    return True
