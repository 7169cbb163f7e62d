"""Folders for measurements: on a memory file system, where a sync is free and only CPU time counts, or on a disk."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from enum import StrEnum
from pathlib import Path

from benchmarks.unavailable import Unavailable

_MEMORY = Path("/dev/shm")  # noqa: S108 - the system's memory file system, not a predictable file
_MEMORY_KINDS = frozenset({"tmpfs", "ramfs"})


class Medium(StrEnum):
    """The storage below a folder."""

    MEMORY = "memory file system"
    DISK = "disk"


def parent_on(medium: Medium) -> Path:
    """Find a folder for temporary files on a medium.

    Raises:
        Unavailable: there is none here.
    """
    if medium is Medium.MEMORY:
        if os.access(_MEMORY, os.W_OK) and _kind(_MEMORY) in _MEMORY_KINDS:
            return _MEMORY
        raise Unavailable("there is no memory file system /dev/shm here")
    for folder in (Path(tempfile.gettempdir()), Path.cwd()):
        if os.access(folder, os.W_OK) and _kind(folder) not in _MEMORY_KINDS:
            return folder
    raise Unavailable("neither the temporary nor the current folder lies on a disk")


@contextmanager
def folder_on(medium: Medium) -> Iterator[Path]:
    """Yield a fresh folder on a medium; remove it afterwards."""
    folder = Path(tempfile.mkdtemp(prefix="benchmark-", dir=parent_on(medium)))
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def fastest_folder() -> Iterator[Path]:
    """Yield a fresh folder in memory, or on disk where there is no memory file system."""
    try:
        parent_on(Medium.MEMORY)
    except Unavailable:
        with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as name:
            yield Path(name)
    else:
        with folder_on(Medium.MEMORY) as folder:
            yield folder


def _kind(folder: Path) -> str:
    """Return the type of the file system of `folder`, by the longest mount point above it; "" if unknown."""
    try:
        mounts = Path("/proc/mounts").read_text().splitlines()
    except OSError:
        return ""
    best, kind = -1, ""
    for line in mounts:
        _, point, found, *_ = line.split(" ")
        if folder.resolve().is_relative_to(point) and len(point) > best:
            best, kind = len(point), found
    return kind
