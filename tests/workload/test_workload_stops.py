"""How a workload stops before its time: by ^C once or twice, at work or while judging, or because the disk is full."""

import json
import os
import signal
import subprocess
import threading
import time
from contextlib import nullcontext
from itertools import count
from pathlib import Path

import numpy as np
import pytest
from test_workload_cli import ROOT, busy, command, tck
from workload_support import catalogue, drive, reference, violations

from reference_provider.client.sessions import ReferenceSession
from tck.adapters.opening import open_provider
from tck.api import JMSException, SystemClock
from tck.check.columns import NONE, Op
from tck.cli.main import main
from tck.record import Exit
from tck.record.packed import RECEIVE, PackedRun
from tck.workload import run as run_module
from tck.workload.actors.actor import Actor
from tck.workload.plan import load_plan
from tck.workload.recorder import Receiver, Recorder, RecorderClosed, RowTemplate
from tck.workload.run import Options, margins_of, run_workload
from tck.workload.shared_state import Phase, SharedState

HEAD = (1, 2, 3, 4, 5)


def content(folder):
    return {path.name: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def uses(recorder, row):
    """Every call of a recorder that writes, about a row and for a new one."""
    receiver = Receiver(Op.DELIVER, True, 1, 1, 2, 3)
    template = RowTemplate(RECEIVE, 1, 1, consumer=2, end=3)
    options = (2, 4, 0, 0, 0)
    return {
        "begin": lambda: recorder.begin(Op.SEND, 1, 1),
        "sending": lambda: recorder.begin_send(1, 1, False, options, 0, 1, 1, 1),
        "begin_like": lambda: recorder.begin_like(template, 200, 6, 10),
        "delivered": lambda: recorder.delivered(None, receiver, options, 1, 1, 0, 1, HEAD, (False, 1), 5),
        "delivered into a row": lambda: recorder.delivered(row, receiver, options, 1, 1, 0, 1, HEAD, (False, 1), 5, 5),
        "note": lambda: recorder.add(Op.CRASH, 1, 1, 5, 6),
        "end": lambda: recorder.end(row),
        "cut": lambda: recorder.end_unknown(row),
        "read": lambda: recorder.set_header(row, HEAD),
        "sent": lambda: recorder.end_send(row, 5, 1, HEAD),
        "ended_unit": lambda: recorder.set_unit(row, 5),
        "decided": lambda: recorder.end_decision(row, 1),
        "name": lambda: recorder.register("session", label="late"),
    }


# -- a recorder that takes no more -------------------------------------------------------------------------------------


def test_a_closed_recorder_refuses_every_call_and_what_it_wrote_stays(tmp_path):
    recorder = Recorder(tmp_path, SystemClock())
    row = recorder.begin(Op.SEND, 7, 1)
    recorder.close()
    left = content(tmp_path)
    for name, call in uses(recorder, row).items():
        with pytest.raises(RecorderClosed):
            call()
        assert content(tmp_path) == left, name
    assert len(np.load(tmp_path / "operations" / "00000.npy")) == 1


def test_a_recorder_without_room_keeps_what_it_has_and_takes_no_more(tmp_path, monkeypatch):
    recorder = Recorder(tmp_path, SystemClock())
    row = recorder.begin(Op.SEND, 7, 1)
    fill_the_disk(monkeypatch, rows=1)
    with pytest.raises(RecorderClosed):
        recorder.begin(Op.SEND, 8, 1)
    monkeypatch.undo()
    assert recorder.failure.strerror == "No space left on device"
    assert recorder.failure.filename == str(tmp_path / "operations" / "00001.npy")
    for call in uses(recorder, row).values():
        with pytest.raises(RecorderClosed):
            call()
    recorder.close()
    assert [path.name for path in (tmp_path / "operations").iterdir()] == ["00000.npy"]
    assert np.load(tmp_path / "operations" / "00000.npy")["session"][0] == 7


def test_an_object_that_finds_no_room_has_no_number(tmp_path):
    recorder = Recorder(tmp_path, SystemClock())
    recorder.register("session", label="first")
    objects = recorder._objects
    with Path("/dev/full").open("ab", buffering=0) as full:
        recorder._objects = full
        with pytest.raises(RecorderClosed):
            recorder.register("session", label="second")
    recorder._objects = objects
    assert recorder.failure.strerror == "No space left on device"
    recorder.close()
    assert len((tmp_path / "objects.ndjson").read_bytes().splitlines()) == 1


def test_a_part_never_replaces_another(tmp_path, monkeypatch):
    recorder = Recorder(tmp_path, SystemClock())
    other = tmp_path / "operations" / "00001.npy"
    other.write_bytes(b"precious")
    monkeypatch.setattr("tck.workload.recorder._SHIFT", 0)
    recorder.begin(Op.SEND, 1, 1)
    with pytest.raises(RecorderClosed):
        recorder.begin(Op.SEND, 1, 1)
    monkeypatch.undo()
    recorder.close()
    assert other.read_bytes() == b"precious"


class _Late(Actor):
    """Hangs in a call until after the recorder is closed, then goes on recording."""

    def __init__(self, shared):
        super().__init__(shared, "late", 0)
        self.hangs, self.goes_on = threading.Event(), threading.Event()

    def connect(self):
        return None

    def has_work(self):
        return True

    def work(self, link):
        row = self.recorder.begin(Op.SEND, 0, NONE)
        self.hangs.set()
        self.goes_on.wait(10)
        self.recorder.end(row)


def test_an_actor_that_returns_after_the_end_is_no_fault_of_the_kit(tmp_path):
    provider = open_provider(reference(), tmp_path)
    recorder = Recorder(tmp_path, SystemClock())
    shared = SharedState(provider, load_plan("steady"), recorder, seed=1, run="r", modern=True)
    actor = _Late(shared)
    actor.thread.start()
    assert actor.hangs.wait(10)
    recorder.close()
    left = content(tmp_path / "operations")
    actor.goes_on.set()
    actor.thread.join(10)
    assert not actor.thread.is_alive()
    assert (shared.trouble.fault, shared.phase) == (None, Phase.OVER)
    assert content(tmp_path / "operations") == left
    provider.close()


PARTING = """
[plan]
title = "Consumers that leave for good"
[[destination]]
name = "t"
kind = "topic"
[[producer]]
name = "p"
to = ["t"]
rate = 200
[[consumer]]
name = "c"
from = "t"
count = 4
subscription = "durable"
unsubscribe = 1.0
lifetime = [1, 6]
think = 5
"""


def test_a_subscription_outlives_an_unsubscribe_that_failed(tmp_path, monkeypatch):
    unsubscribe, calls = ReferenceSession.unsubscribe, count()

    def failing(session, name):
        if next(calls) % 2 == 0:
            raise JMSException("it may have happened")
        unsubscribe(session, name)

    monkeypatch.setattr(ReferenceSession, "unsubscribe", failing)
    ended = drive(tmp_path, PARTING, 200)
    assert ended.outcome.failures["JMSException"] > 3
    assert violations(ended) == {}


def test_a_subscription_that_was_opened_while_it_was_removed_is_not_forgotten(tmp_path):
    provider = open_provider(reference(), tmp_path)
    recorder = Recorder(tmp_path, SystemClock())
    plan = load_plan("shared-subscriptions")
    shared = SharedState(provider, plan, recorder, seed=1, run="r", modern=True)
    consumer = next(each for each in plan.consumers if each.subscription == "shared-durable")
    shared.create_destinations()
    destination = shared.destinations[consumer.source][0]

    def opened():
        return shared.subscription(destination, consumer, "s", None, NONE)

    subscription = opened()
    before = subscription.opened
    assert opened() is subscription
    assert not shared.subscription_removed(subscription, before)
    assert opened() is subscription
    assert shared.subscription_removed(subscription, subscription.opened)
    assert opened().end != subscription.end
    recorder.close()
    provider.close()


def test_what_is_over_stays_over(tmp_path):
    provider = open_provider(reference(), tmp_path)
    recorder = Recorder(tmp_path, SystemClock())
    shared = SharedState(provider, load_plan("steady"), recorder, seed=1, run="r", modern=True)
    shared.enter(Phase.WAITING)
    waited_for = shared.changed
    shared.provider_lost(OSError("gone"))
    assert waited_for.is_set()
    shared.enter(Phase.DRAINING)  # by an end that was on its way when the provider was lost
    assert shared.phase == Phase.OVER
    recorder.close()
    provider.close()


# -- a full disk -------------------------------------------------------------------------------------------------------


def fill_the_disk(monkeypatch, rows):
    """Have the recorder want a second part after some rows, a power of two, and find no room for it."""

    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("tck.workload.recorder._SHIFT", rows.bit_length() - 1)
    monkeypatch.setattr("tck.workload.recorder._MASK", rows - 1)
    monkeypatch.setattr("os.posix_fallocate", full)


def fill_it_later(monkeypatch, rows):
    begin = run_module.begin

    def begun(*given):
        begin(*given)
        real = Recorder.__init__

        def made(self, *rest):
            real(self, *rest)
            fill_the_disk(monkeypatch, rows)

        monkeypatch.setattr(Recorder, "__init__", made)

    monkeypatch.setattr(run_module, "begin", begun)


def test_a_disk_that_gets_full_is_named_and_what_was_recorded_is_judged_when_asked_for(tmp_path, monkeypatch, capsys):
    fill_it_later(monkeypatch, 256)
    words = ["workload", "run", "-p", "reference", "--plan", "steady", "--messages", "2000", "--out", str(tmp_path)]
    assert main(words) == Exit.KIT_ERROR
    message = capsys.readouterr().err
    assert "00001.npy: the bundle cannot be written: No space left on device; free some room" in message
    assert "fault of the kit" not in message
    (bundle,) = (tmp_path / "runs").iterdir()
    (part,) = PackedRun.open(bundle, allow_truncated=True).parts()
    assert np.count_nonzero(part["state"]) == 256
    assert main(["workload", "check", str(bundle), "--allow-truncated"]) in (0, Exit.NOTHING_JUDGED)


# -- ^C ----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("plan", ["steady", "transactions"])
def test_a_second_interrupt_leaves_what_was_recorded(tmp_path, plan):
    line, given = command(
        "run", "-p", "reference-realtime", "--plan", plan, "--duration", "60", "--out", str(tmp_path), cwd=ROOT
    )
    with subprocess.Popen(line, **given, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True) as process:
        deadline = time.monotonic() + 30
        while time.monotonic() < deadline and not busy(tmp_path):
            os.sched_yield()
        process.send_signal(signal.SIGINT)
        while "once more" not in process.stderr.readline():
            pass
        process.send_signal(signal.SIGINT)
        _, reported = process.communicate(timeout=60)
    assert (process.returncode, "fault" in reported) == (2, False)
    (bundle,) = (tmp_path / "runs").iterdir()
    assert not (bundle / "end.json").exists()
    rows = np.concatenate([np.load(path) for path in sorted((bundle / "operations").glob("*.npy"))])
    assert np.count_nonzero(rows["op"] == Op.DELIVER) > 100
    assert rows["state"][0] > 0
    done = tck("check", str(bundle), "--allow-truncated")
    assert done.returncode in (0, Exit.NOTHING_JUDGED), done.stdout + done.stderr


@pytest.mark.parametrize("end", ["whole", "full disk", "interrupts"])
def test_however_it_ends_the_margins_allow_for_a_clock_that_was_set(tmp_path, monkeypatch, end):
    def set_forward(recorder):
        recorder.drift = 2_000_000_000

    def interrupted(_):
        raise KeyboardInterrupt

    monkeypatch.setattr(Recorder, "watch_clock", set_forward)
    ways = {"whole": (nullcontext(), 40), "full disk": (pytest.raises(OSError, match="No space"), 2000)}
    stops, messages = ways.get(end, (pytest.raises(KeyboardInterrupt), 40))
    if end == "full disk":
        fill_it_later(monkeypatch, 256)
    options = Options("run", tmp_path / "run", 1, 20, messages, "3.1")
    show = {"show": interrupted} if end == "interrupts" else {}
    with stops:
        run_workload(reference(), load_plan("steady"), catalogue(), options, **show)
    about = PackedRun.open(tmp_path / "run", allow_truncated=True).about
    assert (about["margins"]["tolerance"], about["drift_ms"]) == (margins_of(reference()).tolerance + 2000, 2000)


def test_an_interrupt_while_judging_lets_it_finish(tmp_path, monkeypatch, capsys):
    judged = run_module.judge_trace

    def interrupted(*given):
        os.kill(os.getpid(), signal.SIGINT)
        return judged(*given)

    monkeypatch.setattr(run_module, "judge_trace", interrupted)
    words = ["workload", "run", "-p", "reference", "--plan", "steady", "--messages", "50", "--out", str(tmp_path)]
    assert main(words) == Exit.CONFORMANT
    assert "once more to leave at once" in capsys.readouterr().err
    (bundle,) = (tmp_path / "runs").iterdir()
    assert json.loads((bundle / "end.json").read_text())["exit"] == 0


def test_a_second_interrupt_while_judging_leaves_at_once(tmp_path, monkeypatch):
    def interrupted(*_):
        os.kill(os.getpid(), signal.SIGINT)
        os.kill(os.getpid(), signal.SIGINT)
        raise AssertionError("it did not leave")

    monkeypatch.setattr(run_module, "judge_trace", interrupted)
    words = ["workload", "run", "-p", "reference", "--plan", "steady", "--messages", "50", "--out", str(tmp_path)]
    assert main(words) == Exit.INTERRUPTED
    (bundle,) = (tmp_path / "runs").iterdir()
    assert not (bundle / "end.json").exists()
    monkeypatch.undo()
    assert main(["workload", "check", str(bundle), "--allow-truncated"]) == Exit.CONFORMANT
