"""Temporary folders that no process leaves behind.

A folder is removed when the process that made it ends: by the interpreter, or by `remove_all` before an `os._exit`. What
a killed process leaves is removed by the next process that makes a folder of that kind: the maker and its forked children
hold a lock on their folder, which the system releases when the last of them ends. Imports nothing of ours.
"""

from __future__ import annotations

import atexit
import contextlib
import os
import shutil
import sys
import tempfile
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Final

if sys.platform != "win32":
    import fcntl

_lock: Final = threading.Lock()
"""Guards `_held`; no other lock is taken while it is held."""
_held: Final[dict[Path, int | None]] = {}
"""The folders that this process has made and not removed, each with the descriptor that holds its lock."""


def make_folder(kind: str, place: Path | None = None) -> Path:
    """Make a folder that is removed when this process ends, and remove those of its kind whose processes are dead.

    Args:
        kind: A word for its name, `tck-KIND-...`.
        place: The folder to make it in; None means the system's folder for temporary files.

    Raises:
        OSError: It cannot be made.
    """
    place = place or Path(tempfile.gettempdir())
    _sweep(kind, place)
    while True:
        folder = Path(tempfile.mkdtemp(prefix=f"tck-{kind}-", dir=place))
        try:
            descriptor = _locked(folder, wait=True)
            if folder.is_dir():  # else another process has taken it for abandoned, before it was locked
                with _lock:
                    _held[folder] = descriptor
                return folder
            _close(descriptor)
        except BaseException:  # of a signal too: nobody else knows of the folder
            _removed(folder)
            raise


def remove_folder(folder: Path) -> None:
    """Remove a folder of `make_folder`; do nothing if it is gone."""
    _removed(folder)
    with _lock:  # afterwards: what a signal interrupts is removed at the end of the process
        descriptor = _held.pop(folder, None)
    _close(descriptor)


def _removed(folder: Path) -> None:
    """Remove a folder; once more where a thread that still works has put a file into it meanwhile."""
    for _ in range(3):
        shutil.rmtree(folder, ignore_errors=True)
        if not folder.exists():
            break


@contextlib.contextmanager
def temporary_folder(kind: str, place: Path | None = None) -> Iterator[Path]:
    """Yield a folder of `make_folder`, and remove it afterwards."""
    folder = make_folder(kind, place)
    try:
        yield folder
    finally:
        remove_folder(folder)


def is_abandoned(folder: Path) -> bool:
    """Return whether a folder of `make_folder` is left by a process that has ended."""
    descriptor = _locked(folder, wait=False)
    _close(descriptor)
    return descriptor is not None


def remove_all(but: Path | None = None) -> None:
    """Remove what this process has made, but one folder. Called at its end; call it before an `os._exit`."""
    with _lock:
        folders = [folder for folder in _held if folder != but]
    for folder in folders:
        remove_folder(folder)


def _sweep(kind: str, place: Path) -> None:
    """Remove the folders of a kind whose makers have ended without removing them."""
    if sys.platform == "win32":
        return
    for folder in place.glob(f"tck-{kind}-*"):
        with contextlib.suppress(OSError):
            if folder.lstat().st_uid == os.getuid() and (descriptor := _locked(folder, wait=False)) is not None:
                shutil.rmtree(folder, ignore_errors=True)
                _close(descriptor)


def _locked(folder: Path, *, wait: bool) -> int | None:
    """Lock a folder and return the descriptor that holds the lock; None if it is gone, locked, or locks do not exist there."""
    if sys.platform == "win32":
        return None
    try:
        descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    except OSError:
        return None
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX if wait else fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(descriptor)
        return None
    return descriptor


def _close(descriptor: int | None) -> None:
    if descriptor is not None:
        os.close(descriptor)


def _forget() -> None:
    """Leave the parent's folders to the parent; its lock may have been held by a thread that a fork does not copy."""
    global _lock  # noqa: PLW0603
    _lock = threading.Lock()  # type: ignore[misc]
    _held.clear()  # the descriptors stay open: the folders are in use while this process lives


atexit.register(remove_all)
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget)
