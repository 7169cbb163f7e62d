"""Rows go to JSON and back without loss, and a row that does not fit says why."""

import pytest
from record_samples import RUN, result

from tck.record import Deviation, DeviationUse, EventsRef, Fault, FindingRow, Result, RowError, Run, Wait


def full_result() -> Result:
    return Result.from_json(
        {
            **result("3.4.1-1/queue/classic/auto").to_json(),
            "waits": [{"ms": 100, "why": "no proof"}],
            "findings": [{"property": "no-loss", "assertions": ["7.7-3"], "text": "lost", "cites": [1, 2]}],
            "deviation": {"assertion": "7.7-3", "outcome": "fails", "reason": "known", "link": None, "line": 3},
            "error": {"type": "E", "text": "t", "trace": "x"},
            "events": {"file": "events/gw0.ndjson", "offset": 0, "length": 9, "count": 1},
        }
    )


def test_nested_rows_become_their_types():
    row = full_result()
    assert row.waits == (Wait(100, "no proof"),)
    assert row.findings == (FindingRow("no-loss", ("7.7-3",), "lost", (1, 2)),)
    assert row.deviation == DeviationUse("7.7-3", "fails", "known", None, 3)
    assert row.error == Fault("E", "t", "x")
    assert row.events == EventsRef("events/gw0.ndjson", 0, 9, 1)
    assert Result.from_json(row.to_json()) == row
    assert Run.from_json(RUN.to_json()) == RUN


@pytest.mark.parametrize(
    ("change", "text"),
    [
        ({"outcome": "passed"}, "Result.outcome: 'passed' is not a valid Outcome"),
        ({"attempt": "1"}, "Result.attempt: expected int, saw str"),
        ({"attempt": True}, "Result.attempt: expected int, saw bool"),
        ({"cites": "12"}, "Result.cites: expected an array, saw str"),
        ({"verdicts": []}, "Result.verdicts: expected an object, saw list"),
        ({"verdicts": {"3.4.1-1": "fine"}}, "'fine' is not a valid Verdict"),
        ({"waits": [{"ms": 1}]}, "Wait: key 'why' is missing"),
        ({"colour": "red"}, "Result: unknown key 'colour'"),
    ],
)
def test_what_does_not_fit_is_named(change, text):
    with pytest.raises(RowError) as caught:
        Result.from_json({**full_result().to_json(), **change})
    assert text in str(caught.value)


def test_a_row_is_an_object():
    with pytest.raises(RowError, match="expected an object, saw list"):
        Result.from_json([])


def test_a_reason_names_the_settings_on_which_it_depends():
    assert Deviation("3.4.5-4", "fails", "known").full_reason == "known"
    use = DeviationUse("3.4.5-4", "fails", "known", when="a is false, the default", holds_with={"a": True, "b": 2})
    assert use.full_reason == "known; when a is false, the default; holds with a = true and b = 2"
