"""Detection: a check that bites, one that does not, one that bites too much, and dummies that pass."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

Run = Callable[..., Any]

BITING = """
@asserts("3.4.8-2", domain=("queue",), api=("classic",))
def test_unset_type(case):
    link = case.link()
    link.send("x")
    expect.equal("JMSType", link.receive().jms_type, None)
"""
TOOTHLESS = BITING.replace('expect.equal("JMSType", link.receive().jms_type, None)', "link.receive()")
GREEDY = """
@asserts("3.4.8-1", domain=("queue",), api=("classic",))
def test_type(case):
    link = case.link()
    link.send("x")
    expect.equal("JMSType", link.receive().jms_type, None)
"""
NAIVE = """
@asserts("3.4.8-2", domain=("queue",), api=("classic",))
def test_naive(case):
    case.witness("nothing at all")
"""


def detect(run_suite: Run, tmp_path: Path, body: str) -> tuple[int, dict[str, Any]]:
    """Run the saboteur of 3.4.8-2 and the dummies against a small suite."""
    out = tmp_path / "detect.json"
    ran = run_suite(body, "--detect", "--select", "3.4.8-2", "--detect-out", str(out))
    return ran.exit, json.loads(out.read_text())


def test_a_check_that_bites(run_suite: Run, tmp_path: Path) -> None:
    code, table = detect(run_suite, tmp_path, BITING)
    assert (code, table["saboteurs"], table["killed"], table["survived"]) == (0, 1, 1, [])
    assert {name: dummy["must_passed"] for name, dummy in table["dummies"].items()} == {
        "raises": 0,
        "inert": 0,
        "accepts": 0,
    }
    assert all(dummy["must_cases"] == 1 for dummy in table["dummies"].values())


def test_a_check_that_does_not_bite(run_suite: Run, tmp_path: Path) -> None:
    code, table = detect(run_suite, tmp_path, TOOTHLESS)
    assert (code, table["survived"]) == (1, ["3.4.8-2"])


def test_another_row_that_falls_too(run_suite: Run, tmp_path: Path) -> None:
    code, table = detect(run_suite, tmp_path, BITING + GREEDY)
    assert (code, table["killed"], table["collateral"]) == (1, 1, {"3.4.8-2": ["3.4.8-1"]})


def test_a_case_that_dummies_pass(run_suite: Run, tmp_path: Path) -> None:
    code, table = detect(run_suite, tmp_path, NAIVE)
    assert code == 1
    assert table["dummies"]["inert"]["must_passed"] == 1


ORDER = """
@asserts("6.2.9.1-2", domain=("queue",), api=("classic",))
def test_order(case):
    one = case.link()
    two = case.link(destination=one.destination, consumes=False)
    for number in range(4):
        one.send(f"a{number}")
        two.send(f"b{number}")
    came = [one.receive().text for _ in range(8)]
    expect.equal("order", [text for text in came if text[0] == "a"], WANTED)
"""


def nearly_right(run_suite: Run, tmp_path: Path, wanted: str) -> tuple[int, dict[str, Any]]:
    """Run the provider that breaks the order of two senders against a small suite; its saboteur belongs to another case."""
    out = tmp_path / "detect.json"
    ran = run_suite(ORDER.replace("WANTED", wanted), "--detect", "--select", "6.2.9.1-2", "--detect-out", str(out))
    return ran.exit, json.loads(out.read_text())


def test_a_provider_that_is_nearly_right_is_caught(run_suite: Run, tmp_path: Path) -> None:
    _, table = nearly_right(run_suite, tmp_path, '["a0", "a1", "a2", "a3"]')
    assert table["nearly_right"]["order-under-concurrency"] == ["6.2.9.1-2"]


def test_a_provider_that_is_nearly_right_and_that_nobody_notices(run_suite: Run, tmp_path: Path) -> None:
    code, table = nearly_right(run_suite, tmp_path, '[text for text in came if text[0] == "a"]')
    assert (code, table["nearly_right"]["order-under-concurrency"]) == (1, [])


def test_the_breadth_of_a_saboteur(run_suite: Run, tmp_path: Path) -> None:
    out = tmp_path / "detect.json"
    body = BITING + BITING.replace("test_unset", "test_other").replace('"3.4.8-2"', '"3.4.8-1"')
    ran = run_suite(body, "--detect", "--detect-scope", "breadth", "--select", "3.4.8-2", "--detect-out", str(out))
    table = json.loads(out.read_text())
    assert (ran.exit, table["dummies"], table["nearly_right"]) == (0, {}, {})
    told = table["breadth"]["saboteurs"]["3.4.8-2"]
    assert (told["noticed"], told["kept"], told["narrow"], told["only"]) == (1, 0, False, [])
    assert table["breadth"]["narrow"] == []


FAIR = """
@asserts("3.4.10-3", domain=("queue",), api=("classic",))
def test_priority(case):
    link = case.link()
    link.send("x", priority=7)
    expect.equal("JMSPriority", link.receive().jms_priority, 7)
"""
UNFAIR = """
@asserts("3.4.10-3", domain=("queue",), api=("classic",))
def test_priority(case):
    link = case.link()
    for priority in (2, 7):
        link.put("x", priority=priority)
    expect.equal("JMSPriority of the first message", link.receive().jms_priority, 7)
"""


def lawful(run_suite: Run, tmp_path: Path, body: str) -> tuple[int, dict[str, Any]]:
    out = tmp_path / "detect.json"
    ran = run_suite(body, "--detect", "--detect-lawful", "--select", "3.4.10-4", "--detect-out", str(out))
    return ran.exit, json.loads(out.read_text())


def test_a_lawful_provider_that_no_check_accuses(run_suite: Run, tmp_path: Path) -> None:
    code, table = lawful(run_suite, tmp_path, FAIR)
    assert (code, table["lawful"], table["accused"], table["failures"]) == (0, 2, [], [])
    assert [each["cases"] for each in table["providers"].values()] == [1, 1]


def test_a_lawful_provider_that_a_check_accuses(run_suite: Run, tmp_path: Path) -> None:
    code, table = lawful(run_suite, tmp_path, UNFAIR)
    assert (code, table["accused"]) == (1, ["lawful/priority-ignored"])
    assert list(table["providers"]["lawful/priority-ignored"]["accused"]) == ["3.4.10-3"]
