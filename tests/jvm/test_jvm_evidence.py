"""The programs that profiles name as evidence, run on the brokers: each shows the deviation that it is named for.

Those of races may see nothing, so they only have to come to a judgement.
"""

import os
import shlex
import subprocess
import sys
import tomllib
import warnings
from pathlib import Path

import pytest

from tck.adapters.jvm.machine import find_java
from tck.adapters.opening import check_adapter
from tck.profile import AdapterError, load_profile

ROOT = Path(__file__).parents[2]
FEWEST = {
    "activemq5-jms11": 1,
    "openmq-direct": 8,
    "qpid-jms11": 12,
    "artemis-from-amqp": 4,
    "qpid-from-core": 1,
    "activemq5-on-artemis": 1,
    "rabbitmq": 2,
    "sqs": 15,
}  # they extend others by what an older release does


def python(*arguments, **environment):
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=ROOT,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=False,
        timeout=900,
    )


def run_programs(provider, *words):
    """Run programs of a provider with its jars, by a Java that it can run on; skipped where that or its broker's program is missing."""
    profile = load_profile(provider)
    try:
        check_adapter(profile)
        home = find_java(profile.adapter.settings["java"]).home
    except AdapterError as error:
        if "needs the program" not in str(error) and "needs Java" not in str(error):
            raise
        pytest.skip(str(error))
    jars = python("-m", "tck", "lock", "-p", provider, "--classpath").stdout.strip()
    return python("profiles/evidence/run.py", provider, *words, CLASSPATH=jars, JAVA_HOME=str(home))


@pytest.mark.slow
@pytest.mark.filterwarnings("default:shown at another try")
@pytest.mark.parametrize(
    "provider",
    [
        *("artemis", "openmq", "openmq-direct", "qpid", "activemq", "activemq5", "activemq5-jms11", "qpid-jms11"),
        *("artemis-from-amqp", "qpid-from-core", "activemq5-on-artemis", "rabbitmq", "sqs"),
    ],
)
@pytest.mark.usefixtures("jars")
def test_each_program_that_a_profile_names_shows_its_deviation(provider):
    ran = run_programs(provider)
    lines = ran.stdout.splitlines()
    for line in lines:
        if line.startswith("shown at another try: "):  # pytest lists it; a race of the broker does not fail the test
            warnings.warn(line, stacklevel=1)
    assert (ran.returncode, [line for line in lines if line.startswith("not seen: ")]) == (0, [])
    assert len([line for line in lines if line.startswith("shown: ")]) >= FEWEST.get(provider, 40)


def races():
    """Yield each program of a race, as `run.py` has them, with the providers for which profiles name it."""
    text = (ROOT / "profiles/evidence/run.py").read_text(encoding="utf-8")
    rare = {each.strip(' "') for each in text.partition("RARE = (")[2].partition(")")[0].split(",")}
    files = sorted((ROOT / "profiles/providers").glob("*.toml"))
    contents = [tomllib.loads(file.read_text(encoding="utf-8")) for file in files]
    tables = [table for content in contents for table in (content, *content.get("variant", {}).values())]
    declared = [each for table in tables for each in table.get("deviation", ())]
    calls = {tuple(shlex.split(each.get("evidence", ""))[:2]) for each in declared}
    return sorted((Path(call[0]).name, call[1]) for call in calls if call and Path(call[0]).name in rare)


@pytest.mark.slow
@pytest.mark.parametrize(("program", "provider"), races())
@pytest.mark.usefixtures("jars")
def test_each_program_of_a_race_comes_to_a_judgement(program, provider):
    tries = []
    for _ in range(3):  # the broker may close the connection of a race
        ran = run_programs(provider, program, "--rare")
        ends = {line.partition(" after ")[0] for line in ran.stdout.splitlines() if line.startswith("-- exit ")}
        if ends and ends <= {"-- exit 0", "-- exit 1"}:
            return
        tries.append(ran.stdout[-1000:])
    pytest.fail("\n".join(tries))


@pytest.fixture(scope="module", autouse=True)
def java(request):
    pytest.importorskip("jpype", reason="JPype is not installed: pip install 'jms-tck[jvm]'")
    try:
        find_java(17)
    except AdapterError as error:
        pytest.skip(str(error))
