"""How long the kit waits before it calls something hung: one factor, and no time that the machine withheld."""

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from tck import patience
from tck.cli.main import main
from tck.patience import FAR, VARIABLE, MultiplierError, Stopwatch, multiplied, multiplier, read_multiplier
from tck.profile import load_profile
from tck.running import watchdog as watchdog_module
from tck.running.watchdog import Watchdog
from tck.suite.support.harness.outcome import CaseCut

ROOT = Path(__file__).parents[2]


@pytest.fixture
def plain(monkeypatch):
    """No factor, whatever the machine that runs these tests has set."""
    monkeypatch.delenv(VARIABLE, raising=False)


@pytest.mark.parametrize("text", ["0", "-1", "0.5", "inf", "nan", "x"])
def test_a_multiplier_below_one_or_none_is_refused(text):
    with pytest.raises(MultiplierError, match=f"there: expected a number of at least 1, such as 3, saw '{text}'"):
        read_multiplier(text, "there")


def test_a_multiplier_holds_in_its_block_and_in_children(plain):
    ask = [sys.executable, "-c", "from tck.patience import multiplier; print(multiplier())"]
    assert multiplier() == 1
    with multiplied(2.5):
        told = subprocess.run(ask, cwd=ROOT, capture_output=True, text=True, check=True).stdout
        assert (multiplier(), float(told)) == (2.5, 2.5)
        with multiplied(None):
            assert multiplier() == 2.5
    assert multiplier() == 1


def test_the_factors_of_profile_and_run_are_multiplied(plain, tmp_path):
    profile = tmp_path / "slow.toml"
    profile.write_text(
        '[profile]\nname = "slow"\ntitle = "Slow"\nextends = "reference"\n\n[timing]\ndeadline = 1000\ncase = 5000\ntimeout_multiplier = 2\n'
    )
    with multiplied(3):
        timing = load_profile(str(profile)).timing
    assert (timing.deadline, timing.case, timing.timeout_multiplier) == (6000, 30_000, 6)
    timing = load_profile(str(profile)).timing
    assert (timing.deadline, timing.case, timing.timeout_multiplier) == (2000, 10_000, 2)


def test_a_run_prints_its_factor(plain, tmp_path, capsys):
    words = ["run", "3.4.8-1/*", "-n", "0", "--no-report", "--out", str(tmp_path)]
    assert main([*words, "--timeout-multiplier", "2"]) == 0
    assert ", timeouts x 2; run" in capsys.readouterr().out
    assert main(words) == 0
    assert "timeouts" not in capsys.readouterr().out


@pytest.mark.parametrize("command", ["run", "detect", "explore", "doctor", "workload run --plan steady"])
def test_a_wrong_factor_is_one_error_before_anything_begins(command, monkeypatch, capsys):
    assert main([*command.split(), "--timeout-multiplier", "none"]) == 4
    assert "tck: --timeout-multiplier: expected a number of at least 1" in capsys.readouterr().err
    monkeypatch.setenv(VARIABLE, "0")
    assert main(command.split()) == 4
    assert f"tck: {VARIABLE}: expected a number of at least 1" in capsys.readouterr().err


# -- time that the machine withheld ------------------------------------------------------------------------------------


class Machine:
    """A clock, and threads that wait for a processor."""

    def __init__(self, folder):
        self.now, self.folder = 100.0, folder

    def monotonic(self):
        return self.now

    def passes(self, seconds, **waited):
        """Let seconds pass, in which threads waited for so many of them."""
        self.now += seconds
        for name, more in waited.items():
            path = self.folder / name / "schedstat"
            before = int(path.read_text().split()[1]) if path.exists() else 0
            path.parent.mkdir(exist_ok=True)
            path.write_text(f"0 {before + round(more * 1e9)} 7\n")


@pytest.fixture
def machine(tmp_path, monkeypatch):
    made = Machine(tmp_path)
    made.passes(0, main=5.0)
    monkeypatch.setattr(patience, "time", made)
    monkeypatch.setattr(patience, "Path", lambda _: tmp_path)
    return made


def test_waiting_for_a_processor_is_not_counted(machine):
    watch = Stopwatch()
    machine.passes(10, main=4.0)
    assert (watch.withheld, watch.given) == (4, 6)
    machine.passes(10)
    assert (watch.withheld, watch.given) == (4, 16)


def test_threads_that_wait_at_once_withhold_no_more_than_has_passed(machine):
    watch = Stopwatch()
    machine.passes(1, main=1.0, other=1.0, third=0.9)
    assert (watch.withheld, watch.given) == (1, 0)


def test_a_bound_is_over_when_so_much_was_given_or_far_beyond_it(machine):
    watch = Stopwatch()
    machine.passes(4, main=3.5)
    assert not watch.over(2)
    machine.passes(1.6)
    assert watch.over(2)
    starved = Stopwatch()
    machine.passes(2 * FAR, main=2 * FAR)
    assert not starved.over(2)
    machine.passes(0.1, main=0.1)
    assert starved.over(2)


def test_without_such_files_real_time_counts(machine, tmp_path, monkeypatch):
    monkeypatch.setattr(patience, "Path", lambda _: tmp_path / "nowhere")
    watch = Stopwatch()
    machine.passes(3, main=3.0)
    assert (watch.withheld, watch.given) == (0, 3)


@pytest.mark.skipif(not Path("/proc/self/schedstat").exists(), reason="this system does not say how long threads wait")
def test_beside_busy_processes_on_one_processor_time_is_withheld():
    one = {min(os.sched_getaffinity(0))}
    spin = f"import os; os.sched_setaffinity(0, {one})\nwhile True: pass"
    beside = [subprocess.Popen([sys.executable, "-c", spin]) for _ in range(3)]
    before = os.sched_getaffinity(0)
    try:
        os.sched_setaffinity(0, one)
        watch = Stopwatch()
        while watch.withheld < 0.2:  # which never ends where nothing is withheld
            pass
        assert watch.given > 0
    finally:
        os.sched_setaffinity(0, before)
        for process in beside:
            process.kill()
            process.wait()


def test_a_thread_that_ends_is_waited_for_and_one_that_hangs_is_not(plain):
    ends, hangs = threading.Event(), threading.Event()
    quick, stuck = (threading.Thread(target=each.wait, daemon=True) for each in (ends, hangs))
    quick.start()
    stuck.start()
    ends.set()
    assert patience.join(quick, 60)
    assert not patience.join(stuck, 0.01)
    hangs.set()


class Starved:
    """A stopwatch of a process that never gets a processor."""

    def __init__(self):
        self._began = time.monotonic()

    @property
    def withheld(self):
        return time.monotonic() - self._began


@pytest.mark.skipif(not hasattr(signal, "SIGALRM"), reason="this platform has no timer signals")
def test_a_starved_case_gets_more_time_but_not_for_ever(monkeypatch):
    monkeypatch.setattr(watchdog_module, "Stopwatch", Starved)
    monkeypatch.setattr(watchdog_module, "PERIOD", 0.01)
    watchdog, deadline = Watchdog(200, 60_000, lambda: None, None), 0.2
    try:
        began = time.monotonic()
        watchdog.arm()
        with pytest.raises(CaseCut):
            threading.Event().wait(60)
        assert time.monotonic() - began > 2 * deadline
    finally:
        watchdog.close()
