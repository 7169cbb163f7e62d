"""SIGINT and SIGTERM end a command wherever they come, and however it was started."""

import json
import re
import signal
import subprocess

import pytest
from cli_support import PATIENCE, command, environment, tck, wait_for_results

from tck.record import Bundle

SUITE_TEST = '''
import signal, weakref
from tck.suite.support import asserts

class Watched:
    pass

class Finalized:
    def __del__(self):
        signal.raise_signal(signal.{number})

@asserts("3.4.1-3", variant="ours")
def test_of_our_own(case):
    """A test whose interrupt is raised where Python ignores exceptions."""
    watched = Watched()
    callback = weakref.ref(watched, lambda _: signal.raise_signal(signal.{number}))
    {swallow}
'''

PLUGIN = """
import os, signal, weakref

STARTED = os.getpid()

class Watched:
    pass

def pytest_runtest_logreport():
    global STARTED
    if os.getpid() == STARTED:  # no forked child
        STARTED = None
        watched = Watched()
        callback = weakref.ref(watched, lambda _: signal.raise_signal(signal.{number}))
        del watched
"""

SIGNALS = pytest.mark.parametrize(("number", "code"), [("SIGINT", 2), ("SIGTERM", 7)])


@SIGNALS
@pytest.mark.parametrize("swallow", ["del watched", "Finalized()"])
def test_an_interrupt_that_python_ignores_ends_the_run_without_a_traceback(tmp_path, number, code, swallow):
    path = tmp_path / "test_of_our_own.py"
    path.write_text(SUITE_TEST.format(number=number, swallow=swallow))
    ended = tck("run", "3.4.1-3/*", "-n", "0", "--no-report", "--format", "json", "--", str(path), cwd=tmp_path)
    assert (ended.code, ended.json()["exit"]) == (code, code), ended.err
    assert not re.search("Traceback|Unraisable|Exception ignored", ended.err), ended.err
    assert Bundle.open(ended.json()["bundle"]).end.exit == code


@pytest.mark.slow
@SIGNALS
@pytest.mark.parametrize("processes", ["0", "2"])
def test_an_interrupt_that_python_ignores_while_a_verdict_is_shown_ends_the_run(tmp_path, number, code, processes):
    (tmp_path / "swallowing.py").write_text(PLUGIN.format(number=number))
    words = ("run", "3.4", "-n", processes, "--no-report", "--format", "json", "--", "-p", "swallowing")
    ended = tck(*words, cwd=tmp_path)
    assert (ended.code, json.loads(ended.out)["exit"]) == (code, code), ended.err
    assert not re.search("Traceback|Unraisable|Exception ignored", ended.err), ended.err
    assert Bundle.open(ended.json()["bundle"]).end.exit == code


# -- started by a parent that ignores signals, as `nohup bash .ci/run &` does ----------------------------------------


def ignore_signals():
    """In the child, before exec: what is ignored there stays ignored in the new program."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)


def start_ignoring(folder, *words):
    return subprocess.Popen(
        command(*words),
        cwd=folder,
        env=environment(),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        preexec_fn=ignore_signals,  # noqa: PLW1509 - three C calls
    )


@pytest.mark.slow
@SIGNALS
@pytest.mark.parametrize("processes", ["0", "2"])
def test_a_run_heeds_signals_that_its_parent_ignores(tmp_path, number, code, processes):
    with start_ignoring(tmp_path, "run", "-n", processes, "--no-report", "--format", "json") as process:
        try:
            wait_for_results(tmp_path)
            process.send_signal(signal.SIGHUP)  # stays ignored: that is what nohup is for
            process.send_signal(getattr(signal, number))
            out, err = process.communicate(timeout=PATIENCE)
        finally:
            process.kill()
    assert process.returncode == code, err
    assert "Traceback" not in err
    assert Bundle.open(json.loads(out)["bundle"]).end.exit == code


@SIGNALS
@pytest.mark.parametrize(
    "words",
    [
        "explore --seconds 60 --seed 1",
        "workload run -p reference-realtime --plan steady --duration 60",
    ],
)
def test_every_command_heeds_signals_that_its_parent_ignores(tmp_path, number, code, words):
    with start_ignoring(tmp_path, *words.split()) as process:
        try:
            assert re.search("seed", process.stderr.readline())
            process.send_signal(getattr(signal, number))
            _, err = process.communicate(timeout=PATIENCE)
        finally:
            process.kill()
    assert process.returncode == code, err
    assert "Traceback" not in err
