"""The page on strength has the figures of the code and of the kept batches; what nothing notices may only shrink."""

from collections import Counter
from pathlib import Path

import pytest

from benchmarks.strength.command import main
from faults import all_nearly_right, all_nearly_right_bridges

PAGE = (Path(__file__).parents[2] / "docs" / "strength.md").read_text(encoding="utf-8")
MOST = {"round 8": 9, "round 9": 22, "round 10": 21, "round 11": 1, "round 14": 26, "round 13": 13}
"""How many faults of each round are not noticed yet. Each number may only shrink; a new round of strangers brings its own."""


@pytest.mark.parametrize("name", ["faults", "batches"])
def test_a_table_is_what_its_command_prints(name, capsys):
    assert main([name]) == 0
    part = PAGE.partition(f"<!-- {name}: begin -->\n")[2].partition(f"<!-- {name}: end -->")[0]
    assert part == capsys.readouterr().out, f"python -m benchmarks strength {name}"


def test_what_is_not_noticed_only_shrinks():
    unnoticed = {**all_nearly_right(noticed=False), **all_nearly_right_bridges(noticed=False)}
    rounds = Counter(each.origin for each in unnoticed.values())
    assert {key: count for key, count in rounds.items() if count > MOST.get(key, 0)} == {}
