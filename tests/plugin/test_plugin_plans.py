"""Plans of load as cases: a fault of the provider breaks its rows in the plan that meets it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tck.suite.support.plans import MESSAGES
from tck.workload.plan import load_plan

Run = Callable[..., Any]
"""The fixture `run_suite` of conftest.py."""


@pytest.mark.parametrize(
    ("plan", "fault", "row", "story"),
    [
        ("async-close", "no-loss-persistent", "9.1-1", "was sent to queue:stream"),
        ("async-close", "close-waits-for-completions", "7.3.4-2", "callback for message"),
        ("seen-at-once", "uncommitted-not-browsed", "6.2.7-5", "looker-"),
        ("shared-subscriptions", "one-holder", "8.3.4-7", "had not settled it"),
        ("joined-at-once", "shared-subscription-joined", "8.3.4-5", "desk-"),
        ("undone-at-once", "6.2.7-1", "6.2.7-1", "called commit"),
    ],
)
def test_a_plan_breaks_the_row_of_a_fault(run_suite: Run, plan: str, fault: str, row: str, story: str) -> None:
    body = f"""
        from tck.suite.support import plans
        @asserts("plans-1", variants=[each for each in plans.variants() if each.name == "{plan}"])
        def test_a_plan(case):
            plans.performed(case)
    """
    ran = run_suite(body, "--seed", "1", "--setting", f"fault={fault}")
    (result,) = ran.bundle.results()
    assert ran.exit == 1, ran.output
    assert result.case == f"plans/{plan}"
    assert (result.verdicts[row], result.verdicts["plans-1"]) == ("violation", "conformant"), result.explanation
    assert f"workload/{plan}/" in result.explanation
    assert story in result.explanation
    assert f"tck workload run --plan {plan} --seed 1 --messages {MESSAGES[plan][0]}" in result.explanation


def test_a_plan_is_offered_where_the_specification_has_what_it_needs() -> None:
    for name, (_, api, part) in MESSAGES.items():
        plan = load_plan(name)
        assert not plan.hooks()
        assert set(plan.needs()) - {"the simplified API"} == {part} - {""}
        assert (api == "simplified") == ("the simplified API" in plan.needs())
