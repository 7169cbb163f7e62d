"""Errors of the pipeline; each message says what was expected and seen, where, and what to do.

PipelineError
 +-- StoreError      no store, no such run, a run twice with different content, a layout of another kit, a path that cannot be used
 +-- PartError       a file of the store is missing, cut short or damaged
 +-- NoRoomError     the disk is full
 +-- NoSparkError    PySpark, pyarrow or Java is not there
      +-- NoMasterError   nothing listens where the Spark master should be
"""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


class PipelineError(Exception):
    """The pipeline cannot continue."""

    def __init__(self, what: str, *, path: Path | None = None, todo: str) -> None:
        self.what = what
        self.path = path
        self.todo = todo
        where = f"{path}: " if path is not None else ""
        super().__init__(f"{where}{what}. {todo}.")

    def __reduce__(self) -> tuple[object, ...]:
        return _again, (type(self), self.what, self.path, self.todo)


def _again(kind: type[PipelineError], what: str, path: Path | None, todo: str) -> PipelineError:
    return kind(what, path=path, todo=todo)


class StoreError(PipelineError):
    """There is no such store or run, this kit cannot read it, or the system denies access."""


class PartError(PipelineError):
    """A file of the store is missing, cut short or damaged."""


class NoRoomError(PipelineError):
    """The disk is full, or a quota is used up."""


class NoSparkError(PipelineError):
    """PySpark, pyarrow or Java is not there."""


class NoMasterError(NoSparkError):
    """Nothing listens where the Spark master should be."""


_NO_ROOM = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})


@contextmanager
def disk_errors(path: Path) -> Iterator[None]:
    """Turn errors of the operating system into errors that name the file.

    Raises:
        NoRoomError: a write inside failed because the disk is full, a quota is used up or a file may grow no more.
        StoreError: a file or a folder inside cannot be read, written or made.
    """
    try:
        yield
    except OSError as error:
        if error.errno in _NO_ROOM:
            todo = "Make room there and run the same command again; nothing half-written was left in the store"
            raise NoRoomError("expected room for the files of the store, saw none", path=path, todo=todo) from error
        if error.filename is None:
            raise
        where = Path(os.fsdecode(error.filename2 or error.filename))
        todo = "Check the path and its permissions"
        raise StoreError(f"expected to read and write here, saw: {error.strerror}", path=where, todo=todo) from error
