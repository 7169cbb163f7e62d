"""Calls of the adapter that hang or fail: never a violation, the exit code is 6 or 3, and the call is named."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Run = Callable[..., Any]
"""The fixture `run_suite` of conftest.py."""

ADAPTER = """
import signal
import threading
from reference_provider.adapter import open_provider as opened

def wait(deaf=False):
    if deaf:
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGALRM})
    threading.Event().wait()


def opening(settings, work_dir):
    wait()


def deaf_opening(settings, work_dir):
    wait(deaf=True)


def with_create(create):
    def open_provider(settings, work_dir):
        provider = opened(settings, work_dir)
        provider.create_queue = create
        return provider
    return open_provider


def oops(name):
    raise AttributeError("oops")


creating = with_create(lambda name: wait())
deaf_creating = with_create(lambda name: wait(deaf=True))
failing = with_create(oops)
"""
PROFILE = """
[profile]
name = "hangs"
title = "Hangs"
extends = "reference"
[adapter]
target = "hangs:{target}"
[adapter.settings]
clock = "system"
[timing]
case = 1500
deadline = 1000
"""
SHORT = """
from tck.running import process

process.OPENING_MS = 6000.0  # each process imports this file before it opens the provider, which imports much
process.GRACE_MS = 500.0

"""
CASES = SHORT + "".join(
    f'@asserts("{row}", domain=("queue",), api=("classic",))\n'
    f"def test_{number}(case):\n    case.link()\n    expect.equal('text', 'a', 'a')\n\n\n"
    for number, row in enumerate(("3.4.8-1", "3.4.8-2", "3.4.5-1"))
)


@pytest.fixture
def profile(tmp_path: Path) -> Callable[[str], str]:
    """Write the adapter and a profile that opens it by one of its functions."""

    def written(target: str) -> str:
        (tmp_path / "hangs.py").write_text(ADAPTER)
        file = tmp_path / f"{target}.toml"
        file.write_text(PROFILE.format(target=target))
        return str(file)

    return written


@pytest.mark.slow
@pytest.mark.parametrize("processes", [(), ("-n", "2"), ("--forks", "2")], ids=["one", "xdist", "forked"])
@pytest.mark.parametrize(
    ("target", "named"),
    [
        ("opening", "the provider did not open in time: wait (hangs.py:"),
        ("deaf_opening", "the provider did not open in time: wait (hangs.py:"),
        ("creating", "the adapter did not return from a call in time: Provider.create_queue"),
        ("deaf_creating", "the adapter did not return from a call in time: Provider.create_queue"),
    ],
)
def test_a_call_of_the_adapter_that_hangs_ends_the_run_and_is_named(
    run_suite: Run, profile: Callable[[str], str], target: str, named: str, processes: tuple[str, ...]
) -> None:
    ran = run_suite(CASES, *processes, profile=profile(target))
    assert ran.exit == 6, ran.output
    results = ran.bundle.results()
    assert {result.outcome.value for result in results} == {"unreachable"}, ran.output
    assert any(named in (result.observed or "") for result in results), [result.observed for result in results]
    assert len(ran.bundle.cases()) == 3
    assert "VIOLATION" not in ran.output


@pytest.mark.parametrize("processes", [(), ("-n", "1")], ids=["one", "xdist"])
def test_a_call_of_the_adapter_that_fails_is_its_own_fault(
    run_suite: Run, profile: Callable[[str], str], processes: tuple[str, ...]
) -> None:
    ran = run_suite(CASES, *processes, profile=profile("failing"))
    assert ran.exit == 3, ran.output
    assert {result.verdict.value for result in ran.bundle.results()} == {"harness-error"}
    assert "AttributeError: oops" in ran.output


STUCK = """
@asserts("3.4.8-1", domain=("queue",), api=("classic",))
def test_stuck(case):
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGALRM})
    case.link().consumer.receive()
"""


@pytest.mark.slow
def test_a_run_in_one_process_that_nothing_can_go_on_with_leaves_a_whole_bundle(run_suite: Run, tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text(
        '[profile]\nname = "mine"\ntitle = "Mine"\nextends = "reference"\n[adapter.settings]\nclock = "system"\n'
        "[timing]\ncase = 1500\ndeadline = 1000\n"
    )
    ran = run_suite(STUCK, profile=str(file))
    assert ran.exit == 6, ran.output
    (result,) = ran.bundle.results()
    assert (result.outcome.value, result.verdict.value) == ("cut", "undecided")
    assert "MessageConsumer.receive" in result.observed
