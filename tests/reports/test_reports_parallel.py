"""Pages written by several processes: all of them, and a failure is heard of."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from reports.html.parallel import WORTH_IT, each


@pytest.mark.parametrize("count", [0, 1, WORTH_IT - 1, WORTH_IT, 3 * WORTH_IT + 1])
def test_every_item_is_worked_on(tmp_path: Path, count: int) -> None:
    each(range(count), lambda number: (tmp_path / str(number)).touch())
    assert len(list(tmp_path.iterdir())) == count


def test_a_failure_in_a_child_is_raised() -> None:
    parent = os.getpid()

    def fail(number: int) -> None:
        if os.getpid() != parent:
            raise ValueError(f"item {number}")

    if (os.cpu_count() or 1) < 2:
        pytest.skip("one processor, no child")
    with pytest.raises(RuntimeError, match="ValueError: item"):
        each(range(2 * WORTH_IT), fail)


def test_a_failure_in_the_parent_is_raised() -> None:
    parent = os.getpid()

    def fail(number: int) -> None:
        if os.getpid() == parent:
            raise ValueError(f"item {number}")

    with pytest.raises(ValueError, match="item"):
        each(range(2 * WORTH_IT), fail)
