"""The adapter on real brokers, each in a process of its own: inside.py is what runs there."""

import contextlib
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tck.adapters.jvm.brokers import free_port
from tck.adapters.jvm.machine import find_java
from tck.profile import AdapterError

ROOT = Path(__file__).parents[2]


def why_not():
    pytest.importorskip("jpype", reason="JPype is not installed: pip install 'jms-tck[jvm]'")
    try:
        find_java(17)
    except AdapterError as error:
        return str(error)
    return ""


@pytest.fixture(scope="module", autouse=True)
def java(request):
    reason = why_not()
    if reason:
        pytest.skip(reason)
    request.getfixturevalue("jars")


def run(*arguments, **environment):
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=ROOT,
        env={**os.environ, **environment, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"},
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )


INSIDE = ("tests/jvm/inside.py", "tests/jvm/inside_faults.py")


@pytest.mark.slow
@pytest.mark.parametrize("profile", ["artemis", "activemq", "activemq5", "activemq5-jms11", "openmq", "openmq-direct"])
def test_the_adapter_works_on(profile):
    done = run("-m", "pytest", "-q", *INSIDE, JVM_PROFILE=profile)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stderr == "", "neither Java nor the broker writes where errors belong"


RESTARTS = """
import sys
from pathlib import Path
from tck.adapters.opening import open_provider
from tck.profile import load_profile
work_dir = Path(sys.argv[2])
work_dir.mkdir()
provider = open_provider(load_profile(sys.argv[1]), work_dir)
queue = provider.create_queue("q")
print("open", flush=True)
for number in range(3):
    sys.stdin.readline()
    with provider.connection_factory().create_connection() as connection:
        session = connection.create_session()
        session.create_producer(queue).send(session.create_text_message(str(number)))
    provider.restart()
    with provider.connection_factory().create_connection() as connection:
        connection.start()
        print(connection.create_session().create_consumer(queue).receive(10_000).text, flush=True)
provider.close()
"""


@pytest.mark.slow
@pytest.mark.parametrize("profile", ["artemis", "artemis-process", "activemq", "openmq", "openmq-process"])
def test_two_processes_restart_their_brokers_at_once(profile, tmp_path):
    with contextlib.ExitStack() as stack:
        pair = [
            stack.enter_context(
                subprocess.Popen(
                    [sys.executable, "-c", RESTARTS, profile, str(tmp_path / name)],
                    cwd=ROOT,
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    text=True,
                    bufsize=1,
                )
            )
            for name in "ab"
        ]
        assert [each.stdout.readline() for each in pair] == ["open\n"] * 2
        for number in range(3):
            for each in pair:
                each.stdin.write("restart\n")
            assert [each.stdout.readline() for each in pair] == [f"{number}\n"] * 2
        assert [each.wait(60) for each in pair] == [0, 0]


OVER_TCP = """
[profile]
name = "{name}"
title = "x"
extends = "{name}"
[adapter.settings.broker]
driver = "{name}"
port = {port}
{more}
"""


@pytest.mark.slow
@pytest.mark.parametrize(("name", "more"), [("artemis", 'protocol = "tcp"'), ("activemq", "")])
def test_a_connection_over_tcp_is_severed_too(name, more, tmp_path):
    profile = tmp_path / "mine.toml"
    profile.write_text(OVER_TCP.format(name=name, port=free_port(), more=more), encoding="utf-8")
    done = run("-m", "pytest", "-q", *INSIDE, "-k", "severed", JVM_PROFILE=str(profile))
    assert done.returncode == 0, done.stdout + done.stderr
    assert "3 passed" in done.stdout


WRONG = """
import sys
from pathlib import Path
from tck.adapters.opening import open_provider
from tck.profile import AdapterError, load_profile
for name in sys.argv[1:]:
    work_dir = Path(name).with_suffix("")
    work_dir.mkdir()
    try:
        open_provider(load_profile(name), work_dir).close()
        print("opened", name)
    except AdapterError as error:
        print(str(error).splitlines()[0])
"""
PROFILE = """
[profile]
name = "{name}"
title = "x"
extends = "activemq"
[adapter.settings]
{settings}
"""


@pytest.mark.slow
def test_what_is_wrong_in_a_profile_is_reported_in_one_sentence(tmp_path):
    wrong = {
        "factory": '[adapter.settings.factory]\nclass = "org.example.Nothing"\narguments = []',
        "constructor": '[adapter.settings.factory]\nclass = "java.util.ArrayList"\narguments = [true, true]',
        "driver": '[adapter.settings.broker]\ndriver = "rocket"',
        "key": '[adapter.settings.broker]\ndriver = "activemq"\nspeed = 3',
        "namespace": 'namespace = "javax"',
        "property": '[adapter.settings.factory]\nclass = "org.apache.activemq.ActiveMQConnectionFactory"\n'
        'arguments = ["{url}"]\nproperties = { colour = 3 }',
        "option": 'options = ["-XX:Nonsense"]',
    }
    files = []
    for name, settings in wrong.items():
        (tmp_path / f"{name}.toml").write_text(PROFILE.format(name=name, settings=settings), encoding="utf-8")
        files.append(str(tmp_path / f"{name}.toml"))
    done = run("-c", WRONG, *files[:-1])
    assert done.returncode == 0, done.stderr
    factory, constructor, driver, key, namespace, broken = done.stdout.splitlines()
    assert factory.startswith("there is no Java class org.example.Nothing in the provider's jars; correct the name")
    assert "factory.class: java.util.ArrayList has no constructor for" in constructor
    assert 'broker.driver: no driver "rocket"; the kit has activemq, artemis' in driver
    assert 'broker.speed: unknown to the driver "activemq", whose keys are: port, scheduler, sync' in key
    assert namespace.startswith("there is no Java class javax.jms.Message in the provider's jars")
    assert "factory.properties.colour: org.apache.activemq.ActiveMQConnectionFactory does not take it" in broken
    done = run("-c", WRONG, files[-1])
    assert "does not start with the options -XX:Nonsense" in done.stdout
