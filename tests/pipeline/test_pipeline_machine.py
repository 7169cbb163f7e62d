"""Spark's Java machine, started without Spark's scripts: as those would start it, or else by them."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from pipeline_support import ROOT, output_of

from tck.reports.pipeline import machine
from tck.reports.pipeline.java import archive_of, configured, driver_options, find_java, spark_home
from tck.reports.pipeline.machine import start_machine

pytest.importorskip("pyspark", reason="the extra `spark` is not installed")
pytestmark = pytest.mark.skipif(os.name != "posix", reason="scripts start the machine on this platform")

STARTED = """
import json, os, subprocess, sys
from pathlib import Path
from tck.reports.pipeline.context import start_context
context = start_context("local[2]")
java = context._gateway.proc.pid
seeds = context.parallelize(range(2), 2).map(lambda _: os.environ["PYTHONHASHSEED"]).collect()
try:
    command = Path(f"/proc/{java}/cmdline").read_text().replace(chr(0), " ")
except OSError:
    command = subprocess.run(["ps", "-ww", "-o", "args=", "-p", str(java)], capture_output=True, text=True).stdout
left = [name for name in os.environ if "GATEWAY" in name]
print(json.dumps([command, seeds, os.getpgid(java) == os.getpgid(0), left]), flush=True)
sys.stdin.read()
"""
OWN, SCRIPTS = "org.apache.spark.api.python.PythonGatewayServer", "org.apache.spark.deploy.SparkSubmit"


def words(**variables):
    left_out = ("SPARK_", "PYSPARK_", "PYTHONHASHSEED")  # tox sets the last, and PySpark hands it on to its workers
    kept = {name: value for name, value in os.environ.items() if not name.startswith(left_out)}
    return {**kept, "PYTHONPATH": str(ROOT), **variables}


def started(**variables):
    """Start Spark in a process of its own; give what it tells."""
    return output_of(STARTED, environment=words(**variables))


def asked(java):
    return machine._asked(java, spark_home(), Path(os.devnull) / "none")


@pytest.fixture
def java(cluster, tmp_path, monkeypatch):
    del cluster  # there is a Java
    monkeypatch.setenv("TCK_CACHE", str(tmp_path / "cache"))
    for name in [each for each in os.environ if each.startswith(("SPARK_", "PYSPARK_"))]:
        monkeypatch.delenv(name)
    found = find_java()
    claim = archive_of(found).with_suffix(".claim")
    claim.parent.mkdir(parents=True)
    claim.touch()  # else each machine would leave an archive, for seconds
    return found


def test_the_machine_is_called_as_sparks_scripts_call_it(java):
    command, seeds, same_group, left = started()
    said, variables = asked(java)
    at = said.index(SCRIPTS)
    assert said[at:] == [SCRIPTS, "pyspark-shell"]
    assert all(word in command.split() for word in said[:at] if word != "-Xmx1g")
    assert command.split()[-1] == OWN
    assert [word for word in command.split() if word.startswith("-Xmx")][-1] == "-Xmx2g"
    assert variables["PYTHONHASHSEED"] == "0"
    assert seeds == ["0", "0"]
    assert not same_group, "^C would end it before what it does is told"
    assert not left


def test_scripts_are_asked_once(java, monkeypatch):
    calls = []
    monkeypatch.setattr(machine.subprocess, "run", lambda *_, **__: calls.append(1) or pytest.fail("asked again"))
    monkeypatch.setattr(machine, "Machine", lambda words, environment: (words, environment))
    kept = archive_of(java).with_suffix(".json")
    kept.write_text(json.dumps([["-cp", "x", "--add-opens=a", SCRIPTS, "pyspark-shell"], {"SPARK_VERSION": "1"}]))
    called, environment = start_machine(java, "local[2]", ["-Xmx2g"])
    assert called == [str(java / "bin" / "java"), "-cp", "x", "--add-opens=a", "-Xmx2g", OWN]
    assert environment["SPARK_VERSION"] == "1"
    assert not calls


@pytest.mark.parametrize("kept", ["", "{", "[]", "[[], {}]", '[["a"], {}]', f'[["{SCRIPTS}", 1], {{}}]', "null"])
def test_a_damaged_answer_is_asked_for_again(java, kept, monkeypatch):
    monkeypatch.setattr(machine, "Machine", lambda words, _: words)
    path = archive_of(java).with_suffix(".json")
    path.write_text(kept)
    called = start_machine(java, "local[2]", [])
    assert called[-1] == OWN
    assert "-cp" in called
    assert json.loads(path.read_text()) == list(asked(java))
    assert {each.name for each in path.parent.iterdir()} == {path.name, path.with_suffix(".claim").name}


@pytest.mark.parametrize(
    ("variables", "archive"),
    [
        ({"SPARK_CONF_DIR": "/etc/spark"}, False),
        ({"SPARK_HOME": "/opt/spark"}, False),
        ({"PYSPARK_SUBMIT_ARGS": "--jars a.jar pyspark-shell"}, False),
        ({"HADOOP_CONF_DIR": "/etc/hadoop"}, False),
        ({"SPARK_DIST_CLASSPATH": "/opt/hadoop/*"}, False),
        ({"SPARK_DRIVER_MEMORY": "8g"}, True),
        ({"HADOOP_USER_NAME": "me"}, True),
        ({"PYSPARK_GATEWAY_PORT": "1"}, True),
    ],
)
def test_who_has_configured_spark_gets_what_was_configured(tmp_path, java, variables, archive, monkeypatch):
    assert configured(tmp_path, variables)
    assert not configured(tmp_path, {"SPARK_HOME": str(tmp_path), "SPARK_LOCAL_DIRS": "/big", "PATH": "/bin"})
    archive_of(java).write_bytes(b"sound")
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    assert start_machine(java, "local[2]", []) is None
    used = [option for option in driver_options(java, heavy=True) if option.startswith("-XX:SharedArchiveFile=")]
    assert bool(used) == archive, "no archive holds classes that come from elsewhere"


def test_a_folder_of_configuration_counts(tmp_path):
    assert not configured(tmp_path, {})
    (tmp_path / "conf").mkdir()
    assert configured(tmp_path, {})


def test_scripts_start_what_somebody_configured(java, tmp_path):
    del java
    (tmp_path / "spark-defaults.conf").write_text("spark.app.name told\n")
    command, *_ = started(SPARK_CONF_DIR=str(tmp_path))
    assert SCRIPTS in command.split()


def test_another_master_is_left_to_scripts(java):
    assert start_machine(java, "spark://host:7077", []) is None


def test_a_machine_that_does_not_come_up_is_left_to_scripts(java):
    said, variables = asked(java)
    kept = archive_of(java).with_suffix(".json")
    kept.write_text(json.dumps([["-Xms9g", *said], variables]))
    command, seeds, *_ = started()
    assert SCRIPTS in command.split()
    assert seeds == ["0", "0"]


def test_scripts_that_say_nothing_of_use_are_left_alone(java, monkeypatch):
    monkeypatch.setattr(machine, "_TELL", "print('no')")
    assert start_machine(java, "local[2]", []) is None
    assert not archive_of(java).with_suffix(".json").exists()


def test_the_machine_ends_with_the_process_that_started_it(java):
    del java
    parent = subprocess.Popen(
        [sys.executable, "-c", STARTED.replace("print(json.dumps([", "print(json.dumps([java, ")],
        env=words(),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    with parent:
        pid = json.loads(parent.stdout.readline())[0]
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
    try:  # nobody may be there to bury it
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        done = subprocess.run(["ps", "-o", "stat=", "-p", str(pid)], capture_output=True, text=True, check=False)
        state = done.stdout.strip()
    return not state.startswith("Z")
