"""Pages written by several processes: all of them, and a failure is heard of."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tck.reports.html.parallel import WORTH_IT, each


@pytest.mark.parametrize("count", [0, 1, WORTH_IT - 1, WORTH_IT, 3 * WORTH_IT + 1])
def test_every_item_is_worked_on(tmp_path: Path, count: int) -> None:
    each(range(count), lambda number: (tmp_path / str(number)).touch())
    assert len(list(tmp_path.iterdir())) == count


CHILD_FAILS = """
import os
from tck.reports.html import parallel

parent = os.getpid()
parallel._processes = lambda items: 2

def fail(number):
    if os.getpid() != parent:
        raise ValueError(f"item {number}")

try:
    parallel.each(range(10), fail)
except RuntimeError as error:
    print("raised", "ValueError: item" in str(error))
"""


def test_a_failure_in_a_child_is_raised() -> None:
    done = subprocess.run([sys.executable, "-c", CHILD_FAILS], capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout == "raised True\n"


def test_a_failure_in_the_parent_is_raised() -> None:
    parent = os.getpid()

    def fail(number: int) -> None:
        if os.getpid() == parent:
            raise ValueError(f"item {number}")

    with pytest.raises(ValueError, match="item"):
        each(range(2 * WORTH_IT), fail)
