"""Brokers that no driver of the kit knows: any class, objects looked up by name, a broker that runs already."""

import contextlib
import json
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import pytest

from tck.adapters.jvm.brokers import free_port
from tck.adapters.jvm.machine import find_java
from tck.adapters.opening import check_adapter
from tck.profile import AdapterError, load_profile
from tck.record.compressed import unpack

ROOT = Path(__file__).parents[2]
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(ROOT)}

CARRY = """
import contextlib
import sys
from pathlib import Path
from tck import api
from tck.adapters.opening import check_adapter, open_provider
from tck.profile import load_profile

profile = load_profile(sys.argv[1])
check_adapter(profile)
work_dir = Path(sys.argv[2])
work_dir.mkdir(exist_ok=True)
with open_provider(profile, work_dir) as provider:
    print(*sorted(provider.hooks))
    if api.Hook.RESTART in provider.hooks:
        provider.restart()
    for destination in (provider.create_queue("q1"), provider.create_topic("t1")):
        with provider.connection_factory().create_connection() as connection:
            connection.start()
            session = connection.create_session(transacted=False, session_mode=api.Session.AUTO_ACKNOWLEDGE)
            consumer = session.create_consumer(destination)
            session.create_producer(destination).send(session.create_text_message("over"))
            print("queue" if isinstance(destination, api.Queue) else "topic", consumer.receive(10_000).text)
        provider.drop(destination)
    if api.Hook.SEVER in provider.hooks:
        connection, heard = provider.connection_factory().create_connection(), provider.clock.event()
        listener = type("Listener", (api.ExceptionListener,), {"on_exception": lambda self, error: heard.set()})
        connection.exception_listener = listener()
        connection.start()
        provider.sever(connection)
        print("severed", heard.wait(10_000))
        with contextlib.suppress(api.JMSException):
            connection.close()
    with provider.queue_connection_factory().create_queue_connection() as connection:
        print(isinstance(connection, api.QueueConnection))
"""


@pytest.fixture(scope="module", autouse=True)
def java(request):
    pytest.importorskip("jpype", reason="JPype is not installed: pip install 'jms-tck[jvm]'")
    try:
        find_java(17)
    except AdapterError as error:
        pytest.skip(str(error))
    request.getfixturevalue("jars")


def carry(folder, extends, settings, program=CARRY):
    """Send and receive through a profile, in a process of its own; gives what it printed."""
    (folder / "mine.toml").write_text(
        f'[profile]\nname = "mine"\ntitle = "Mine"\nextends = "{extends}"\n{settings}', encoding="utf-8"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, "mine.toml", "work"],
        cwd=folder, env=ENVIRONMENT, capture_output=True, text=True, check=False, timeout=120,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, ""), done.stdout + done.stderr
    return done.stdout.splitlines()


CARRIED = ["queue over", "topic over", "True"]
SEVERED = ["queue over", "topic over", "severed True", "True"]

BROKER_XML = """<configuration xmlns="urn:activemq"><core xmlns="urn:activemq:core">
<persistence-enabled>false</persistence-enabled>
<security-enabled>false</security-enabled>
<max-disk-usage>-1</max-disk-usage>
<acceptors><acceptor name="in">tcp://127.0.0.1:{port}</acceptor></acceptors>
</core></configuration>"""


@pytest.mark.slow
def test_a_broker_of_any_class(tmp_path):
    port = free_port()
    (tmp_path / "broker.xml").write_text(BROKER_XML.format(port=port), encoding="utf-8")
    settings = f"""
[adapter.settings.broker]
driver = "embedded"
class = "org.apache.activemq.artemis.core.server.embedded.EmbeddedActiveMQ"
properties = {{ configResourcePath = "{(tmp_path / "broker.xml").as_uri()}" }}
url = "tcp://127.0.0.1:{port}"
"""
    assert carry(tmp_path, "artemis", settings) == ["administer restart", *CARRIED]


