"""JacORB's notification service as a child process: one for each process of a run, ended with it."""

from __future__ import annotations

import atexit
import functools
import os
import subprocess
import threading
import tomllib
from pathlib import Path
from typing import Final

from tck import temporary
from tck.adapters import corba
from tck.adapters.corba.orb import orb
from tck.adapters.jvm.classpath import say
from tck.adapters.jvm.machine import find_java
from tck.adapters.jvm.repository import Artifact, Locked, cache_directory, fetch, repository_url
from tck.api import Clock
from tck.interworking.channel import ChannelFactory
from tck.patience import multiplier
from tck.profile.errors import ProviderUnreachable
from tck.profile.locate import profiles_directory

OLDEST: Final = 11
STARTING: Final = 30.0
"""Seconds that the service may take to start."""
_MAIN: Final = "org.jacorb.notification.ConsoleMain"
_ENDED_WITH_ITS_INPUT: Final = (
    'exec 3<&0; "$@" </dev/null & (cat <&3 >/dev/null; kill -9 $! 2>/dev/null) & exec 3<&-; wait %1'
)
"""Runs the service until the pipe from this process closes: however a process of a run ends, its service does too."""
_OPTIONS: Final = (
    "-Xmx64m",
    "-XX:+UseSerialGC",
    "-XX:TieredStopAtLevel=1",
    "-Dorg.omg.CORBA.ORBClass=org.jacorb.orb.ORB",
    "-Dorg.omg.CORBA.ORBSingletonClass=org.jacorb.orb.ORBSingleton",
    "-DOAAddress=iiop://127.0.0.1:0",
    # By default it discards events beyond 100 for a consumer, and its filter threads mix the order.
    "-Djacorb.notification.filter.thread_pool_size=1",
    "-Djacorb.notification.max_events_per_consumer=100000",
    # In ms; by default it asks suppliers each second, and waits two before it calls a consumer that raised again.
    "-Djacorb.notification.supplier.poll_intervall=20",
    "-Djacorb.notification.consumer.backout_interval=100",
)


def jars() -> list[Path]:
    """Return the jars of the lock file `jacorb`; download those that the user's cache lacks."""
    content = tomllib.loads((profiles_directory() / "locks" / "jacorb.toml").read_text(encoding="utf-8"))
    rows = [Locked(Artifact.parse(row["name"]), row["sha256"], row["size"]) for row in content["artifacts"]]
    return list(fetch(rows, cache_directory(), lambda: repository_url(None), say).values())


class Service:
    """A running service.

    Raises:
        AdapterError: There is no Java, or a jar cannot be had.
        ProviderUnreachable: It ends, or does not start in time; with its last output.
    """

    def __init__(self) -> None:
        java = find_java(OLDEST)
        self._folder = temporary.make_folder("jacorb")
        reference = self._folder / "ior"
        command = [str(java.launcher), *_OPTIONS, "-cp", os.pathsep.join(map(str, jars()))]
        self._said = (self._folder / "output").open("w+", encoding="utf-8", errors="replace")
        self._process = subprocess.Popen(  # noqa: S603 - our own command
            ["/bin/sh", "-c", _ENDED_WITH_ITS_INPUT, "sh", *command, _MAIN, "-writeIOR", str(reference)],
            stdin=subprocess.PIPE,
            stdout=self._said,
            start_new_session=True,  # ^C is for the bridge, which stops in order
            stderr=subprocess.STDOUT,
        )
        atexit.register(self.stop)
        pause = threading.Event()
        for _ in range(int(STARTING * multiplier() / 0.02)):
            if self._process.poll() is not None:
                break
            if reference.exists() and (ior := reference.read_text().strip()):
                self.ior: str = ior
                return
            pause.wait(0.02)
        self._said.seek(0)
        raise ProviderUnreachable(f"JacORB's notification service did not start; it said: {self._said.read()[-2000:]}")

    @property
    def ended(self) -> bool:
        """Whether its process has ended."""
        return self._process.poll() is not None

    def stop(self) -> None:
        """End it; once more is no error."""
        if self._process.stdin is not None:
            self._process.stdin.close()
        self._process.wait()

    kill = stop


@functools.cache
def _service(_process: int) -> Service:
    return Service()


def kill_service() -> None:
    """Kill the service of this process; the next `open_channels` starts another."""
    _service(os.getpid()).kill()


def check_channels(reference: str = "") -> None:
    """Check what the service needs; download missing jars. Raises AdapterError."""
    corba.check_channels(reference)
    find_java(OLDEST)
    jars()


def open_channels(clock: Clock) -> ChannelFactory:
    """Return the channels of JacORB, whose service starts with the first use in a process, and again after it has ended."""
    orb()  # before a service is started for nothing
    if _service(os.getpid()).ended:
        _service.cache_clear()
    return corba.open_reference(_service(os.getpid()).ior, clock)
