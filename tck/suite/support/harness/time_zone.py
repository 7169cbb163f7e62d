"""The local time zone of this process."""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Iterator

from tck.suite.support.harness.alone import needs_alone


@contextlib.contextmanager
def local_time_zone(name: str) -> Iterator[None]:
    """Set this process's time zone within a block, where the platform can."""
    needs_alone("it sets the time zone of its process")
    before = os.environ.get("TZ")
    _set(name)
    try:
        yield
    finally:
        _set(before)


def _set(name: str | None) -> None:
    if name is None:
        os.environ.pop("TZ", None)
    else:
        os.environ["TZ"] = name
    if hasattr(time, "tzset"):
        time.tzset()