def test_a_broker_that_recipes_start_and_administer(tmp_path):
    (tmp_path / "in.xml").write_text(
        BROKER_XML.replace("<persistence", "<!-- {kept} --><persistence"), encoding="utf-8"
    )
    settings = """
[adapter.settings.broker]
driver = "embedded"
url = "tcp://127.0.0.1:{port}"
system = { "tck.example" = "{work}" }
start = [
  { new = "org.apache.activemq.artemis.core.server.embedded.EmbeddedActiveMQ", as = "embedded", properties = { configResourcePath = "file:{work}/etc/broker.xml" } },
  { on = "embedded", call = "start" },
  { on = "embedded", call = "getActiveMQServer", as = "server" },
]
stop = [{ on = "embedded", call = "stop" }]
[adapter.settings.broker.files]
"etc/broker.xml" = { template = "in.xml" }
[adapter.settings.broker.create]
queue = [
  { on = "org.apache.activemq.artemis.api.core.QueueConfiguration", call = "of", arguments = ["{name}"], as = "made" },
  { on = "made", call = "setRoutingType", arguments = [{ on = "org.apache.activemq.artemis.api.core.RoutingType", field = "ANYCAST" }] },
  { on = "server", call = "createQueue", arguments = [{ object = "made" }] },
]
[adapter.settings.broker.drop]
queue = [{ on = "server", call = "destroyQueue", arguments = [{ on = "org.apache.activemq.artemis.api.core.SimpleString", call = "of", arguments = ["{name}"] }] }]
[adapter.settings.factory]
object = "cf"
steps = [
  { new = "org.apache.activemq.artemis.jms.client.ActiveMQJMSConnectionFactory", arguments = ["{url}"], as = "cf" },
]
queue_object = "cf"
"""
    assert carry(tmp_path, "artemis", settings) == ["restart", *CARRIED]


WATCHED = """
import sys
from pathlib import Path
from tck.adapters.opening import check_adapter, open_provider
from tck.profile import load_profile

profile = load_profile("artemis")
check_adapter(profile)
with open_provider(profile, Path(sys.argv[1])) as provider:
    print(provider._broker._server.getMonitor())
"""


def test_artemis_does_not_block_producers_where_the_disk_is_nearly_full(tmp_path):
    done = subprocess.run(
        [sys.executable, "-c", WATCHED, str(tmp_path)],
        env=ENVIRONMENT, capture_output=True, text=True, check=False, timeout=120,
    )  # fmt: skip
    assert (done.stdout, done.stderr) == ("None\n", ""), "nothing watches how full the disk is"


def test_a_broker_whose_class_has_no_such_property(tmp_path):
    settings = """
[adapter.settings.broker]
driver = "embedded"
class = "org.apache.activemq.artemis.core.server.embedded.EmbeddedActiveMQ"
properties = { colour = "red" }
"""
    with pytest.raises(
        AssertionError,
        match=r"AdapterError: .*broker.class, step 1: \S+EmbeddedActiveMQ has no public method setColour",
    ):
        carry(tmp_path, "artemis", settings)


CONSUMED = """
import sys
from pathlib import Path
from tck.adapters.opening import check_adapter, open_provider
from tck.profile import load_profile

profile = load_profile(sys.argv[1])
check_adapter(profile)
with open_provider(profile, Path(sys.argv[2])) as provider, provider.connection_factory().create_connection() as connection:
    session = connection.create_session(transacted=False, session_mode=1)
    dropped, other = provider.create_queue("dropped"), provider.create_queue("other")
    session.create_consumer(dropped)
    provider.drop(dropped)
    connection.start()
    consumer = session.create_consumer(other)
    session.create_producer(other).send(session.create_text_message("over"))
    print(consumer.receive(10_000).text)
"""


@pytest.mark.slow
def test_another_library_by_openwire_on_artemis(tmp_path):
    offered = "administer authentication fault kill load pending restart sever"
    assert carry(tmp_path, "activemq5-on-artemis", "") == [offered, *SEVERED]
    assert carry(tmp_path, "activemq5-on-artemis", "", CONSUMED) == ["over"], "its connection is not cut with its queue"


@pytest.mark.parametrize(("key", "known"), [("protocol", "core, amqp, openwire, tcp"), ("also", "amqp, openwire, tcp")])
def test_a_protocol_that_there_is_not(tmp_path, key, known):
    settings = f'[adapter.settings.broker]\ndriver = "artemis"\n{key} = "amq"\n'
    with pytest.raises(
        AssertionError, match=rf"AdapterError: adapter.settings.broker.{key}: expected {known}; saw 'amq'"
    ):
        carry(tmp_path, "artemis", settings)


