"""What the provider logs in this process goes into the bundle. Imports nothing of ours."""

from __future__ import annotations

import contextlib
import logging
from collections.abc import Iterator
from pathlib import Path
from typing import Final

LOG: Final = "provider.log"
"""File of the bundle that takes what the provider logs in this process."""


@contextlib.contextmanager
def logged_to(bundle: Path) -> Iterator[None]:
    """Keep what the provider logs in this process out of the terminal, and in the bundle once that exists."""
    handler = _Late(bundle / LOG)
    logging.getLogger().addHandler(handler)
    try:
        yield
    finally:
        logging.getLogger().removeHandler(handler)
        handler.close()


class _Late(logging.FileHandler):
    """A log file that is begun with its first line, if its folder is there by then."""

    def __init__(self, path: Path) -> None:
        super().__init__(path, delay=True, encoding="utf-8")
        self._folder = path.parent

    def emit(self, record: logging.LogRecord) -> None:
        """Write a line."""
        if self._folder.is_dir():
            super().emit(record)
