"""Multiplication: from the rows a test names to the points it runs at.

Domains and interfaces come from the leading row, narrowed by the test and by the tier; acknowledge modes from the test.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import pytest

from tck.catalogue import Assertion, Catalogue
from tck.catalogue.versions import offers
from tck.suite.support.harness.point import Point, Variant

DOMAIN = {"ptp": "queue", "pubsub": "topic"}


class UnknownAssertionError(Exception):
    """A test names a row that the catalogue does not have; the collection stops."""


@dataclass(frozen=True, slots=True)
class Parameter:
    """The parameter of the `case` fixture: a point and the number of its repetition."""

    point: Point
    attempt: int

    @property
    def label(self) -> str:
        """The id in the node id."""
        return self.label_of(self.point.name, self.attempt)

    @staticmethod
    def label_of(case: str, attempt: int) -> str:
        """Return the id of one attempt in node ids: the case name, with `#N` from the second repetition on."""
        return case if attempt == 1 else f"{case}#{attempt}"


def rows_of(metafunc: pytest.Metafunc, catalogue: Catalogue) -> tuple[tuple[Assertion, ...], dict[str, Any]]:
    """Find the rows a test names.

    Raises:
        UnknownAssertionError: no `@asserts`, or an id the catalogue does not have.
    """
    where = f"{metafunc.definition.nodeid}"
    mark = metafunc.definition.get_closest_marker("asserts")
    if mark is None:
        raise UnknownAssertionError(f"{where}: a test of the suite needs @asserts(...) with the rows it judges")
    unknown = [text for text in mark.args if text not in catalogue]
    if unknown:
        raise UnknownAssertionError(
            f"{where}: @asserts names {', '.join(unknown)}, which the catalogue does not have; `tck list` shows the ids"
        )
    return tuple(catalogue[text] for text in mark.args), dict(mark.kwargs)


def points(rows: Sequence[Assertion], options: dict[str, Any], version: str) -> list[Point]:
    """Make the points of a test under a specification version, in a fixed order."""
    applying = [row for row in rows if row.applies_to(version)]
    needed = options.get("needs")
    if not applying or (needed and not offers(version, needed)):
        return []
    if options.get("variants"):
        return _variants(applying, options["variants"], version)
    lead = applying[0]
    domains = [DOMAIN[name] for name in lead.domains if DOMAIN[name] in options["domain"]]
    apis = [name for name in lead.api if name in options["api"] and offers(version, name)]
    ids = tuple(row.id for row in applying)
    return [
        Point(ids, domain, api, ack, options.get("variant", ""), plain=bool(options.get("plain")))
        for domain in domains
        for api in apis
        for ack in options["ack"]
    ]


def _variants(rows: Sequence[Assertion], variants: Sequence[Variant], version: str) -> list[Point]:
    """Make a point for each variant that the version offers, with those of the rows that it judges."""
    found = []
    for variant in variants:
        ids = tuple(row.id for row in rows if row.id in variant.rows)
        if ids and variant.offered(version):
            found.append(
                Point(
                    ids, variant.domain, variant.api, variant.ack, variant.name, plain=variant.plain, pool=variant.pool
                )
            )
    return found
