"""`tck bridge run`: its errors, how it ends, and what it does after a loss of either side."""

import os
import re
import signal
import socket
import subprocess
import threading

import pytest
from cli_support import PATIENCE, command, environment, one_message, tck

from reference_interworking.bridge.factory import ReferenceFactory
from reference_interworking.channel import StandInFactory
from tck.adapters.corba import jacorb, open_reference
from tck.adapters.jvm.machine import find_java
from tck.adapters.opening import open_provider
from tck.cli.bridging.counting import counted
from tck.cli.bridging.keeping import Ends, Keeper
from tck.interworking import event
from tck.interworking.bridge import DestinationType, FlowStyle, JMSDestination, MessageType
from tck.interworking.channel import ClientType
from tck.profile import ProviderUnreachable, load_profile

STAND_IN = """[bridge]
name = "mine"
title = "Mine"
converter = "reference_interworking.bridge.converter:open_converter"
factory = "reference_interworking.bridge.factory:open_factory"
channels = "reference_interworking.channel:StandInFactory"
"""
TO_QUEUE = ("--destination", "queue:orders", "--to", "jms")
INTO, OUT = (JMSDestination(DestinationType.QUEUE, name) for name in ("into", "out"))


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        (TO_QUEUE, 4, "expected --channel"),
        (("--destination", "orders", "--to", "jms"), 4, "--destination orders: expected queue:NAME or topic:NAME"),
        (("--destination", "queue:a", "--to", "both"), 4, "saw queue:a; expected one, or with --to both two"),
        ((*TO_QUEUE, "--channel", "nowhere"), 4, 'no channel "nowhere"'),
        (
            (*TO_QUEUE, "--channel", "text"),
            4,
            "--channel text: expected a file with IOR:... or corbaloc:..., saw 'words'",
        ),
        ((*TO_QUEUE, "--channel", "IOR:00"), 6, "no channel factory answers at IOR:00"),
        ((*TO_QUEUE, "--channel", "corbaloc::127.0.0.1:1/NotificationService"), 6, "start the service"),
        ((*TO_QUEUE, "--bridge", "mine.toml", "-p", "reference"), 4, "take -p reference-realtime"),
        ((*TO_QUEUE, "--bridge", "mine.toml", "--channel-id", "7"), 4, "the service has no such channel"),
    ],
)
def test_bad_input_is_one_message(tmp_path, words, code, message):
    pytest.importorskip("omniORB")
    (tmp_path / "mine.toml").write_text(STAND_IN)
    (tmp_path / "text").write_text("words")
    ended = tck("bridge", "run", *words, cwd=tmp_path)
    assert ended.code == code
    assert message in one_message(ended)


def test_a_missing_extra_is_reported(tmp_path, monkeypatch):
    (tmp_path / "omniORB.py").write_text("raise ImportError('none here')")
    monkeypatch.setattr("cli_support.ROOT", f"{tmp_path}{os.pathsep}{environment()['PYTHONPATH']}")
    ended = tck("bridge", "run", *TO_QUEUE, "--channel", "jacorb", cwd=tmp_path)
    assert ended.code == 4
    assert "pip install 'jms-tck[corba]'" in one_message(ended)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
@pytest.mark.parametrize("channel", ["stand-in", pytest.param("jacorb", marks=[pytest.mark.slow, pytest.mark.java])])
def test_a_signal_ends_it_cleanly(tmp_path, number, channel):
    (tmp_path / "mine.toml").write_text(STAND_IN)
    words = ("--bridge", "mine.toml") if channel == "stand-in" else ("--channel", channel)
    line = command("bridge", "run", *TO_QUEUE, *words)
    with subprocess.Popen(line, cwd=tmp_path, env=environment(), stdout=subprocess.PIPE, text=True) as process:
        try:
            assert re.match(r"tck: bridge 1 from channel \d+ to queue:orders on JMS TCK", process.stdout.readline())
            process.send_signal(number)
            assert process.communicate(timeout=PATIENCE)[0] == "tck: carried 0 to jms; losses 0, restarts 0\n"
        finally:
            process.kill()
    assert process.returncode == 0


class OverError(Exception):
    """The script of a test has ended."""


