"""A bridge of somebody else between channels of CORBA and ActiveMQ Artemis, in Java, in a process of its own.

`ForeignBridge(channels_ior, jms_url)` compiles the program beside this file, starts it, and has the reference of its factory of
CosBridgeAdmin in `ior`; `stop` ends it. By hand: python profiles/evidence/bridge/foreign.py CHANNELS_IOR JMS_URL prints the
reference, and ends the bridge when its input ends.
"""

from __future__ import annotations

import atexit
import functools
import os
import subprocess
import sys
import threading
from pathlib import Path
from typing import Final

from tck import temporary
from tck.adapters import corba
from tck.adapters.corba import jacorb
from tck.adapters.jvm.classpath import classpath
from tck.adapters.jvm.machine import find_java
from tck.adapters.jvm.settings import Place, read_settings
from tck.adapters.recording.recorder import Recorder
from tck.api import Provider
from tck.interworking.bridge import BridgeFactory
from tck.interworking.channel import ChannelFactory
from tck.patience import multiplier
from tck.profile import AdapterError, load_profile

OLDEST: Final = 17
"""The Java that the client of Artemis needs."""
STARTING: Final = 30.0
"""Seconds that the bridge may take to start."""
STOPPING: Final = 10.0
"""Seconds that it may take to end in order."""
COMPILING: Final = 120.0
_SOURCES: Final = sorted(Path(__file__).parent.glob("*.java"))
_OPTIONS: Final = (
    "-Xmx128m",
    "-XX:+UseSerialGC",
    "-XX:TieredStopAtLevel=1",
    "-Dorg.omg.CORBA.ORBClass=org.jacorb.orb.ORB",
    "-Dorg.omg.CORBA.ORBSingletonClass=org.jacorb.orb.ORBSingleton",
    "-DOAAddress=iiop://127.0.0.1:0",
    "-Djacorb.native_char_codeset=UTF8",
    "-Djacorb.connection.client.pending_reply_timeout=30000",
)


@functools.cache
def jars() -> str:
    """Return the class path: Artemis first, whose logging is the newer one."""
    profile = load_profile("artemis")
    place = Place(profile.name, profile.path.resolve(), "")
    client = classpath(read_settings(profile.adapter.settings, place), place).jars
    return os.pathsep.join(map(str, [*client, *jacorb.jars()]))


@functools.cache
def compiled() -> Path:
    """Compile the program, once for a process, and return the folder of its classes.

    Raises:
        AdapterError: There is no compiler, as with a JRE, or it refuses the program.
    """
    compiler = find_java(OLDEST).home / "bin" / "javac"
    if not compiler.is_file():
        raise AdapterError(f"the foreign bridge needs a JDK of Java {OLDEST} or newer, and there is no {compiler}")
    folder = temporary.make_folder("foreign-bridge")
    command = [compiler, "-nowarn", "-proc:none", "-XDsuppressNotes", "-d", folder, "-cp", jars(), *_SOURCES]
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True, timeout=COMPILING, check=False)  # noqa: S603 - our own
    if done.returncode:
        raise AdapterError(f"javac refuses the foreign bridge: {done.stderr}")
    return folder


class ForeignBridge:
    """The running bridge.

    Args:
        channels_ior: The reference of the channel factory.
        jms_url: The address of Artemis, `tcp://127.0.0.1:PORT`.

    Raises:
        AdapterError: There is no JDK, a jar cannot be had, or it ends, or does not start in time; with its last output.
    """

    def __init__(self, channels_ior: str, jms_url: str) -> None:
        classes = compiled()
        folder = temporary.make_folder("foreign-bridge")
        reference = folder / "ior"
        self._output = (folder / "output").open("w+", encoding="utf-8", errors="replace")
        command = [str(find_java(OLDEST).launcher), *_OPTIONS, "-cp", os.pathsep.join([str(classes), jars()]), "ForeignBridge"]
        self._process = subprocess.Popen(  # noqa: S603 - our own
            [*command, "--channels", channels_ior, "--jms", jms_url, "--ior-file", str(reference)],
            stdin=subprocess.PIPE,
            stdout=self._output,
            stderr=subprocess.STDOUT,
        )
        pause = threading.Event()
        for _ in range(int(STARTING * multiplier() / 0.02)):
            if reference.exists():
                self.ior: str = reference.read_text()
                return
            if self._process.poll() is not None:
                break
            pause.wait(0.02)
        self.stop()
        raise AdapterError(f"the foreign bridge did not start; it said: {self.said()[-2000:]}")

    def said(self) -> str:
        """Return its output so far."""
        self._output.flush()
        return Path(self._output.name).read_text(encoding="utf-8", errors="replace")

    def stop(self) -> int:
        """End it by the end of its input, and return its exit code; once more is no error."""
        if self._process.stdin is not None:
            self._process.stdin.close()
        try:
            return self._process.wait(STOPPING * multiplier())
        except subprocess.TimeoutExpired:
            self._process.kill()
            return self._process.wait()


@functools.cache
def _started(_process: int, channels: str, url: str) -> ForeignBridge:
    made = ForeignBridge(channels, url)
    atexit.register(made.stop)
    return made


def open_factory(channels: ChannelFactory, provider: Provider) -> BridgeFactory:
    """Return its factory, between channels of the kit and the Artemis of a provider; it is started once for a process.

    Raises:
        AdapterError: As `ForeignBridge` does, or the provider's connections do not go over TCP.
    """
    factory = Recorder.behind(provider.connection_factory()).java_
    [address] = factory.getServerLocator().getStaticTransportConfigurations()
    port = address.getParams().get("port")
    if port is None:
        raise AdapterError("the foreign bridge is another process: run beside -p profiles/evidence/bridge/artemis.toml")
    bridge = _started(os.getpid(), corba.export(channels), f"tcp://127.0.0.1:{port}")
    return corba.open_bridges(bridge.ior, channels)


if __name__ == "__main__":
    started = ForeignBridge(*sys.argv[1:])
    print(started.ior, flush=True)
    sys.stdin.read()
    sys.exit(started.stop())