def test_administered_objects_by_name(tmp_path):
    settings = """
[adapter.settings.jndi]
factory = "ConnectionFactory"
queue = "dynamicQueues/{name}"
topic = "dynamicTopics/{name}"
[adapter.settings.jndi.environment]
"java.naming.factory.initial" = "org.apache.activemq.jndi.ActiveMQInitialContextFactory"
"java.naming.provider.url" = "{url}"
"""
    assert carry(tmp_path, "activemq", settings) == [
        "administer authentication fault kill load pending restart sever",
        *SEVERED,
    ]


@pytest.mark.slow
def test_a_server_of_the_system(tmp_path):
    try:
        check_adapter(load_profile("rabbitmq"))
    except AdapterError as error:
        pytest.skip(str(error))
    assert carry(tmp_path, "rabbitmq", "") == ["kill restart", *CARRIED]


@contextlib.contextmanager
def running(folder):
    """A broker in a process of its own; gives the process and the settings that reach it."""
    port = free_port()
    command = [sys.executable, "-m", "tck.adapters.jvm.host", "artemis", str(port), str(folder / "host")]
    with subprocess.Popen(
        [*command, "protocol=tcp"],
        env=ENVIRONMENT | {"TMPDIR": str(folder)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as broker:
        assert broker.stdout.readline() == "READY\n"
        try:
            yield broker, f'driver = "url"\nurl = "tcp://127.0.0.1:{port}"'
        finally:
            broker.kill()


@pytest.mark.slow
def test_a_broker_that_runs_already(tmp_path):
    with running(tmp_path) as (broker, settings):
        table = f"[adapter.settings.broker]\n{settings}\n"
        assert carry(tmp_path, "artemis", table) == ["administer", *CARRIED]
        assert carry(tmp_path, "artemis", f"{table}proxy = true\n") == ["administer sever", *SEVERED]
        nowhere = table.replace("tcp://", "tcp:") + "proxy = true\n"
        with pytest.raises(AssertionError, match=r"broker\.url: 'tcp:.*' has no //host:port for the proxy"):
            carry(tmp_path, "artemis", nowhere)
        broker.stdin.close()
        assert broker.wait(30) == 0


def test_a_broker_in_a_process_of_its_own_stops_when_it_is_told_to(tmp_path):
    with running(tmp_path) as (broker, _):
        broker.terminate()
        assert broker.wait(30) == 0


def test_a_process_with_java_is_terminated_like_any_other(tmp_path):
    work = tmp_path / "work"
    work.mkdir()
    program = """
import os, signal
from tck.adapters.jvm.machine import Machine
Machine.start([], [], oldest=17, loggers=False)
os.kill(os.getpid(), signal.SIGTERM)
signal.pause()
"""
    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=work,
        env=ENVIRONMENT | {"TMPDIR": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert (done.returncode, done.stdout, done.stderr) == (-signal.SIGTERM, "", "")
    assert not list(work.iterdir()), "no report of a crash"


@pytest.mark.slow
def test_a_broker_killed_during_a_run_is_lost_and_breaks_nothing(tmp_path):
    with running(tmp_path) as (broker, settings):
        setting = f"broker={{{settings.replace(chr(10), ', ')}}}"
        with subprocess.Popen(
            [sys.executable, "-m", "tck", "run", "-p", "artemis", "--setting", setting, "-n", "0", "--no-report", "3.5"],
            cwd=tmp_path, env=ENVIRONMENT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        ) as run:  # fmt: skip
            until = time.monotonic() + 60
            while sum(file.read_bytes().count(b"\n") for file in tmp_path.glob("tck-out/runs/*/parts/results.*")) < 5:
                assert run.poll() is None, run.stdout.read()
                assert time.monotonic() < until, "five cases have ended"
                time.sleep(0.01)
            broker.kill()
            said = run.stdout.read()
            assert run.wait(120) == 6, said
    (bundle,) = (tmp_path / "tck-out" / "runs").iterdir()
    results = [json.loads(line) for line in unpack((bundle / "results.ndjson.zst").read_bytes()).splitlines()]
    verdicts = Counter(result["verdict"] for result in results)
    assert verdicts["harness-error"] == 3, "so many in a row end the run"
    assert verdicts["violation"] == 0
    assert verdicts["conformant"] > 0
    lost = next(result["observed"] for result in results if result["verdict"] == "harness-error")
    assert "the provider was lost during the run" in lost
