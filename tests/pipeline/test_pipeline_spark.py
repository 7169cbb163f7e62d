"""The same answers on Spark: through files, through its shuffle, and for a small run without it."""

import numpy as np
import pytest
from pipeline_support import counted, found_in, hits_of, in_buckets, never, python, stored

from benchmarks.traces import Shape, Trace, generate
from tck.reports.pipeline import check as checking
from tck.reports.pipeline.check import Plan, check
from tck.reports.pipeline.errors import PartError
from tck.reports.pipeline.spark.file_plan import shares_of
from tck.reports.pipeline.store import Store

# Spark 4.0 leaves its own connections to Java open
pytestmark = pytest.mark.filterwarnings("ignore:unclosed <socket:ResourceWarning")


@pytest.mark.parametrize("plan", [Plan.FILES, Plan.SHUFFLE])
def test_spark_finds_what_one_process_finds(tmp_path, faulty, monkeypatch, cluster, plan):
    load, made = faulty
    rows = load.rows.take(np.random.default_rng(5).permutation(len(load.rows)))
    in_buckets(monkeypatch, len(rows) // 3)
    store = Store.make(tmp_path / "store")
    info = stored(store, Trace(rows, load.tables), part_rows=len(rows) // 3)
    assert len(info.parts) > 2
    checked = check(store, "R1", spark=cluster.judge, plan=plan)
    assert checked.plan == plan
    found = {name: (each.obligations, each.violations, each.undecided) for name, each in checked.properties.items()}
    assert found == counted(load)
    assert found_in(store) == hits_of(load)
    assert len(found_in(store)) > made > 40
    assert list((store.path / ".staging").iterdir()) == []


def test_only_a_large_run_starts_spark(tmp_path, monkeypatch):
    store = Store.make(tmp_path / "store")
    load = generate(Shape(rounds=2))
    stored(store, load)
    asked = []

    def spark(plan):
        asked.append(plan)
        return checking.judge_in_process

    assert check(store, "R1", spark=spark).plan == "here"
    assert asked == []
    monkeypatch.setattr(checking, "SMALL", len(load.rows) - 1)
    assert check(store, "R1", spark=spark, again=True).plan == "files"
    assert asked == [Plan.FILES]
    assert check(store, "R1", spark=never, again=True, plan=Plan.HERE).plan == "here"


@pytest.mark.parametrize("plan", [Plan.FILES, Plan.SHUFFLE])
def test_a_damaged_part_is_named_on_spark_too(tmp_path, cluster, plan):
    store = Store.make(tmp_path / "store")
    stored(store, generate(Shape(rounds=2)), part_rows=500)
    path = sorted((store.path / "ops" / "run=R1").glob("*.parquet"))[1]
    path.write_bytes(b"x" * path.stat().st_size)
    with pytest.raises(PartError, match="saw a damaged file") as caught:
        check(store, "R1", spark=cluster.judge, plan=plan)
    assert caught.value.path == path
    assert store.table("trace_verdict", "R1") == []
    assert list((store.path / ".staging").iterdir()) == []


def test_shares_get_smaller_and_leave_nothing_out():
    shares = shares_of(29, 2)
    assert [number for share in shares for number in share] == list(range(29))
    sizes = [len(share) for share in shares]
    assert sizes == sorted(sizes, reverse=True)
    assert sizes[0] == 8
    assert sizes[-3:] == [1, 1, 1]
    assert shares_of(3, 16) == [range(1), range(1, 2), range(2, 3)]


SLOW = """
import sys
from pathlib import Path
from tck.reports.pipeline.check import Plan, check
from tck.reports.pipeline.spark import cluster, file_plan
from tck.reports.pipeline.store import Store

def broken(job, part):
    raise SystemExit("a task went wrong")
file_plan._session_to_file = broken
with cluster.Cluster("local[1]") as spark:
    check(Store.open(Path(sys.argv[1])), "R1", spark=spark.judge, plan=Plan.FILES)
print("checked")
"""


@pytest.mark.slow
def test_a_task_that_fails_ends_the_check_and_spark(tmp_path, cluster):
    del cluster  # there is a Java
    store = Store.make(tmp_path / "store")
    stored(store, generate(Shape(rounds=2)), part_rows=500)
    done = python("-c", SLOW, str(store.path))
    assert (done.returncode, done.stdout) == (1, ""), done.stderr
    assert "a task went wrong" in done.stderr
