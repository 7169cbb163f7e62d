"""Blocks of soft judgements: failures are noted, the case goes on, and each row gets its own verdict."""

from __future__ import annotations

from contextlib import AbstractContextManager

from tck.suite.support.harness.soft import collecting


def all_of() -> AbstractContextManager[None]:
    """Collect the failures of a block; it ends with one failure that lists them all."""
    return collecting()


def for_row(row: str) -> AbstractContextManager[None]:
    """Judge one row of the case in a block; what fails in it breaks that row alone.

    A case with such blocks has a verdict for each row: broken with a failure, held with a witness and none, else undecided.
    """
    return collecting(row)
