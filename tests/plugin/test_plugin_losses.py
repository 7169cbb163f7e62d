"""A provider or a process that is lost: a fresh one takes over, the case runs again, and three losses in a row end the run."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Run = Callable[..., Any]
"""The fixture `run_suite` of conftest.py."""

ADAPTER = '''
"""The reference provider, lost when a case asks for it, as often as the file `losses` has bytes."""

from pathlib import Path

from reference_provider.adapter import open_provider as honest
from tck import api

LEFT = Path(__file__).parent / "losses"


class Mortal(api.ConnectionFactory):
    def __init__(self, factory):
        self.factory = factory
        self.dead = False

    def create_connection(self, *credentials):
        if self.dead:
            raise api.JMSException("connection refused")
        return self.factory.create_connection(*credentials)

    def create_context(self, **options):
        return self.factory.create_context(**options)


def open_provider(settings, work_dir):
    provider = honest(settings, work_dir)
    factory = Mortal(provider.connection_factory())
    made = type("MortalProvider", (type(provider),), {"connection_factory": lambda self: factory})
    provider.__class__ = made
    create = provider.create_queue

    def create_queue(name):
        if left := LEFT.read_bytes():
            LEFT.write_bytes(left[1:])
            factory.dead = True
        return create(name)

    provider.create_queue = create_queue
    return provider
'''
CASES = """
@asserts("3.4.8-1", domain=("queue",), api=("classic",), ack=("auto", "client", "dups_ok", "transacted"))
def test_held(case):
    expect.equal("JMSType", "order", "order")


@asserts("3.4.8-2", domain=("queue",), api=("classic",))
def test_loses(case):
    case.link(), case.link()
    expect.equal("JMSType", "order", "order")
"""
FIRST_HELD = "3"
"""A seed by which a case that loses nothing comes first."""
LOSES = "3.4.8-2/queue/classic/auto"
CRASHES = """
@asserts("3.4.8-1", domain=("queue",), api=("classic",), ack=("auto", "client", "dups_ok", "transacted"))
def test_held(case):
    expect.equal("JMSType", "order", "order")


@asserts("3.4.8-2", domain=("queue",), api=("classic",))
def test_crashes(case):
    from pathlib import Path

    if not Path("crashed").exists():
        Path("crashed").touch()
        os._exit(9)
    expect.equal("JMSType", "order", "order")
"""


@pytest.fixture
def mortal(tmp_path: Path) -> Callable[[int], str]:
    """Write the adapter and its profile; return the path of the profile."""

    def written(losses: int) -> str:
        (tmp_path / "mortal.py").write_text(ADAPTER)
        (tmp_path / "losses").write_bytes(b"x" * losses)
        profile = tmp_path / "mortal.toml"
        adapter = '[adapter]\nkind = "python"\ntarget = "mortal:open_provider"\n'
        profile.write_text(f'[profile]\nname = "mortal"\ntitle = "Mortal"\nextends = "reference"\n{adapter}')
        return str(profile)

    return written


def test_a_case_that_lost_its_provider_runs_again_on_a_fresh_one(run_suite: Run, mortal: Callable[[int], str]) -> None:
    ran = run_suite(CASES, "--forks", "1", "--seed", "3", profile=mortal(1))
    assert ran.exit == 0, ran.output
    assert set(ran.outcomes().values()) == {"held"}
    (again,) = (result for result in ran.bundle.results() if result.case == LOSES)
    assert "it ran twice, since the first time all was lost" in (again.explanation or "")
    assert "connection refused" in (again.explanation or "")


def test_a_case_that_loses_its_provider_twice_is_reported_and_the_others_are_judged(
    run_suite: Run, mortal: Callable[[int], str]
) -> None:
    ran = run_suite(CASES, "--forks", "1", "--seed", "3", profile=mortal(2))
    assert ran.exit == 6, ran.output
    outcomes = ran.outcomes()
    assert outcomes.pop(LOSES) == "unreachable"
    assert set(outcomes.values()) == {"held"}
    assert len(outcomes) == 4


def test_three_losses_in_a_row_end_a_run(run_suite: Run, mortal: Callable[[int], str]) -> None:
    modes = ', ack=("auto", "client", "dups_ok", "transacted")'
    lossy = CASES.replace(modes, "").replace(
        'api=("classic",))\ndef test_loses', f'api=("classic",){modes})\ndef test_loses'
    )
    for kind in (), ("--forks", "1"):
        ran = run_suite(lossy, *kind, "--maxfail", "99", "--seed", FIRST_HELD, profile=mortal(9))
        assert ran.exit == 6, ran.output
        assert sorted(ran.outcomes().values()) == ["held", *["unreachable"] * 3]
        assert len(ran.bundle.cases()) == 5, "the one that never ran is listed"


def test_a_process_that_runs_all_cases_opens_a_fresh_provider(run_suite: Run, mortal: Callable[[int], str]) -> None:
    ran = run_suite(CASES, "--seed", "3", profile=mortal(1))
    assert ran.exit == 6, ran.output
    outcomes = ran.outcomes()
    assert outcomes.pop(LOSES) == "unreachable"
    assert list(outcomes.values()) == ["held"] * 4


@pytest.mark.parametrize("lanes", ["0", "3"])
def test_a_case_whose_process_died_runs_again(run_suite: Run, lanes: str, monkeypatch: pytest.MonkeyPatch) -> None:
    ran = run_suite(CRASHES, "--forks", "1", "--lanes", lanes, "--seed", "3", profile="reference-realtime")
    assert ran.exit == 0, ran.output
    assert list(ran.outcomes().values()) == ["held"] * 5
