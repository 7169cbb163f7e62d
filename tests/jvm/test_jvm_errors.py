"""What is wrong with a Java provider before anything starts: one message on the command line, and the exit code of usage."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tck.adapters.jvm.classpath import check_classes
from tck.adapters.jvm.settings import Place, read_settings
from tck.profile import AdapterError

pytest.importorskip("jpype", reason="JPype is not installed: pip install 'jms-tck[jvm]'")
ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module", autouse=True)
def downloaded(jars):
    """Messages are counted here, and a download is announced by one."""


def tck(*arguments, cwd, **environment):
    return subprocess.run(
        [sys.executable, "-m", "tck", *arguments],
        cwd=cwd,
        env={**os.environ, "PYTHONPATH": str(ROOT), **environment},
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )


WRONG = {
    "no Java that fits": ("java=99", r"the provider needs Java 99 or newer, and there is none: "),
    "no such class": ('factory={class="org.example.Nothing"}', "there is no Java class org.example.Nothing in the"),
    "another namespace": ('namespace="javax"', "settings.namespace: there is no Java class javax.jms.Message in the"),
    "no such driver": ('broker={driver="rocket"}', 'settings.broker.driver: no driver "rocket"; the kit has activemq,'),
    "no such program": (
        'broker={driver="process", command=["x"], needs={"/no/such"="install it"}}',
        "settings.broker.needs: the broker needs the program /no/such, and there is none: install it",
    ),
    "no such key": ('broker={driver="activemq", speed=3}', 'settings.broker.speed: unknown to the driver "activemq"'),
}


@pytest.mark.parametrize("workers", ["0", "2"])
@pytest.mark.parametrize("wrong", WRONG)
def test_a_run_says_in_one_message_what_is_wrong(wrong, workers, tmp_path):
    setting, message = WRONG[wrong]
    done = tck("run", "-p", "activemq", "--setting", setting, "-n", workers, "3.4.8-1/*", cwd=tmp_path)
    assert done.returncode == 4, done.stdout + done.stderr
    said = [line for line in (done.stdout + done.stderr).splitlines() if line.strip()]
    assert len(said) == 1, said
    assert message in said[0]


def test_an_unreachable_repository_ends_a_run_in_one_message(tmp_path):
    repository = {"TCK_MAVEN_REPOSITORY": "http://127.0.0.1:9/maven", "TCK_CACHE": str(tmp_path / "cache")}
    done = tck("run", "-p", "activemq", "-n", "0", "3.4.8-1/*", cwd=tmp_path, **repository)
    assert done.returncode == 4, done.stdout + done.stderr
    said = [line for line in (done.stdout + done.stderr).splitlines() if line.strip()]
    assert [line for line in said if "cannot be reached" in line] == said[1:]
    assert said[0].startswith("tck: downloading 13 of 13 files")


GONE = {
    "nobody listens": (
        'broker={driver="url", url="tcp://127.0.0.1:9"}',
        "cannot be connected to at tcp://127.0.0.1:9: JMSException",
    ),
    "the command ends": (
        'broker={driver="process", command=["false"]}',
        "the broker's command ['false'] ended by itself",
    ),
    "no such command": ('broker={driver="process", command=["/no/such"]}', "['/no/such'] cannot be started: [Errno 2]"),
}


@pytest.mark.slow
@pytest.mark.parametrize("wrong", GONE)
def test_a_broker_that_is_not_there_is_unreachable(wrong, tmp_path):
    setting, message = GONE[wrong]
    done = tck("run", "-p", "artemis", "--setting", setting, "-n", "0", "3.4.8-1/*", "--no-report", cwd=tmp_path)
    assert done.returncode == 6, done.stdout + done.stderr
    assert message in " ".join(done.stdout.split()), "over several lines, as wide as the terminal"
    assert "violation" not in done.stdout
    assert done.stderr == ""
    examined = tck("doctor", "-p", "artemis", "--setting", setting, cwd=tmp_path)
    assert examined.returncode == 6
    assert "FAIL  open " in examined.stdout
    assert message in examined.stdout


def test_doctor_tells_the_same_and_takes_settings(tmp_path):
    done = tck("doctor", "-p", "activemq", "--setting", "java=99", cwd=tmp_path)
    assert done.returncode == 4, done.stdout + done.stderr
    assert "FAIL  adapter   the provider needs Java 99 or newer" in done.stdout
    lacking = tck("doctor", "-p", "activemq", "--setting", WRONG["no such program"][0], cwd=tmp_path)
    assert lacking.returncode == 4
    assert re.search(f"FAIL  adapter   .*{WRONG['no such program'][1]}", lacking.stdout)
    refused = tck("doctor", "-p", "activemq", "--setting", "java", cwd=tmp_path)
    assert (refused.returncode, refused.stdout) == (4, "")
    assert refused.stderr.startswith("tck: --setting java: expected KEY=VALUE")


def test_classes_are_found_in_directories_too(tmp_path):
    for name in ("jakarta/jms/Message", "org/example/Factory"):
        file = tmp_path / "classes" / f"{name}.class"
        file.parent.mkdir(parents=True)
        file.touch()
    place = Place("mine", tmp_path / "mine.toml")
    settings = {"jars": ["classes"], "factory": {"class": "org.example.Factory", "xa_class": "java.lang.Object"}}
    check_classes(read_settings(settings, place), place, [tmp_path / "classes"])
    with pytest.raises(
        AdapterError, match=r"settings\.destinations\.queue: there is no Java class org\.example\.Queue"
    ):
        check_classes(
            read_settings(settings | {"destinations": {"queue": "org.example.Queue"}}, place),
            place,
            [tmp_path / "classes"],
        )


RAISING = """
[profile]
name = "mine"
title = "x"
extends = "artemis"
[adapter.settings.destinations]
queue = [{ on = "java.util.Optional", call = "empty", as = "none" }, { on = "none", call = "orElseThrow" }]
topic = [{ on = "java.lang.Integer", call = "parseInt", arguments = ["one"] }]
"""


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("doctor",), "saw java.util.NoSuchElementException: No value present"),
        (("run", "3.4.8-2/topic/*", "-n", "0", "--no-report"), "NumberFormatException: For input string"),
    ],
    ids=["doctor", "run"],
)
def test_what_a_recipe_of_destinations_raises_in_java_is_named_once(words, said, tmp_path):
    (tmp_path / "mine.toml").write_text(RAISING)
    done = tck(*words, "-p", "mine.toml", cwd=tmp_path)
    assert said in done.stdout
    assert not re.search(r"java\.\w+\.java\.|(java\.\S+): \1", done.stdout)


def test_a_recipe_of_the_factory_that_raises_is_a_mistake_of_the_profile(tmp_path):
    (tmp_path / "mine.toml").write_text(RAISING.partition("[adapter")[0])
    steps = 'factory={object="x", steps=[{on="java.lang.Integer", call="parseInt", arguments=["one"], as="x"}]}'
    done = tck("doctor", "-p", "mine.toml", "--setting", steps, cwd=tmp_path)
    assert done.returncode == 4
    assert 'factory.steps, step 1: raised java.lang.NumberFormatException: For input string: "one"' in done.stdout
