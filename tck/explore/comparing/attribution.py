"""Which catalogue rows a difference breaks, by a table; where the table knows none, no row is named."""

from __future__ import annotations

from tck.explore.comparing.differences import Difference


def rows_of(found: Difference) -> tuple[str, ...]:
    """Give the ids of the rows that a difference breaks."""
    del found
    return ()
