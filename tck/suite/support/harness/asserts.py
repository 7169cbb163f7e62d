"""`@asserts`: the rows of the catalogue that a test judges, and the points at which it runs.

Domain, API, versions and features come from the row; the acknowledge modes from the test.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import pytest

from tck.catalogue import load_catalogue
from tck.suite.support.harness.point import Variant
from tck.suite.support.harness.soft import collecting

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
    plain: bool = False,
    needs: str = "",
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
        plain: whether the test presumes the plain conditions: PERSISTENT messages and unshared subscriptions. Other cases vary
            them where the profile allows it (`[vary]`) and they need no hook.
        needs: a part of the specification, by its name in `tck.catalogue.versions.SINCE`; the test has no points in a version
            without it.

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
    return pytest.mark.asserts(
        *ids, ack=ack, domain=domain, api=api, variant=variant, variants=variants, plain=plain, needs=needs
    )


def scenario(
    name: str,
    *,
    domain: tuple[str, ...] = ("queue", "topic"),
    api: tuple[str, ...] = ("classic", "simplified", "domain-specific"),
    variant: str = "",
) -> Callable[[Callable[[Any], None]], Callable[[Any], None]]:
    """Name the scenario that a test plays; its claims are the rows that the test judges.

    Each claim has its block, `with expect.for_row("pj-chat-3"):`; a failure in one does not end the others.

    Args:
        name: id of the scenario, such as `pj-chat`.
        domain: narrows the scenario's domains (`queue`, `topic`); a scenario that needs both runs as one of them.
        api: narrows the interfaces.
        variant: a word that ends the case name, where several tests play one scenario.

    Raises:
        ValueError: no scenario has that id.
    """
    claims = [row.id for row in load_catalogue().section(name)]
    if not claims:
        msg = f"scenario({name!r}): the catalogue has no such scenario"
        raise ValueError(msg)

    def declare(test: Callable[[Any], None]) -> Callable[[Any], None]:
        @functools.wraps(test)
        def played(case: Any) -> None:  # noqa: ANN401 - the case, which a higher room defines
            with collecting():
                test(case)

        return asserts(*claims, domain=domain, api=api, variant=variant, plain=True)(played)

    return declare
