"""`@asserts`: the rows of the catalogue that a test judges, and the points at which it runs.

Domain, API, versions and features come from the row; the acknowledge modes from the test.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import pytest

from tck.suite.support.harness.point import Variant

ACKNOWLEDGE_MODES = ("auto", "client", "dups_ok", "transacted")
"""Accepted values of `ack`, in the order of a test's points."""

_Test = TypeVar("_Test", bound=Callable[..., Any])


def asserts(
    *ids: str,
    ack: tuple[str, ...] = ("auto",),
    domain: tuple[str, ...] = ("queue", "topic"),
    api: tuple[str, ...] = ("classic", "simplified", "domain-specific"),
    variant: str = "",
    variants: Sequence[Variant] = (),
) -> Callable[[_Test], _Test]:
    """Name the rows a test judges; required on every test of the suite.

    Args:
        ids: catalogue ids. The first leads: it names the case and sets the axes. Name several only for rows that
            one observation decides together (restatement groups).
        ack: acknowledge modes to run in: `auto`, `client`, `dups_ok`, `transacted`.
        domain: narrows the row's domains for this test (`queue`, `topic`), where two tests share a row.
        api: narrows the row's interfaces for this test, likewise.
        variants: the points, where the test names them itself; the axes of the rows and of the test then have no effect.
        variant: a word that ends the case name, where several tests share a leading row and their points meet.

    Raises:
        ValueError: no id, or an unknown acknowledge mode. Unknown ids stop the collection with an error of their own.
    """
    if not ids:
        msg = "asserts() needs at least one catalogue id"
        raise ValueError(msg)
    unknown = [mode for mode in ack if mode not in ACKNOWLEDGE_MODES]
    if unknown or not ack:
        msg = f"asserts({ids[0]!r}): ack must be taken from {', '.join(ACKNOWLEDGE_MODES)}, not {unknown or 'empty'}"
        raise ValueError(msg)
    return pytest.mark.asserts(*ids, ack=ack, domain=domain, api=api, variant=variant, variants=variants)
