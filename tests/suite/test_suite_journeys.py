"""The journeys meet every allowed pair of conditions, and their rows are those that the suite's test names."""

import ast
import re
from dataclasses import replace
from pathlib import Path

import pytest

import tck
from tck.catalogue import load_catalogue
from tck.suite.support.journeys import array, rows
from tck.suite.support.journeys.cargo import Nulls, loads
from tck.suite.support.journeys.model import AXES, EXCLUSIONS, TRIPLES, Journey, excluded
from tck.suite.support.journeys.owners import arrival_rows
from tck.suite.support.values.kinds import KINDS

SUITE = Path(tck.__file__).parent / "suite"
JOURNEYS = array.journeys()
ROWS = sorted(set().union(*map(rows.judged, JOURNEYS.values())))
TEST = SUITE / "ch03_message_model" / "test_3_4_journeys.py"


def asserted():
    """The ids that the test of the journeys names."""
    (test,) = [node for node in ast.parse(TEST.read_text(encoding="utf-8")).body if isinstance(node, ast.FunctionDef)]
    return [argument.value for argument in test.decorator_list[0].args]


@pytest.mark.slow
def test_all_allowed_pairs_and_triples_meet():
    """`tck journeys` prints them."""
    allowed, met = set(array.ARRAY.allowed), array.ARRAY.met(journey.conditions for journey in JOURNEYS.values())
    assert {len(meeting) for meeting in allowed} == {2, 3}
    assert sorted(allowed - met) == []
    assert sorted(met - allowed) == []


@pytest.mark.parametrize("name", JOURNEYS)
def test_a_journey_has_known_values_and_no_excluded_combination(name):
    conditions = JOURNEYS[name].conditions
    assert {axis: value for axis, value in conditions.items() if value not in AXES[axis]} == {}
    assert excluded(conditions) is None


def test_no_two_journeys_are_the_same():
    assert len(set(JOURNEYS.values())) == len(JOURNEYS)


def test_the_axes_are_the_fields_of_a_journey():
    assert list(AXES) == list(Journey.__dataclass_fields__)
    assert {axis for three in TRIPLES for axis in three} <= set(AXES)


@pytest.mark.parametrize("exclusion", EXCLUSIONS, ids=lambda found: found.reason)
def test_an_exclusion_names_known_values_and_excludes_something(exclusion):
    assert {
        axis: values - set(AXES[axis]) for axis, values in exclusion.values.items() if values - set(AXES[axis])
    } == {}
    assert all(values for values in exclusion.values.values())


def test_conditions_are_completed_to_an_allowed_journey_or_not_at_all():
    whole = array.ARRAY.completed({"receipt": "receive body", "ack": "client"})
    assert whole["interface"] == "simplified"
    assert excluded(whole) is None
    assert array.ARRAY.completed({"receipt": "receive body", "interface": "classic"}) is None


def test_the_test_names_the_rows_that_journeys_judge():
    assert sorted(asserted()) == ROWS
    assert {*rows.JUDGED} <= {*ROWS}


def test_each_row_exists_and_is_judged_by_the_catalogue():
    known = load_catalogue()
    assert [row for row in ROWS if not known[row].judged] == []


def test_the_findings_name_judged_rows_only():
    text = "".join(
        (SUITE / "support" / "journeys" / name).read_text(encoding="utf-8")
        for name in ("judgement.py", "owners.py", "sending.py", "travel.py")
    )
    named = set(re.findall(r'"(\d+(?:\.\d+)+-\d+)"', text))
    assert sorted(named - {*ROWS}) == []


@pytest.mark.parametrize("name", JOURNEYS)
def test_a_journey_carries_every_kind_that_its_receipt_can_have(name):
    journey = JOURNEYS[name]
    carried = loads(journey, int(name.rpartition("-")[2]), Nulls(True, True))
    body_only = journey.receipt == "receive body"
    assert {load.kind for load in carried} == ({"text", "bytes", "map", "object"} if body_only else set(KINDS))
    assert [load.number for load in carried] == list(range(len(carried)))
    assert carried == loads(journey, int(name.rpartition("-")[2]), Nulls(True, True))


PLAIN = Journey(**{axis: values[0] for axis, values in AXES.items()})


@pytest.mark.parametrize(
    ("conditions", "differs", "moment", "row"),
    [
        ({}, "missing", "first", "6.2.12-1"),
        ({"selector": "header", "sending": "transacted"}, "missing", "first", "3.8.1-2"),
        ({"sending": "transacted", "ack": "transacted", "delivery": "after rollback"}, "missing", "first", "6.2.7-3"),
        ({"ack": "transacted", "delivery": "after rollback"}, "missing", "again", "6.2.7-6"),
        ({"ack": "client", "delivery": "after a severed link"}, "missing", "again", "6.2-15"),
        ({"ack": "client", "delivery": "after a kill", "place": "durable"}, "missing", "again", "6.2-21"),
        ({"receipt": "listener", "delivery": "after a failed listener"}, "missing", "again", "8.7-2"),
        ({"receipt": "listener", "place": "durable"}, "extra", "settled", "6.2.10-4"),
        ({"ack": "transacted", "place": "shared"}, "extra", "settled", "6.2.12-2"),
    ],
)
def test_a_missing_or_extra_message_breaks_the_row_of_what_happened_to_it(conditions, differs, moment, row):
    assert arrival_rows(replace(PLAIN, **conditions), differs, moment)[0] == row
