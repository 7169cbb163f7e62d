"""^C and SIGTERM at a workload, also where they come at a bad moment: each signal is raised in this process."""

import json
import signal
from contextlib import suppress
from itertools import count

import pytest

from tck.cli import workload_command
from tck.cli.main import main
from tck.cli.support import workload_text
from tck.record import Exit


def workload(monkeypatch, out, at_work, note=None):
    """Run a workload in this process that calls `at_work` once while it works; return the exit code and its bundle."""
    calls = count()

    def show(_meter, _progress):
        if next(calls) == 1:
            at_work()

    monkeypatch.setattr(workload_text.Meter, "show", show)
    if note is not None:
        monkeypatch.setattr(workload_command, "note", note)
    words = ["workload", "run", "-p", "reference", "--plan", "steady", "--messages", "2000", "--out", str(out)]
    code = main(words)
    (bundle,) = (out / "runs").iterdir()
    return code, bundle


def interrupt():
    signal.raise_signal(signal.SIGINT)


def swallowed(call):
    """Call where Python ignores what is raised."""

    class Finalized:
        def __del__(self):
            call()

    Finalized()


def test_a_second_interrupt_while_the_first_is_answered_leaves_at_once(tmp_path, monkeypatch):
    def answered(text):
        if "once more" in text:
            interrupt()

    code, bundle = workload(monkeypatch, tmp_path, interrupt, answered)
    assert code == Exit.INTERRUPTED
    assert not (bundle / "end.json").exists()
    assert main(["workload", "check", str(bundle), "--allow-truncated"]) in (0, Exit.NOTHING_JUDGED)


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, Exit.INTERRUPTED), (signal.SIGTERM, Exit.TERMINATED)])
@pytest.mark.parametrize("where", ["at work", "in a finalizer"])
@pytest.mark.filterwarnings("error")
def test_a_first_interrupt_ends_the_work_in_good_order_wherever_it_comes(tmp_path, monkeypatch, number, code, where):
    def comes():
        signal.raise_signal(number)

    ended, bundle = workload(monkeypatch, tmp_path, comes if where == "at work" else lambda: swallowed(comes))
    assert ended == code
    assert json.loads((bundle / "workload.json").read_text())["stopped"] == "interrupt"
    assert json.loads((bundle / "end.json").read_text())["exit"] == Exit.INTERRUPTED


def in_a_finalizer():
    interrupt()
    swallowed(interrupt)


def with_another_error():
    """Interrupt a wait for a lock: it is released all the same, which fails."""
    interrupt()
    with suppress(KeyboardInterrupt):
        interrupt()
    raise RuntimeError("release unlocked lock")


@pytest.mark.parametrize("second", [in_a_finalizer, with_another_error])
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_a_second_interrupt_leaves_at_once_wherever_it_comes(tmp_path, monkeypatch, second):
    code, bundle = workload(monkeypatch, tmp_path, second)
    assert code == Exit.INTERRUPTED
    assert not (bundle / "end.json").exists()


def test_an_interrupt_while_a_line_is_written_is_answered_after_it(tmp_path, monkeypatch):
    reported = []

    def busy_at_first(text):
        if "once more" in text and "reentrant" not in reported:
            reported.append("reentrant")
            raise RuntimeError("reentrant call inside <_io.BufferedWriter name='<stderr>'>")
        reported.append(text)

    code, bundle = workload(monkeypatch, tmp_path, interrupt, busy_at_first)
    assert code == Exit.INTERRUPTED
    assert any("once more" in text for text in reported)
    assert (bundle / "end.json").exists()
