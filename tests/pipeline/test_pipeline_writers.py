"""Several processes at one store: who writes does so alone, whatever the others do, and a run is there whole or not at all."""

import os
import subprocess
import sys
import threading
from dataclasses import replace
from pathlib import Path

import pytest
from pipeline_support import ROOT, described, never, stored

from benchmarks.traces import Shape, generate
from tck.check import Margins
from tck.reports import earlier_runs
from tck.reports.pipeline import check as checking
from tck.reports.pipeline import lock
from tck.reports.pipeline.check import check
from tck.reports.pipeline.errors import NoRoomError, StoreError
from tck.reports.pipeline.ingest import RunContent, write_run
from tck.reports.pipeline.lock import locked
from tck.reports.pipeline.store import Store
from tck.reports.pipeline.store_columns import CHECKED

WRITER = """
import sys
from pathlib import Path
sys.path[:0] = [{tests!r}]
from pipeline_support import never, stored
from benchmarks.traces import Shape, generate
from tck.reports.pipeline.check import check
from tck.reports.pipeline.errors import PartError, StoreError
from tck.reports.pipeline.store import Store
store, load = Store.open(Path({store!r})), generate(Shape(rounds=1))
for number in range(25):
    stored(store, load)
    if {checks}:
        try:
            check(store, "R1", spark=never, again=True)
        except (PartError, StoreError):
            pass  # the other one replaced the run meanwhile
"""


@pytest.fixture
def store(tmp_path):
    made = Store.make(tmp_path / "store")
    stored(made, generate(Shape(rounds=1)))
    return made


@pytest.mark.slow
@pytest.mark.parametrize("checks", [False, True])
def test_writers_of_one_run_do_not_collide(store, checks):
    program = WRITER.format(tests=str(ROOT / "tests" / "pipeline"), store=str(store.path), checks=checks)
    writers = [
        subprocess.Popen(
            [sys.executable, "-c", program],
            env={**os.environ, "PYTHONPATH": str(ROOT)},
            stderr=subprocess.PIPE,
            text=True,
        )
        for _ in range(3)
    ]
    said = [writer.communicate(timeout=240)[1] for writer in writers]
    assert [writer.returncode for writer in writers] == [0, 0, 0], said
    assert list((store.path / ".staging").iterdir()) == []
    assert len(check(store, "R1", spark=never, again=True).verdicts) > 10


def test_a_writer_waits_for_the_other_and_not_for_ever(store, monkeypatch):
    monkeypatch.setattr(lock, "WAIT", 0.1)
    with locked(store.path), pytest.raises(StoreError, match="expected the other command on this store to end"):
        stored(store, generate(Shape(rounds=1)), "R2")
    assert store.runs() == ("R1",)
    stored(store, generate(Shape(rounds=1)), "R2")
    assert store.runs() == ("R1", "R2")


def test_a_run_that_another_put_there_meanwhile_stays(store):
    load = generate(Shape(rounds=1))
    content = RunContent(lambda: [load.rows], lambda: load.tables, list)
    stamp = (store.path / "runs" / "R1.json").stat().st_mtime_ns
    write_run(store, described("R1"), content, digest="sha256:R1", margins=Margins(), again=False)
    with pytest.raises(StoreError, match=r"another run with the name R1.*--again"):
        write_run(store, described("R1"), content, digest="sha256:other", margins=Margins(), again=False)
    assert (store.path / "runs" / "R1.json").stat().st_mtime_ns == stamp


def test_what_was_found_of_a_run_that_was_replaced_meanwhile_is_not_kept(store, monkeypatch):
    here = checking.judge_in_process

    def replaced(job, parts):
        answer = here(job, parts)
        stored(store, generate(Shape(rounds=1)), started="2026-11-22T00:00:00+00:00")
        return answer

    monkeypatch.setattr(checking, "judge_in_process", replaced)
    with pytest.raises(StoreError, match="saw that it was replaced"):
        check(store, "R1", spark=never)
    assert not store.marker("R1").exists()
    assert [store.table(table, "R1") for table in CHECKED] == [[], []]


