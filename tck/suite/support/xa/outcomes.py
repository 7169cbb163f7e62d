"""Cases that come in two forms: a branch is committed, or it is rolled back, and the messages follow."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import NamedTuple, TypeVar

from tck.catalogue.versions import offers
from tck.suite.support.harness.point import Variant
from tck.suite.support.harness.running import RunningCase
from tck.suite.support.xa.manager import COMMITS, ROLLBACKS, Finish

_Item = TypeVar("_Item")


class Rows(NamedTuple):
    """The rows that a commit and a rollback decide for sessions, and the one that both decide for contexts."""

    subject: str
    commit: str
    rollback: str
    context: str


SENDS = Rows("sends", "11.3.3-4", "11.3.3-5", "11.3.4-3")
"""The rows on the sends of a branch."""
RECEIPTS = Rows("receipts", "11.3.3-6", "11.3.3-7", "11.3.4-3")
"""The rows on the receipts of a branch."""


def outcomes(
    rows: Rows,
    name: str,
    *,
    domains: Sequence[str] = ("queue", "topic"),
    apis: Sequence[str] = ("classic", "simplified", "domain-specific"),
    endings: Sequence[str] = ("commit", "rollback"),
    needs: str = "",
) -> list[Variant]:
    """Return the points of a test in each interface and domain, one for a commit and one for a rollback.

    Args:
        rows: the rows that they judge.
        name: the name of the test among those of its rows.
        domains: `queue`, `topic`.
        apis: the interfaces.
        endings: `commit`, `rollback`.
        needs: a part of the specification that the test needs, by its name in `tck.catalogue.versions.SINCE`.
    """
    return [
        Variant(
            f"{rows.subject}-{name}-{ending}",
            domain,
            api,
            "transacted",
            frozenset({rows.context if api == "simplified" else getattr(rows, ending)}),
            partial(_offered, tuple(part for part in (api, needs) if part)),
        )
        for ending in endings
        for domain in domains
        for api in apis
    ]


def _offered(parts: tuple[str, ...], version: str) -> bool:
    return all(offers(version, part) for part in parts)


def commits(case: RunningCase) -> bool:
    """Whether the case commits its branches."""
    return case.point.variant.endswith("-commit")


def finishes(case: RunningCase) -> Mapping[str, Finish]:
    """Return the ways to end a branch that the case tries: those of a commit, or those of a rollback."""
    return COMMITS if commits(case) else ROLLBACKS


def if_committed(case: RunningCase, items: Sequence[_Item]) -> Sequence[_Item]:
    """Return the items if the case commits its branches, else none."""
    return items if commits(case) else ()
