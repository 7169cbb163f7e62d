"""Which cases run, and in which order: selection by expression, tier and points, then a shuffle that a subset keeps."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from hashlib import blake2b

import pytest

from tck.catalogue import BESIDE, IW, Catalogue, Selection
from tck.plugin.points import Parameter, UnknownAssertionError
from tck.profile import Claims
from tck.suite.support.harness.point import Point


def parameter_of(item: pytest.Item) -> Parameter | None:
    """Return the point and attempt of an item of the suite, None for any other item."""
    callspec = getattr(item, "callspec", None)
    value = callspec.params.get("case") if callspec is not None else None
    return value if isinstance(value, Parameter) else None


def place_of(item: pytest.Item) -> tuple[str, int]:
    """Return the file of an item's test and the line there, from 1."""
    path, line, _ = item.location
    return path, (line or 0) + 1


def title_of(item: pytest.Item) -> str:
    """Return the first paragraph of the docstring of an item's test, on one line."""
    function = getattr(item, "function", None)
    text = (getattr(function, "__doc__", None) or "").strip().split("\n\n", maxsplit=1)[0]
    return " ".join(text.split())


def failed(session: pytest.Session) -> bool:
    """Return whether the suite itself could not be collected: a fault of the kit, not an interruption by the user."""
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    errors = reporter.stats.get("error", []) if reporter is not None else []
    return any(isinstance(error, pytest.CollectReport) for error in errors)


def keep_selected(
    items: Iterable[pytest.Item], selection: Selection | None, *, bridge: bool = False
) -> tuple[list[pytest.Item], list[pytest.Item]]:
    """Split items into those the selection names and the rest.

    Without a selection all are kept, those on interworking only where the run names a `bridge`: they judge that, and no provider.
    """
    kept: list[pytest.Item] = []
    rest: list[pytest.Item] = []
    for item in items:
        parameter = parameter_of(item)
        if parameter is None:
            keep = True
        elif selection is None:
            keep = bridge or not parameter.point.assertions[0].startswith(IW)
        else:
            keep = _selects(selection, parameter.point)
        (kept if keep else rest).append(item)
    return kept, rest


def _selects(selection: Selection, point: Point) -> bool:
    return selection.matches(point.selected_by, point.name, by_id=point.assertions)


def keep_one_point(
    items: Iterable[pytest.Item], seed: int, claims: Claims
) -> tuple[list[pytest.Item], list[pytest.Item]]:
    """Keep one claimed point per test, chosen by the seed."""
    groups: dict[str, list[pytest.Item]] = defaultdict(list)
    kept: list[pytest.Item] = []
    rest: list[pytest.Item] = []
    for item in items:
        parameter = parameter_of(item)
        if parameter is None:
            kept.append(item)
        else:
            groups[_group(item.nodeid.split("[", maxsplit=1)[0], parameter.point)].append(item)
    for name, group in groups.items():
        points = sorted({_point(item) for item in group if _claimed(item, claims)} or {_point(item) for item in group})
        chosen = points[(seed + _hash(0, name)) % len(points)]
        for item in group:
            (kept if _point(item) == chosen else rest).append(item)
    return kept, rest


def _group(test: str, point: Point) -> str:
    """Return the group of a case of which one is kept: its test, and its pool where the test has some."""
    return f"{test} {point.pool}" if point.pool else test


def _claimed(item: pytest.Item, claims: Claims) -> bool:
    parameter = parameter_of(item)
    if parameter is None or (
        parameter.point.ack == "transacted" and claims.disclaimed("Connection.create_session(transacted)")
    ):
        return False
    return parameter.point.api in claims.api and parameter.point.area in claims.domains


def _point(item: pytest.Item) -> str:
    parameter = parameter_of(item)
    return parameter.point.name if parameter else ""


def shuffled(items: Sequence[pytest.Item], seed: int) -> list[pytest.Item]:
    """Order by a keyed hash of the node id: equal on every worker, and any subset keeps its order."""
    return sorted(items, key=lambda item: _hash(seed, item.nodeid))


def _hash(seed: int, text: str) -> int:
    return int.from_bytes(blake2b(text.encode(), key=str(seed).encode(), digest_size=8).digest())


def refuse_twins(items: Iterable[pytest.Item]) -> None:
    """Refuse two tests that make the same case.

    Raises:
        UnknownAssertionError: with both places; a `variant` tells them apart.
    """
    seen: dict[tuple[str, int], str] = {}
    for item in items:
        parameter = parameter_of(item)
        if parameter is None:
            continue
        key = (parameter.point.name, parameter.attempt)
        if key in seen:
            raise UnknownAssertionError(
                f"case {parameter.point.name} is made twice, by {seen[key]} and by {item.nodeid}; give one of them @asserts(..., variant='word')"
            )
        seen[key] = item.nodeid


def allure_labels(item: pytest.Item, catalogue: Catalogue) -> None:
    """Label an item for allure-pytest by chapter (epic), section (feature) and assertion (story)."""
    parameter = parameter_of(item)
    if parameter is None:
        return
    row = catalogue[parameter.point.assertions[0]]
    for kind, value in (
        (
            "epic",
            row.chapter if row.chapter in BESIDE else f"chapter {int(row.chapter[2:])}",
        ),
        ("feature", row.section),
        ("story", f"{row.id} {row.title}"),
        ("severity", row.level.lower()),
    ):
        item.add_marker(pytest.mark.allure_label(value, label_type=kind))