# -- readers -----------------------------------------------------------------------------------------------------


class Reader:
    """Reads in a thread, begun in the midst of a swap; `begin` returns when it has read or waits for the writer."""

    def __init__(self, monkeypatch, read):
        self.read, self.seen, self.waited = read, [], False
        self.thread = threading.Thread(target=self.run)
        self.come = threading.Event()
        pause = lock.time.sleep
        monkeypatch.setattr(lock.time, "sleep", lambda seconds: (self.wait(), pause(seconds)))

    def wait(self):
        self.waited = True
        self.come.set()

    def run(self):
        try:
            self.seen.append(self.read())
        except Exception as error:  # noqa: BLE001 - shown by what compares
            self.seen.append(error)
        self.come.set()

    def begin(self):
        self.thread.start()
        assert self.come.wait(30)

    def end(self):
        self.thread.join(30)
        (seen,) = self.seen
        return seen


def midway(monkeypatch, owner, name, do):
    """Do something right after the first call of a method."""
    original, done = getattr(owner, name), []

    def call(*given, **named):
        result = original(*given, **named)
        if not done:
            done.append(None)
            do()
        return result

    monkeypatch.setattr(owner, name, call)


def current(store):
    """Give a run to be held against those of the store."""
    (origin,) = earlier_runs.origins(store.path)
    return replace(origin, run="later", at="2027-01-01T00:00:00+00:00")


@pytest.mark.parametrize(
    "read",
    [
        lambda store, _: store.runs(),
        lambda store, _: (store.run("R1").run,),
        lambda store, _: tuple(row["verdict"] for row in store.table("verdict", "R1")),
        lambda store, now: tuple(each.run for each in earlier_runs.snapshot_before(store.path, now).origins),
    ],
    ids=["runs", "run", "table", "gate"],
)
def test_a_reader_sees_a_run_that_is_being_replaced(store, monkeypatch, read):
    now = current(store)
    before = read(store, now)
    reader = Reader(monkeypatch, lambda: read(store, now))
    midway(monkeypatch, Store, "withdraw", reader.begin)
    stored(store, generate(Shape(rounds=1)))
    assert reader.end() == before
    assert reader.waited


def test_a_reader_sees_what_was_found_while_it_is_being_replaced(store, monkeypatch):
    check(store, "R1", spark=never)
    before = store.table("trace_verdict", "R1")
    reader = Reader(monkeypatch, lambda: store.table("trace_verdict", "R1"))
    midway(monkeypatch, Path, "unlink", reader.begin)
    check(store, "R1", spark=never, again=True)
    assert reader.end() == before


def test_a_writer_waits_for_those_who_read(store, monkeypatch):
    monkeypatch.setattr(lock, "WAIT", 0.1)
    with store.unchanged(), store.unchanged(), pytest.raises(StoreError, match="expected the other command on this"):
        stored(store, generate(Shape(rounds=1)))
    stored(store, generate(Shape(rounds=1)))


def test_a_copy_that_can_only_be_read_needs_no_lock(store):
    (store.path / ".lock").unlink()
    assert store.runs() == ("R1",)
    assert not (store.path / ".lock").exists()


def test_no_room_for_what_tells_of_a_run_leaves_the_run_that_was(store, monkeypatch):
    def full(path, content):
        raise NoRoomError("expected room", path=path, todo="Make some")

    monkeypatch.setattr("tck.reports.pipeline.store.write_json", full)
    with pytest.raises(NoRoomError):
        stored(store, generate(Shape(rounds=2)))
    monkeypatch.undo()
    assert len(check(store, "R1", spark=never).verdicts) > 10


def test_a_run_that_is_replaced_while_it_is_judged_is_no_damage(store, monkeypatch):
    midway(monkeypatch, checking, "digests", lambda: stored(store, generate(Shape(rounds=3))))
    with pytest.raises(StoreError, match=r"saw that it was replaced.*Check it again"):
        check(store, "R1", spark=never)
