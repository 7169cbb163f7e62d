"""Programs in Java on real brokers: they compile with javac, show the recorded fault, and do right where the other broker does."""

import os
import shutil
import sys
from pathlib import Path

import pytest
from reproduce_support import ROOT, Recorded, run, tck

from tck.record import Bundle
from tck.reports.read import load

CASES = ("3.4.8-2/topic/classic/auto", "3.8.1.1-17/queue/simplified/auto", "3.4.7-1/queue/classic/auto/overtaken")
"""Declared failures of Artemis: a header, a refused selector, and a listener on the provider's thread."""
NOT_OF_ACTIVEMQ = CASES[0]
"""A case of these that ActiveMQ does right."""


@pytest.fixture(scope="module", autouse=True)
def java():
    pytest.importorskip("jpype", reason="JPype is not installed: pip install 'jms-tck[jvm]'")
    if shutil.which("javac") is None:
        pytest.skip("there is no javac on the path: a JDK compiles the programs, a JRE does not")


@pytest.fixture(scope="module")
def artemis(tmp_path_factory) -> Recorded:
    folder = tmp_path_factory.mktemp("artemis")
    ended = tck("run", "-p", "artemis", "--no-report", "--seed", "1", "-n", "0", "--out", str(folder), *CASES)
    assert ended.code == 0, ended.err
    (bundle,) = (folder / "runs").iterdir()
    return Recorded(folder, load(Bundle.open(bundle)))


def jars(profile: str) -> str:
    return tck("lock", "-p", profile, "--classpath").out.strip()


def compiled(recorded: Recorded, case: str, profile: str, folder: Path) -> list[str]:
    """Write a program, compile it against the locked jars, and give the command that runs it."""
    made = tck(
        "reproduce", recorded.run.run.run, case, "--out", str(recorded.folder), "--to", str(folder), "-p", profile
    )
    assert made.code == 0, made.err
    source = Path(made.out.splitlines()[0])
    ended = run(
        "javac",
        "-nowarn",
        "-Xlint:-deprecation",
        "-XDsuppressNotes",
        "-proc:none",
        "-d",
        str(folder),
        "-cp",
        jars(profile),
        str(source),
    )
    assert (ended.code, ended.err) == (0, "")
    return ["java", "-cp", os.pathsep.join([str(folder), jars(profile)]), source.stem]


@pytest.mark.slow
@pytest.mark.parametrize("name", CASES)
def test_the_program_shows_the_recorded_fault(name, artemis, tmp_path):
    ended = run(*compiled(artemis, name, "artemis", tmp_path))
    assert (ended.code, ended.out.splitlines()[-1]) == (1, "as recorded: the provider has the fault")


@pytest.mark.slow
def test_the_same_calls_end_with_0_on_a_broker_that_does_right(artemis, tmp_path):
    ended = run(*compiled(artemis, NOT_OF_ACTIVEMQ, "activemq", tmp_path))
    assert (ended.code, ended.out.splitlines()[-1]) == (0, "right: the provider does not have the fault")


def test_python_is_written_for_a_provider_in_java_too(artemis, tmp_path):
    made = tck(
        "reproduce", artemis.run.run.run, CASES[0], "--out", str(artemis.folder), "--to", str(tmp_path), "--format", "python"
    )  # fmt: skip
    ended = run(sys.executable, made.out.splitlines()[0], cwd=ROOT)
    assert (ended.code, ended.out.splitlines()[-1]) == (1, "as recorded: the provider has the fault")


BY_RECIPE = """
[profile]
name = "mine"
title = "x"
[adapter]
kind = "jvm"
[adapter.settings]
java = 17
lock = "activemq"
coordinates = [
  "org.apache.activemq:activemq-broker:6.3.1",
  "org.apache.activemq:activemq-client:6.3.1",
  "org.apache.activemq:activemq-kahadb-store:6.3.1",
  "org.apache.activemq:activemq-jaas:6.3.1",
]
[adapter.settings.broker]
driver = "embedded"
url = "vm://mine?create=false"
class = "org.apache.activemq.broker.BrokerService"
properties = {{ brokerName = "mine", persistent = false, useJmx = false, dataDirectory = "{{work}}" }}
[adapter.settings.broker.create]
topic = [
  {{ new = "org.apache.activemq.command.ActiveMQTopic", arguments = ["{{name}}"], as = "topic" }},
  {{ on = "broker", call = "getDestination", arguments = [{{ object = "topic" }}] }},
]
[adapter.settings.factory]
{more}
[claims]
version = "3.1"
"""
BY_CLASS = """class = "org.apache.activemq.ActiveMQConnectionFactory"
arguments = ["{url}"]
properties = { "redeliveryPolicy.maximumRedeliveries" = -1 }"""
BY_STEPS = """object = "factory"
steps = [{ new = "org.apache.activemq.ActiveMQConnectionFactory", arguments = ["{url}"], as = "factory" }]
[adapter.settings.destinations]
topic = [{ on = "org.apache.activemq.command.ActiveMQDestination", call = "createDestination", arguments = ["{name}", { byte = 2 }] }]"""


@pytest.fixture(params=[BY_CLASS, BY_STEPS], ids=["destinations of a session", "destinations by recipe"])
def by_recipe(request, tmp_path) -> str:
    """Give a profile whose broker, factory and destinations are made by recipes."""
    (tmp_path / "mine.toml").write_text(BY_RECIPE.format(more=request.param))
    return str(tmp_path / "mine.toml")


def test_a_program_makes_broker_and_destinations_by_the_recipes_of_the_profile(by_recipe, artemis, tmp_path):
    ended = run(*compiled(artemis, NOT_OF_ACTIVEMQ, by_recipe, tmp_path))
    assert (ended.code, ended.out.splitlines()[-1]) == (0, "right: the provider does not have the fault")


def test_the_python_form_opens_a_provider_of_recipes(by_recipe, artemis, tmp_path):
    words = ("--out", str(artemis.folder), "--to", str(tmp_path), "--format", "python", "-p", by_recipe)
    made = tck("reproduce", artemis.run.run.run, NOT_OF_ACTIVEMQ, *words)
    ended = run(sys.executable, made.out.splitlines()[0], cwd=ROOT)
    assert (ended.code, ended.out.splitlines()[-1]) == (0, "right: the provider does not have the fault")
