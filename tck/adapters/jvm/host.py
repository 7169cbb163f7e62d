"""Run an embedded broker as a process of its own: ``python -m tck.adapters.jvm.host PROFILE PORT DIRECTORY [KEY=VALUE]...``.

For the driver ``process``, which can kill it. Prints READY, and stops the broker in good order when its input ends
or it is told to terminate.
"""

from __future__ import annotations

import contextlib
import os
import signal
import sys
from collections.abc import Sequence
from pathlib import Path

from tck.adapters.jvm.brokers import begin, open_broker
from tck.adapters.jvm.classpath import classpath
from tck.adapters.jvm.machine import Machine
from tck.adapters.jvm.settings import Place, read_settings
from tck.profile import AdapterError, load_profile

READY = "READY"


def main(arguments: Sequence[str]) -> int:
    """Start the broker and wait until standard input ends."""
    name, port, directory, *changes = arguments
    profile = load_profile(name)
    place = Place(profile.name, profile.path.resolve())
    settings = read_settings(profile.adapter.settings, place)
    table = {**settings.broker, "port": int(port), **dict(map(_change, changes))}
    try:
        path = classpath(settings, place)
        machine = Machine.start(path.jars, settings.options, oldest=settings.java, loggers=settings.loggers)
        broker = open_broker(machine, table, place, Path(directory), path.homes)
        begin(broker)
    except AdapterError as error:
        sys.stderr.write(f"{error}\n")
        return 1
    with contextlib.suppress(KeyboardInterrupt):
        signal.signal(signal.SIGTERM, signal.default_int_handler)  # before anybody hears that it is ready
        sys.stdout.write(f"{READY}\n")
        sys.stdout.flush()
        sys.stdin.read()
    signal.signal(signal.SIGTERM, signal.SIG_IGN)  # it is about to stop, and may take its time
    broker.stop()
    return 0


def _change(text: str) -> tuple[str, object]:
    key, _, value = text.partition("=")
    return key, {"true": True, "false": False}.get(value, value)


if __name__ == "__main__":
    status = main(sys.argv[1:])
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(status)  # threads of the broker's pools may outlive it
