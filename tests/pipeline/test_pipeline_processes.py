"""What the processes of a check load and keep: no pandas, the PySpark that is installed, and the memory of the task before."""

import platform
from pathlib import Path

import pytest
from pipeline_support import output_of, python, stored

from benchmarks.traces import Shape, generate
from tck.reports.pipeline.check import Plan
from tck.reports.pipeline.store import Store

pyspark = pytest.importorskip("pyspark", reason="the extra `spark` is not installed")
pytest.importorskip("pandas", reason="the extra `spark` is not installed")

CHECK = """
import json, sys
from pathlib import Path
from tck.reports.pipeline.check import Plan, check
from tck.reports.pipeline.spark import Cluster
from tck.reports.pipeline.store import Store

with Cluster("local[2]") as cluster:
    if sys.argv[2] != Plan.HERE.value:
        cluster.start()  # else so small a run is through before it is there
    done = check(Store.open(Path(sys.argv[1])), "R1", spark=cluster.judge, plan=Plan(sys.argv[2]), told=0)
    print(json.dumps({"plan": str(done.plan), "spark": "pyspark" in sys.modules, "pandas": "pandas" in sys.modules}))
"""


@pytest.mark.parametrize(("plan", "spark"), [(Plan.HERE, False), (Plan.FILES, True)])
def test_a_check_loads_no_pandas(tmp_path, cluster, plan, spark):
    del cluster  # what it needs, a Java above all, is here
    store = Store.make(tmp_path / "store")
    stored(store, generate(Shape(rounds=2)))
    assert output_of(CHECK, str(store.path), plan.value) == {"plan": plan.value, "spark": spark, "pandas": False}


WORKERS = """import json, sys
from tck.reports.pipeline.context import start_context
def loaded(task):
    import pyspark
    return pyspark.__file__, "pandas" in sys.modules, "tck.reports.pipeline.tasks" in sys.modules
context = start_context("local[2]")
print(json.dumps(context.parallelize(range(2), 2).map(loaded).collect()))
context.stop()
"""


def test_workers_are_of_the_pyspark_that_is_installed_and_load_no_pandas(cluster):
    del cluster
    told = output_of(WORKERS)
    assert told == [[pyspark.__file__, False, True]] * 2
    assert not Path(told[0][0]).match("*.zip/*")


INTERRUPTED = """
import os, signal, threading
from tck.reports.pipeline.spark import Cluster
signal.signal(signal.SIGINT, signal.default_int_handler)  # whoever starts us in the background has it ignored
try:
    with Cluster("local[2]") as cluster:
        context = cluster.start()
        threading.Timer(1, os.kill, (os.getpid(), signal.SIGINT)).start()
        context._jvm.java.lang.Thread.sleep(60_000)
except KeyboardInterrupt:
    print("true")
"""


def test_an_interrupt_while_java_works_is_told_by_nobody_but_the_command(cluster):
    del cluster
    done = python("-c", INTERRUPTED)
    assert (done.returncode, done.stdout) == (0, "true\n"), done.stderr
    assert "KeyboardInterrupt" not in done.stderr
    assert "Traceback" not in done.stderr


ARRAYS = """
import json, resource, sys
import numpy as np
from tck.reports.pipeline.memory import keep_memory
if sys.argv[1] == "keep":
    keep_memory()
def task():
    return sum(each.sum() for each in [np.ones(1 << 20) for _ in range(10)])
task()
before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
for _ in range(20):
    task()
print(json.dumps(resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before))
"""


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="another C library keeps memory in its own way")
def test_arrays_of_a_task_take_the_memory_of_the_one_before():
    kept, fetched = output_of(ARRAYS, "keep"), output_of(ARRAYS, "leave")
    assert fetched > 400, "else this shows nothing"
    assert kept < fetched / 10
