"""Cases shared among forked children: who runs what, what is shown, when it ends. Crashes: test_plugin_run.py."""

from __future__ import annotations

import textwrap
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

fcntl = pytest.importorskip("fcntl", reason="without it there is no fork either")
Run = Callable[..., Any]
"""The fixture `run_suite` of conftest.py."""

MANY = """
@asserts("3.4.8-1", "3.4.8-2")
def test_held(case):
    expect.equal("JMSType", "order", "order")
"""
FAILING = MANY.replace('"order", "order"', '"x", "order"')
PROCESS = """
@asserts("3.4.8-1")
def test_process(case):
    with open(f"process-{os.getpid()}", "a") as file:
        file.write("x")
    expect.equal("JMSType", "order", "order")
"""


@pytest.fixture
def own_temporary_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """For children that are lost: they remove nothing."""
    monkeypatch.setenv("TMPDIR", str(tmp_path))


@pytest.mark.slow
def test_children_share_the_cases_and_each_runs_once(run_suite: Run) -> None:
    alone = run_suite(MANY)
    shared = run_suite(MANY, "--forks", "2")
    assert (shared.exit, shared.outcomes()) == (0, alone.outcomes()), shared.output
    assert shared.bundle.run.environment.workers == 2
    assert {case.worker for case in alone.bundle.cases()} == {"main"}
    assert {case.worker for case in shared.bundle.cases()} <= {"gw0", "gw1"}
    assert f"{len(alone.outcomes())} passed" in shared.output


def test_the_cases_run_in_other_processes_than_the_one_that_collected(run_suite: Run) -> None:
    ran = run_suite(PROCESS + "\nprint('collected by', os.getpid(), flush=True)", "--forks", "1", "-s")
    collector = ran.output.partition("collected by ")[2].split()[0]
    (process,) = (path.name for path in ran.out.parent.glob("process-*"))
    assert process != f"process-{collector}"
    assert ran.output.count("collected by") == 1, "a child collects nothing"


@pytest.mark.skipif(not hasattr(fcntl, "F_SETPIPE_SZ"), reason="the size of a pipe is fixed here")
def test_more_cases_than_a_pipe_holds_are_handed_out_one_by_one(run_suite: Run) -> None:
    small = """
    import fcntl

    made = os.pipe

    def narrow():
        taking, giving = made()
        fcntl.fcntl(giving, fcntl.F_SETPIPE_SZ, 4096)  # 1024 tickets
        return taking, giving

    os.pipe = narrow
    """
    one = MANY.replace('"3.4.8-1", "3.4.8-2"', '"3.4.8-1", domain=("queue",), api=("classic",)')
    ran = run_suite(textwrap.dedent(small) + one, "--forks", "2", "--repeat", "1100")
    assert ran.exit == 0, ran.output
    assert len({(result.case, result.attempt) for result in ran.bundle.results()}) == 1100
    assert "1100 passed" in ran.output


def test_a_process_with_threads_is_not_forked(run_suite: Run) -> None:
    thread = "\nthreading.Thread(target=threading.Event().wait, daemon=True).start()\n"
    ran = run_suite(thread + MANY, "--forks", "2")
    assert ran.exit == 0, ran.output
    assert {case.worker for case in ran.bundle.cases()} == {"main"}


@pytest.mark.slow
def test_a_failure_is_shown_as_without_children(run_suite: Run) -> None:
    alone, shared = (run_suite(FAILING, "--seed", "3", *forks) for forks in ((), ("--forks", "2")))
    assert (alone.exit, shared.exit) == (1, 1)
    for part in ("JMSType is 'order'", "JMSType was 'x'", "VIOLATION", "python -m tck run -p reference --seed 3"):
        assert part in shared.output
        assert part in alone.output


def test_the_first_failure_ends_the_run_where_that_is_asked_for(run_suite: Run) -> None:
    every = len(run_suite(FAILING, "--forks", "1").outcomes())
    ran = run_suite(FAILING, "--forks", "1", "-x")
    assert ran.exit == 1, ran.output
    assert 1 <= len(ran.outcomes()) <= every // 2
    assert "stopping after 1 failures" in ran.output


def test_a_provider_that_cannot_be_reached_is_tried_once_by_each_child(run_suite: Run) -> None:
    ran = run_suite(MANY, "--forks", "2", "--setting", "file=/nowhere/at/all.sqlite")
    assert ran.exit == 6, ran.output
    assert 1 <= len(ran.outcomes()) <= 4, "each child had at most one case in hand, and the one after it"
    assert "the provider cannot be reached" in ran.output


@pytest.mark.usefixtures("own_temporary_folder")
def test_children_that_crash_all_the_time_end_the_run(run_suite: Run) -> None:
    crash = MANY.replace('expect.equal("JMSType", "order", "order")', "os._exit(9)")
    ran = run_suite(crash, "--forks", "1", "--repeat", "4")
    assert "5 worker processes crashed" in ran.output
    assert list(ran.outcomes().values()).count("lost") <= 5
    assert ran.exit == 3, "a process that was lost, and no interrupt by the user"


@pytest.mark.usefixtures("own_temporary_folder")
def test_a_child_that_crashes_outside_of_every_case_is_no_success(run_suite: Run) -> None:
    closing = """
    from reference_provider.provider import ReferenceProvider

    ReferenceProvider.close = lambda self: os._exit(9)
    """
    ran = run_suite(closing + MANY.replace("\n", "\n    "), "--forks", "1")
    assert set(ran.outcomes().values()) == {"held"}
    assert "worker 'gw0' crashed outside of every case" in ran.output
    assert ran.exit == 3, ran.output


def test_what_fails_in_the_kit_itself_is_told(run_suite: Run) -> None:
    broken = """
    import pytest

    @pytest.fixture(autouse=True)
    def broken_kit(request):
        request.config.hook.pytest_runtest_protocol = None
    """
    ran = run_suite(broken + MANY.replace("\n", "\n    "), "--forks", "1", "--repeat", "2")
    assert ran.exit == 3, ran.output
    assert "a process that ran cases failed" in ran.output


def test_what_a_case_prints_does_not_reach_the_terminal(run_suite: Run) -> None:
    noisy = MANY.replace("expect.equal", "print('a noise'); expect.equal")
    ran = run_suite(noisy, "--forks", "2")
    assert ran.exit == 0, ran.output
    assert "a noise" not in ran.output


def test_warnings_of_children_are_shown(run_suite: Run) -> None:
    warns = """
    import warnings

    class Peculiar(UserWarning):
        pass
    """
    body = MANY.replace(
        "    expect",
        """    warnings.warn("an old call", DeprecationWarning, stacklevel=1)
    warnings.warn("something else", Peculiar, stacklevel=1)
    expect""",
    )
    ran = run_suite(textwrap.dedent(warns) + body, "--forks", "2")
    assert ran.exit == 0, ran.output
    assert "DeprecationWarning: an old call" in ran.output
    assert "Peculiar: something else" in ran.output
    assert "test_small.py::test_held" in ran.output