class Running:
    """Bridges in this process, from `into` to the channel and from the channel to `out`."""

    def __init__(self, folder, open_channels, channel_id=None):
        self.provider = open_provider(load_profile("reference-realtime"), folder)
        self.counts, self.said, self._open = {"jms": 0, "channel": 0}, [], open_channels
        ends = Ends(channel_id, {"channel": INTO, "jms": OUT}, FlowStyle.PUSH, MessageType.STRUCTURED_EVENT)
        counting = counted(self.provider, self.counts)
        opened = lambda: open_channels(self.provider.clock)  # noqa: E731
        self.keeper = Keeper(ends, opened, lambda channels: ReferenceFactory(channels, counting), self.said.append)

    def watch(self, *steps):
        """Watch, and take one step of a script in each pause."""
        left = iter(steps)

        def wait(_seconds):
            step = next(left, None)
            if step is None:
                raise OverError
            step()

        with pytest.raises(OverError):
            self.keeper.watch(wait)

    def crosses(self, text):
        """Hold that a message comes at a consumer of the channel, and an event at the destination."""
        channel = self._open(self.provider.clock).get_channel(self.keeper.channel_id)
        puller = channel.default_consumer_admin.obtain_notification_pull_supplier(ClientType.STRUCTURED_EVENT)[0]
        puller.connect_structured_pull_consumer(None)
        pusher = channel.default_supplier_admin.obtain_notification_push_consumer(ClientType.STRUCTURED_EVENT)[0]
        pusher.connect_structured_push_supplier(None)
        with self.provider.connection_factory().create_connection() as connection:
            connection.start()
            session = connection.create_session(transacted=False, session_mode=1)
            session.create_producer(session.create_queue(INTO.name)).send(session.create_text_message(text))
            assert puller.pull_structured_event().remainder_of_body.value == text
            pusher.push_structured_event(event("d", "t", f"event {text}"))
            consumer = session.create_consumer(session.create_queue(OUT.name))
            names = [consumer.receive(60_000).get_string_property("$event_name") for _ in range(2)]
            assert names[1] == f"event {text}"  # behind the message, which the channel gives to all
        puller.disconnect_structured_pull_supplier()

    def __enter__(self):
        self.keeper.open()
        return self

    def __exit__(self, *error):
        self.keeper.close()
        self.provider.close()


def stand_in(folder):
    """Return bridges on a stand-in channel that is there before and after, as that of a service is, and the channel."""
    made = []
    running = Running(folder, lambda _: made[0], channel_id=1)
    made.append(StandInFactory(running.provider.clock))
    return running, made[0].create_channel({}, {})[0]


def test_it_carries_both_ways_and_resumes_after_a_loss_of_either_side(tmp_path):
    running, channel = stand_in(tmp_path)
    with running:
        running.crosses("first")
        assert running.counts == {"jms": 2, "channel": 1}
        running.watch(channel.crash, channel.restart)
        running.crosses("after a crash of the channel")
        running.watch(running.provider.kill)
        running.crosses("after a crash of the provider")
        assert (running.keeper.losses, running.keeper.restarts) == (2, 2)
        assert [line.split(" (")[0].split(":")[1] for line in running.said[::2]] == [
            " lost channel 1",
            " lost a connection of the bridge to channel and jms; trying again",
        ]


def test_a_loss_is_given_up_after_so_many_attempts(tmp_path):
    running, channel = stand_in(tmp_path)
    with running:
        running.keeper.attempts = 3
        channel.destroy()
        pauses = []
        with pytest.raises(ProviderUnreachable, match="not resumed in 3 attempts"):
            running.keeper.watch(pauses.append)
        assert pauses == [1.0, 0.5, 1.0]


@pytest.mark.slow
@pytest.mark.java
def test_it_resumes_when_jacorb_is_killed_and_started_again_at_its_port(tmp_path):
    pytest.importorskip("omniORB")
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    options = [each for each in jacorb._OPTIONS if "OAAddress" not in each]
    at = [*options, f"-DOAAddress=iiop://127.0.0.1:{port}", "-cp", os.pathsep.join(map(str, jacorb.jars()))]
    java = [str(find_java(jacorb.OLDEST).launcher), *at, "org.jacorb.notification.ConsoleMain"]
    services = []

    def start():
        services.append(subprocess.Popen(java, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL))

    def end():
        services[-1].kill()
        services[-1].wait()

    def opened(clock):
        return open_reference(f"corbaloc::127.0.0.1:{port}/NotificationService", clock)

    def answers():
        pause = threading.Event()
        while not pause.wait(0.1):
            try:
                return opened(running.provider.clock)
            except ProviderUnreachable:
                assert services[-1].poll() is None
        return None

    start()
    running = Running(tmp_path, opened)
    try:
        answers()
        with running:
            running.crosses("first")
            running.watch(end, lambda: None, start, answers)
            running.crosses("after its crash")
            assert (running.keeper.losses, running.keeper.restarts) == (1, 1)
    finally:
        end()


@pytest.mark.slow
@pytest.mark.java
def test_a_service_of_the_kit_that_ended_is_started_again(tmp_path):
    pytest.importorskip("omniORB")
    with Running(tmp_path, jacorb.open_channels) as running:
        running.crosses("first")
        running.watch(jacorb.kill_service)
        running.crosses("after its end")
        assert (running.keeper.losses, running.keeper.restarts) == (1, 1)
