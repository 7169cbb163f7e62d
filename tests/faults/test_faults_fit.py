"""Saboteurs and providers that are nearly right: they fit the provider, name rows that exist, and leave nothing behind."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from faults import Patch, all_nearly_right, all_saboteurs, find
from tck.catalogue import load_catalogue


class Watched(Patch):
    """A patch that notes what it replaces, and what was there."""

    def __init__(self) -> None:
        super().__init__()
        self.before: list[tuple[object, str, object]] = []

    def replace(self, owner: object, name: str, new: object) -> None:
        """Note and replace."""
        self.before.append((owner, name, vars(owner).get(name)))
        super().replace(owner, name, new)


@pytest.mark.parametrize("name", [*all_saboteurs(), *all_nearly_right()])
def test_a_fault_fits_the_provider_and_is_undone(name: str) -> None:
    patch = Watched()
    install: Callable[[Patch], None] = find(name).install
    install(patch)
    first = {(id(owner), attribute): (owner, attribute, old) for owner, attribute, old in reversed(patch.before)}
    assert first
    patch.undo()
    assert all(vars(owner).get(attribute) is old for owner, attribute, old in first.values())


def test_they_name_rows_that_a_run_can_judge() -> None:
    catalogue = load_catalogue()
    named = {row for found in all_nearly_right().values() for row in found.rows}
    named |= {row for found in all_saboteurs().values() for row in (*found.rows, *found.collateral)}
    assert [row for row in named if row not in catalogue] == []
    assert [row for found in all_nearly_right().values() for row in found.rows if not catalogue[row].judged] == []


def test_a_name_that_is_neither_is_refused() -> None:
    with pytest.raises(KeyError, match="no fault is called"):
        find("no-such-provider")
