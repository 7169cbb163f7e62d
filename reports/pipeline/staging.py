"""Staging folders: files are written there before they become visible. Folders of dead processes are removed."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tck.reports.pipeline.errors import disk_errors


@contextmanager
def staged(home: Path) -> Iterator[Path]:
    """Yield a new folder and remove it afterwards, together with the folders of dead processes.

    Raises:
        NoRoomError: a write inside failed because the disk is full.
        StoreError: a file or a folder inside cannot be read, written or made.
    """
    with disk_errors(home):
        home.mkdir(exist_ok=True)
        _sweep(home)
        folder = Path(tempfile.mkdtemp(prefix=f"{os.getpid()}-", dir=home))
        try:
            yield folder
        finally:
            shutil.rmtree(folder, ignore_errors=True)


def _sweep(home: Path) -> None:
    for folder in home.iterdir():
        owner = folder.name.partition("-")[0]
        if owner.isdigit() and not _alive(int(owner)):
            shutil.rmtree(folder, ignore_errors=True)


def _alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True
