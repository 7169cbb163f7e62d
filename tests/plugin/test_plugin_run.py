"""The plugin from outside: what ends a case how, and what a run's exit code is."""

from __future__ import annotations

import shlex
import signal
import subprocess
import sys
import textwrap
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import tck.plugin
from tck.plugin import hooks
from tck.running.watchdog import Watchdog
from tck.suite.support.harness.outcome import CaseCut

ROOT = Path(__file__).parents[2]
Run = Callable[..., Any]
"""The fixture `run_suite` of conftest.py."""

HELD = """
@asserts("3.4.8-1", domain=("queue",), api=("classic",))
def test_held(case):
    expect.equal("JMSType", "order", "order")
"""


def test_a_held_case_is_conformant(run_suite: Run) -> None:
    ran = run_suite(HELD)
    assert (ran.exit, ran.outcomes()) == (0, {"3.4.8-1/queue/classic/auto": "held"}), ran.output
    assert "exit    0 (conformant)" in ran.output


def test_pytest_leaves_the_bundle_and_prints_the_command_that_writes_the_report(run_suite: Run) -> None:
    ran = run_suite(HELD)
    assert [path.name for path in ran.out.iterdir()] == ["runs"]
    (line,) = (line for line in ran.output.splitlines() if line.startswith("report  "))
    words = shlex.split(line.removeprefix("report  "))
    assert words[:4] == ["python", "-m", "tck", "report"]
    done = subprocess.run([sys.executable, *words[1:]], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert (ran.out / "html" / words[4] / "index.html").is_file()


def test_a_broken_case_is_a_violation_with_its_story(run_suite: Run) -> None:
    ran = run_suite(HELD.replace('"order", "order"', '"x", "order"'))
    assert ran.exit == 1
    for part in ("VIOLATION", "3.4.8", "JMSType is 'order'", "JMSType was 'x'", "python -m tck run -p reference"):
        assert part in ran.output


ABSENT = """
    heard = type("Heard", (api.CompletionListener,), {"on_completion": print, "on_exception": print})()
    session = case.client().session
    session.create_producer(None).send(session.create_message(), completion_listener=heard)
""".strip()


@pytest.mark.parametrize(
    ("body", "outcome", "exit_code"),
    [
        ("pass", "error", 3),
        ("assert False", "error", 3),
        ("raise TypeError('a fault of the test')", "error", 3),
        ("case.provider.administer('no such action')", "undecided", 1),
        (ABSENT, "absent", 1),
        ("s = case.client().session; s.create_producer(None).send(s.create_message())", "undecided", 1),
        ("case.needs(api.Hook.NATIVE_CLIENT)", "no-hook", 5),
        ("case.link(consumes=False).consumer", "undecided", 1),
    ],
)
def test_how_a_body_ends(run_suite: Run, body: str, outcome: str, exit_code: int) -> None:
    ran = run_suite(HELD.replace('expect.equal("JMSType", "order", "order")', body))
    assert list(ran.outcomes().values()) == [outcome], ran.output
    assert ran.exit == exit_code


def test_an_unknown_id_stops_the_collection(run_suite: Run) -> None:
    ran = run_suite(HELD.replace("3.4.8-1", "3.4.8-999"))
    assert ran.exit == 3
    assert "3.4.8-999, which the catalogue does not have" in ran.output


def test_a_test_without_asserts_stops_the_collection(run_suite: Run) -> None:
    ran = run_suite("def test_lost(case): pass")
    assert ran.exit == 3
    assert "needs @asserts" in ran.output


def test_two_tests_of_one_case_need_variants(run_suite: Run) -> None:
    twins = HELD + HELD.replace("test_held", "test_twin")
    refused = run_suite(twins)
    assert refused.exit == 3
    assert "is made twice" in refused.output
    told_apart = run_suite(
        HELD + HELD.replace("test_held", "test_twin").replace('("classic",))', '("classic",), variant="b")')
    )
    assert told_apart.exit == 0, told_apart.output


def test_a_feature_that_is_not_claimed_is_unsupported(run_suite: Run, tmp_path: Path) -> None:
    profile = tmp_path / "little.toml"
    claims = '[claims]\nversion = "3.1"\nfeatures = []\n'
    profile.write_text('[profile]\nname = "little"\ntitle = "Little"\nextends = "reference"\n' + claims)
    ran = run_suite(HELD.replace("3.4.8-1", "6.2.7-21"), profile=str(profile))
    assert list(ran.outcomes().values()) == ["unsupported"], ran.output
    assert ran.exit == 5


def test_a_case_cut_while_the_provider_had_it_names_the_call(run_suite: Run) -> None:
    ran = run_suite(
        HELD.replace('expect.equal("JMSType", "order", "order")', "case.link().consumer.receive()"),
        profile="quick.toml",
    )
    assert ran.outcomes() == {"3.4.8-1/queue/classic/auto": "cut"}, ran.output
    assert ran.exit == 1
    (result,) = ran.bundle.results()
    assert dict(result.verdicts) == {"3.4.8-1": "undecided"}  # who waits without limit may wait for ever
    assert "still open: MessageConsumer.receive" in ran.output


def test_a_case_cut_outside_of_the_provider_is_undecided(run_suite: Run) -> None:
    ran = run_suite(
        HELD.replace('expect.equal("JMSType", "order", "order")', "threading.Event().wait()"), profile="quick.toml"
    )
    assert ran.outcomes() == {"3.4.8-1/queue/classic/auto": "cut-setup"}, ran.output
    assert ran.exit == 1


def test_a_process_that_stood_still_gets_its_time_back(run_suite: Run) -> None:
    """Stopped for longer than its case may take, and continued from outside."""
    halt = (
        "subprocess.Popen(['sh', '-c', f'sleep 3; kill -CONT {os.getpid()}']); os.kill(os.getpid(), signal.SIGSTOP); "
    )
    ran = run_suite(HELD.replace("expect.equal", "import subprocess; " + halt + "expect.equal"), profile="quick.toml")
    assert ran.outcomes() == {"3.4.8-1/queue/classic/auto": "held"}, ran.output


PROCESSES = pytest.mark.parametrize("processes", [("-n", "1"), ("--forks", "1")], ids=["xdist", "forked"])
"""Both ways to run cases in a process of their own."""


@PROCESSES
def test_a_lost_worker_loses_its_case_only(
    run_suite: Run, processes: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TMPDIR", str(tmp_path))  # a lost process removes nothing
    lost = HELD.replace("test_held", "test_lost").replace("3.4.8-1", "3.4.8-2")
    lost = lost.replace('expect.equal("JMSType", "order", "order")', "os._exit(9)")
    ran = run_suite(HELD + lost, *processes)
    assert ran.outcomes() == {"3.4.8-1/queue/classic/auto": "held", "3.4.8-2/queue/classic/auto": "lost"}, ran.output
    assert ran.exit == 3


@pytest.mark.slow
@PROCESSES
def test_the_watchdog_ends_what_no_signal_can_cut(run_suite: Run, processes: tuple[str, ...]) -> None:
    stuck = HELD.replace(
        'expect.equal("JMSType", "order", "order")',
        "signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGALRM}); case.link(); threading.Event().wait()",
    )
    ran = run_suite(stuck, *processes, profile="quick.toml")
    assert ran.outcomes() == {"3.4.8-1/queue/classic/auto": "lost"}, ran.output
    assert ran.exit == 3
    stacks = list((ran.bundle.path / "stacks").iterdir())
    assert "threading.py" in stacks[0].read_text()
    assert ran.bundle.events("3.4.8-1/queue/classic/auto")


@pytest.mark.slow
@PROCESSES
@pytest.mark.parametrize(("declared", "exit_code"), [("", 1), ("fails", 0)])
def test_a_call_that_no_signal_can_cut_is_named(
    run_suite: Run, tmp_path: Path, declared: str, exit_code: int, processes: tuple[str, ...]
) -> None:
    stuck = HELD.replace(
        'expect.equal("JMSType", "order", "order")',
        "signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGALRM}); case.link().consumer.receive()",
    )
    text = '[profile]\nname = "stuck"\ntitle = "Stuck"\nextends = "reference"\n[adapter.settings]\nclock = "system"\n'
    text += "[timing]\ncase = 1500\ndeadline = 1000\n" + (DEVIATION if declared else "")
    profile = tmp_path / "stuck.toml"
    profile.write_text(text)
    other = HELD.replace("test_held", "test_after").replace("3.4.8-1", "3.4.8-2")
    ran = run_suite(stuck + other, *processes, profile=str(profile))
    assert ran.outcomes() == {"3.4.8-1/queue/classic/auto": "cut", "3.4.8-2/queue/classic/auto": "held"}, ran.output
    assert ran.exit == exit_code, ran.output
    (stacks,) = (ran.bundle.path / "stacks").iterdir()
    assert "in receive" in stacks.read_text()
    (result,) = (each for each in ran.bundle.results() if each.outcome == "cut")
    assert "MessageConsumer.receive" in result.observed
    assert ran.bundle.events(result.case)
    assert ("1 passed, 1 declared in" if declared else "1 failed, 1 passed in") in ran.output
    assert ("UNDECIDED  3.4.8-1/queue/classic/auto" in ran.output) != bool(declared)


def test_a_deadline_ends_with_the_body_and_not_in_what_is_told_of_it(run_suite: Run) -> None:
    slow = """
    class SlowToTell(Exception):
        told = "told at last"

        def __str__(self):
            try:
                threading.Event().wait(2)
            except BaseException as cut:  # Python's traceback module would keep it to itself
                self.told = f"interrupted by {type(cut).__name__}"
            return self.told

    """
    body = HELD.replace('expect.equal("JMSType", "order", "order")', "raise SlowToTell")
    ran = run_suite(textwrap.dedent(slow) + textwrap.dedent(body), profile="quick.toml")
    assert ran.outcomes() == {"3.4.8-1/queue/classic/auto": "error"}, ran.output
    (result,) = ran.bundle.results()
    assert result.error is not None
    assert (result.error.type, result.error.text) == ("SlowToTell", "told at last")
    assert "INTERNALERROR" not in ran.output


ARMED = """
    import pytest
    from tck.running.watchdog import Watchdog
    from tck.suite.support.harness.outcome import CaseCut

    @pytest.hookimpl(wrapper=True, {place}=True)
    def pytest_runtest_makereport(item, call):
        if call.when == "call":
            print("still armed:", [watchdog._until for watchdog in KNOWN])
        return (yield)

    def arm(watchdog, *deadline, made=Watchdog.arm):
        KNOWN.add(watchdog)
        made(watchdog, *deadline)

    KNOWN = set()
    Watchdog.arm = arm
"""
LATE_CUT = """
    def ended(watchdog, disarm=Watchdog.disarm):
        Watchdog.disarm = disarm
        raise CaseCut

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_call(item):
        Watchdog.disarm = ended
        return (yield)
"""


def test_the_deadline_has_ended_before_anything_is_reported(run_suite: Run) -> None:
    armed = ARMED.format(place="tryfirst")
    ran = run_suite(textwrap.dedent(armed) + textwrap.dedent(HELD), "-s", "-p", "test_small")
    assert "still armed: [None]" in ran.output, ran.output
    assert ran.outcomes() == {"3.4.8-1/queue/classic/auto": "held"}


def test_a_cut_just_before_the_end_of_a_deadline_leaves_nothing_armed(run_suite: Run) -> None:
    late = textwrap.dedent(ARMED.format(place="trylast")) + textwrap.dedent(LATE_CUT)
    ran = run_suite(late + textwrap.dedent(HELD), "-s", "-p", "test_small")
    assert "still armed: [None]" in ran.output, ran.output
    assert ran.outcomes() == {"3.4.8-1/queue/classic/auto": "cut-setup"}


def test_the_plugin_registers_every_hook_that_it_has() -> None:
    known = {name for name in vars(hooks) if name.startswith("pytest_")} | {"case"}
    assert known == set(tck.plugin.__all__)
    assert all(getattr(tck.plugin, name) is getattr(hooks, name) for name in known)


@pytest.mark.skipif(not hasattr(signal, "SIGALRM"), reason="this platform has no timer signals")
def test_only_an_armed_watchdog_cuts() -> None:
    watchdog = Watchdog(60_000, 60_000, lambda: None, None)
    try:
        watchdog.arm()
        with pytest.raises(CaseCut):
            signal.raise_signal(signal.SIGALRM)
        watchdog.disarm()
        signal.raise_signal(signal.SIGALRM)
    finally:
        watchdog.close()


def test_a_provider_that_cannot_be_reached_ends_the_run(run_suite: Run) -> None:
    ran = run_suite(HELD, "--setting", "file=/nowhere/at/all.sqlite")
    assert ran.exit == 6, ran.output
    assert "Traceback" not in ran.output


DEVIATION = """
[[deviation]]
assertion = "3.4.8-1"
outcome = "fails"
reason = "it does"
link = "https://example.org/1"
"""


@pytest.mark.parametrize(("seen", "exit_code", "word"), [("x", 0, "declared"), ("order", 1, "stale")])
def test_a_declared_failure_must_fail(run_suite: Run, tmp_path: Path, seen: str, exit_code: int, word: str) -> None:
    profile = tmp_path / "declared.toml"
    profile.write_text('[profile]\nname = "declared"\ntitle = "Declared"\nextends = "reference"\n' + DEVIATION)
    ran = run_suite(HELD.replace('"order", "order"', f'"{seen}", "order"'), profile=str(profile))
    assert (ran.exit, word in ran.output.lower()) == (exit_code, True), ran.output


@pytest.mark.parametrize(("glob", "exit_code"), [("*was 'x'*", 0), ("*was 'y'*", 1)])
def test_a_fault_declared_for_any_row_is_known_by_what_it_shows(
    run_suite: Run, tmp_path: Path, glob: str, exit_code: int
) -> None:
    profile = tmp_path / "anywhere.toml"
    text = DEVIATION.replace('"3.4.8-1"', '"*"').replace('"fails"', f'"flaky"\nobserved = "{glob}"')
    text += "at_most = 0.5\nexpires = 2999-01-01\n"
    profile.write_text('[profile]\nname = "anywhere"\ntitle = "Anywhere"\nextends = "reference"\n' + text)
    ran = run_suite(HELD.replace('"order", "order"', '"x", "order"'), profile=str(profile))
    assert ran.exit == exit_code, ran.output


@pytest.mark.slow
def test_order_follows_the_seed_and_a_subset_keeps_it(run_suite: Run) -> None:
    many = HELD.replace(', domain=("queue",), api=("classic",)', ', ack=("auto", "client", "transacted")')
    first, again, other = (run_suite(many, "--seed", seed).order() for seed in ("1", "1", "2"))
    assert first == again
    assert sorted(first) == sorted(other)
    assert first != other
    subset = run_suite(many, "--seed", "1", "--select", "3.4.8-1/queue/*").order()
    assert subset == [case for case in first if "/queue/" in case]


@pytest.mark.slow
def test_one_point_turns_with_the_seed(run_suite: Run) -> None:
    many = HELD.replace(', domain=("queue",), api=("classic",)', ', ack=("auto", "client", "transacted")')
    seen = [run_suite(many, "--points", "one", "--seed", str(seed)).order() for seed in range(4)]
    assert all(len(cases) == 1 for cases in seen)
    assert len({cases[0] for cases in seen}) > 1


MORTAL = '''
"""The reference provider, made to die at its third connection."""

from reference_provider.adapter import open_provider as honest
from tck import api


class Dying(api.ConnectionFactory):
    def __init__(self, factory):
        self.factory = factory
        self.left = 3

    def create_connection(self, *credentials):
        self.left -= 1
        if self.left < 0:
            raise api.JMSException("connection refused")
        return self.factory.create_connection(*credentials)

    def create_context(self, **options):
        return self.factory.create_context(**options)


def open_provider(settings, work_dir):
    provider = honest(settings, work_dir)
    factory = Dying(provider.connection_factory())
    type(provider).connection_factory = lambda self: factory
    return provider
'''


def test_a_provider_that_dies_during_the_run_is_lost_and_not_judged(run_suite: Run, tmp_path: Path) -> None:
    (tmp_path / "mortal.py").write_text(MORTAL)
    profile = tmp_path / "mortal.toml"
    adapter = '[adapter]\nkind = "python"\ntarget = "mortal:open_provider"\n'
    profile.write_text(f'[profile]\nname = "mortal"\ntitle = "Mortal"\nextends = "reference"\n{adapter}')
    body = 'link = case.link(); link.send("x"); expect.arrives(link, ["y"])'
    ran = run_suite(HELD.replace('expect.equal("JMSType", "order", "order")', body), profile=str(profile))
    assert ran.exit == 1, ran.output
    body = "case.link(); case.link(); case.link()"
    ran = run_suite(HELD.replace('expect.equal("JMSType", "order", "order")', body), profile=str(profile))
    assert ran.exit == 6, ran.output
    assert list(ran.outcomes().values()) == ["unreachable"]
    assert "lost during the run" in ran.output


@pytest.mark.slow
def test_one_point_is_taken_from_what_the_profile_claims(run_suite: Run, tmp_path: Path) -> None:
    profile = tmp_path / "classic.toml"
    claims = '[claims]\nversion = "3.1"\napi = ["classic"]\n'
    profile.write_text('[profile]\nname = "classic"\ntitle = "Classic"\nextends = "reference"\n' + claims)
    many = HELD.replace(', domain=("queue",), api=("classic",)', "")
    for seed in ("1", "2"):
        (case,) = run_suite(many, "--points", "one", "--seed", seed, profile=str(profile)).order()
        assert "/classic/" in case
