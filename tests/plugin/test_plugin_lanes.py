"""Cases beside each other in one process: what they share, what runs alone, and what hangs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

Run = Callable[..., Any]
"""The fixture `run_suite` of conftest.py."""
ONE = ("--forks", "1", "--lanes", "3", "--seed", "1")
REAL = "reference-realtime"

MEETING = """
met = threading.Barrier(3)


@asserts("3.4.8-1", domain=("queue",), api=("classic",), ack=("auto", "client", "dups_ok"))
def test_they_meet(case):
    met.wait(10)
    link = case.link()
    link.send("x")
    expect.arrives(link, ["x"])
"""
RESTARTING = """
alive = threading.Semaphore(0)


@asserts("3.4.8-1", domain=("queue",), api=("classic",), ack=("auto", "client", "dups_ok"))
def test_plain(case):
    link = case.link()
    link.send("x")
    expect.arrives(link, ["x"])


@asserts("3.4.8-2", domain=("queue",), api=("classic",))
def test_restarts(case):
    case.provider.restart()
    expect.equal("JMSType", "order", "order")
"""
HANGING = """
@asserts("3.4.8-1", domain=("queue",), api=("classic",), ack=("auto", "client", "dups_ok"))
def test_plain(case):
    expect.equal("JMSType", "order", "order")


@asserts("3.4.8-2", domain=("queue",), api=("classic",))
def test_hangs_in_a_lane(case):
    if threading.current_thread() is not threading.main_thread():
        threading.Event().wait()
    expect.equal("JMSType", "order", "order")
"""
BREAKING = """
@asserts("3.4.8-1", domain=("queue",), api=("classic",), ack=("auto", "client", "dups_ok"))
def test_broken(case):
    expect.equal("JMSType", case.ack, "order")
"""


def test_cases_run_beside_each_other_on_one_provider(run_suite: Run) -> None:
    ran = run_suite(MEETING, *ONE, profile=REAL)
    assert (ran.exit, list(ran.outcomes().values())) == (0, ["held"] * 3), ran.output
    assert {case.worker for case in ran.bundle.cases()} == {"gw0-1", "gw0-2", "gw0-3"}


def test_a_case_that_restarts_the_provider_runs_alone(run_suite: Run) -> None:
    ran = run_suite(RESTARTING, *ONE, profile=REAL)
    assert (ran.exit, list(ran.outcomes().values())) == (0, ["held"] * 4), ran.output
    worker = {case.case: case.worker for case in ran.bundle.cases()}
    assert worker["3.4.8-2/queue/classic/auto"] == "gw0"
    assert len(ran.bundle.results()) == 4, "what was given up in a lane leaves no result"


def test_a_case_that_hangs_is_left_behind_and_runs_alone(run_suite: Run) -> None:
    ran = run_suite(HANGING, *ONE, profile="quick.toml")
    assert (ran.exit, list(ran.outcomes().values())) == (0, ["held"] * 4), ran.output


def test_a_violation_in_a_lane_is_judged_alone(run_suite: Run) -> None:
    ran = run_suite(BREAKING, *ONE, profile=REAL)
    assert (ran.exit, list(ran.outcomes().values())) == (1, ["broken"] * 3), ran.output
    assert {case.worker for case in ran.bundle.cases()} == {"gw0"}
    reasons = [result.explanation or "" for result in ran.bundle.results()]
    assert not any("beside other cases" in text for text in reasons), "it ended the same"


def test_what_only_the_company_of_others_shows_is_explained_and_does_not_count(run_suite: Run) -> None:
    seen = '"order" if threading.current_thread() is threading.main_thread() else "x"'
    ran = run_suite(BREAKING.replace("case.ack", seen), *ONE, profile=REAL)
    assert (ran.exit, list(ran.outcomes().values())) == (0, ["held"] * 3), ran.output
    reasons = [result.explanation or "" for result in ran.bundle.results()]
    assert all("beside other cases it had ended otherwise: broken" in text for text in reasons), reasons


@pytest.mark.parametrize("lanes", ["0", "2"])
def test_an_interrupt_ends_the_lanes(run_suite: Run, lanes: str) -> None:
    body = BREAKING.replace(
        'expect.equal("JMSType", case.ack, "order")',
        "os.kill(os.getppid(), signal.SIGTERM)\n    threading.Event().wait(5)",
    )
    ran = run_suite(body, "--forks", "1", "--lanes", lanes, profile=REAL)
    assert ran.exit in {2, 7}, ran.output
