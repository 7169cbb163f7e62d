"""Several processes that write to one store: one after the other, whatever they do, and a run is there whole or not at all."""

import os
import subprocess
import sys

import pytest
from pipeline_support import ROOT, described, never, stored

from benchmarks.traces import Shape, generate
from reports.pipeline import check as checking
from reports.pipeline import lock
from reports.pipeline.check import check
from reports.pipeline.columns import CHECKED
from reports.pipeline.errors import StoreError
from reports.pipeline.ingest import Content, write_run
from reports.pipeline.lock import locked
from reports.pipeline.store import Store
from tck.check import Margins

WRITER = """
import sys
from pathlib import Path
sys.path[:0] = [{tests!r}]
from pipeline_support import never, stored
from benchmarks.traces import Shape, generate
from reports.pipeline.check import check
from reports.pipeline.errors import PartError, StoreError
from reports.pipeline.store import Store
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
    with locked(store.path), pytest.raises(StoreError, match="expected the other writer of this store to end"):
        stored(store, generate(Shape(rounds=1)), "R2")
    assert store.runs() == ("R1",)
    stored(store, generate(Shape(rounds=1)), "R2")
    assert store.runs() == ("R1", "R2")


def test_a_run_that_another_put_there_meanwhile_stays(store):
    load = generate(Shape(rounds=1))
    content = Content(lambda: [load.rows], lambda: load.tables, list)
    stamp = (store.path / "runs" / "R1.json").stat().st_mtime_ns
    write_run(store, described("R1"), content, digest="sha256:R1", margins=Margins(), again=False)
    with pytest.raises(StoreError, match=r"another run of the name R1.*--again"):
        write_run(store, described("R1"), content, digest="sha256:other", margins=Margins(), again=False)
    assert (store.path / "runs" / "R1.json").stat().st_mtime_ns == stamp


def test_what_was_found_of_a_run_that_was_replaced_meanwhile_is_not_kept(store, monkeypatch):
    here = checking.check_here

    def replaced(job, parts):
        answer = here(job, parts)
        stored(store, generate(Shape(rounds=1)), started="2026-11-22T00:00:00+00:00")
        return answer

    monkeypatch.setattr(checking, "check_here", replaced)
    with pytest.raises(StoreError, match="saw another one in its place"):
        check(store, "R1", spark=never)
    assert not store.marker("R1").exists()
    assert [store.table(table, "R1") for table in CHECKED] == [[], []]
