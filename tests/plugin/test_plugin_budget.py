"""A run with a budget of time, and how many processes the machine has room for."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tck.plugin import room
from tck.plugin.telling import source_of, table

Run = Callable[..., Any]
"""The fixture `run_suite` of conftest.py."""

CASES = """
@asserts("3.4.8-1", ack=("auto", "client", "dups_ok", "transacted"))
def test_one(case):
    expect.equal("JMSType", "order", "order")


@asserts("3.4.8-2", ack=("auto", "client", "dups_ok", "transacted"))
def test_other(case):
    expect.equal("JMSType", "order", "order")
"""
SLOW = CASES.replace('    expect.equal("JMSType"', '    threading.Event().wait(0.5)\n    expect.equal("JMSType"')


def test_cases_for_rows_not_yet_asked_come_before_others(run_suite: Run) -> None:
    order = run_suite(CASES, "--budget", "300", "--seed", "1").order()
    assert len(order) == 48
    assert {case.partition("/")[0] for case in order[:2]} == {"3.4.8-1", "3.4.8-2"}


@pytest.mark.parametrize("kind", [(), ("--forks", "2"), ("--forks", "1", "--lanes", "2")])
def test_what_does_not_fit_is_left_out_and_listed(run_suite: Run, kind: tuple[str, ...]) -> None:
    ran = run_suite(SLOW, *kind, "--budget", "10", profile="reference-realtime")
    assert ran.exit == 0, ran.output
    assert 0 < len(ran.bundle.results()) < len(ran.bundle.cases()) == 48
    assert "--budget" in ran.bundle.run.command


def test_a_violation_is_judged_though_the_time_runs_out(run_suite: Run) -> None:
    broken = SLOW.replace('expect.equal("JMSType", "order", "order")', 'expect.equal("JMSType", case.ack, "order")')
    ran = run_suite(broken, "--forks", "1", "--lanes", "3", "--budget", "10", profile="reference-realtime")
    assert len(ran.bundle.results()) < len(ran.bundle.cases()), "the time ran out"
    assert set(ran.outcomes().values()) == {"broken"}
    assert ran.exit == 1, ran.output


def test_the_table_names_tests_and_programs() -> None:
    assert source_of("corpus/0137", "x.py::test_a[corpus/0137]") == "corpus/0137"
    assert source_of("3.4.8-1/queue", "tck/suite/ch03/test_x.py::test_a[3.4.8-1/queue]") == "test_x.py::test_a"
    assert len(table()) > 200
    assert all(kills > 0 and ms >= 0 for kills, ms in table().values())


def test_one_plan_by_the_seed_comes_first(run_suite: Run) -> None:
    body = "from tck.suite.support import plans\n@asserts('plans-1', variants=plans.variants())\ndef test_plan(case):\n    case.witness('seen')\n"
    orders = [run_suite(body + CASES, "--budget", "300", "--seed", str(seed)).order() for seed in (1, 2, 3)]
    plans = [[name for name in order if name.startswith("plans/")] for order in orders]
    assert all(order[: len(each)] == each and len(each) == 9 for order, each in zip(orders, plans, strict=True))
    assert len({each[0] for each in plans}) > 1


@pytest.fixture
def machine(monkeypatch: pytest.MonkeyPatch) -> Callable[..., bool]:
    """Ask for one more process on a machine with so much that is idle and free."""

    def fits(*, idle: int, free: int = 10_000, size: int = 1_000, seconds: float = 2.0) -> bool:
        looks: Iterator[tuple[int, int]] = iter([(0, 0), (200, idle)])
        times = iter([0.0, seconds])
        monkeypatch.setattr(room, "_ticks", lambda: next(looks))
        monkeypatch.setattr(room.time, "monotonic", lambda: next(times))
        monkeypatch.setattr(room, "processors", lambda: 2)
        monkeypatch.setattr(room, "_free", lambda: free)
        monkeypatch.setattr(room, "_size", lambda _: size)
        return room.Room().fits([1, 2])

    return fits


def test_one_more_process_fits_where_processors_are_idle_and_memory_is_free(machine: Callable[..., bool]) -> None:
    assert machine(idle=100)
    assert not machine(idle=10), "busy"
    assert not machine(idle=100, free=2_000), "little memory"
    assert not machine(idle=100, seconds=0.5), "the last one has only just begun"


def test_this_machine_is_read() -> None:
    total, idle = room._ticks()
    assert total >= idle >= 0
    assert room.processors() >= 1
