"""Faults of bridges that no case notices yet: each shows itself to a program that uses the interfaces alone."""

import pytest

from faults import all_bridge_saboteurs, all_nearly_right_bridges
from faults.interworking.witnessing import world
from tck.catalogue import load_catalogue

UNNOTICED = all_nearly_right_bridges(noticed=False)


@pytest.mark.parametrize("name", UNNOTICED)
def test_a_fault_that_is_not_noticed_yet_shows_itself(name):
    fault = UNNOTICED[name]
    with world() as sound:
        assert fault.witness(sound) == fault.expected
    with world(fault) as broken:
        assert fault.witness(broken) != fault.expected


def test_they_name_rows_that_a_run_can_judge():
    catalogue = load_catalogue()
    narrow = {**all_nearly_right_bridges(), **UNNOTICED}
    named = {row for found in (*all_bridge_saboteurs().values(), *narrow.values()) for row in found.rows}
    assert sorted(row for row in named if row not in catalogue or not catalogue[row].judged) == []
