"""Run an embedded broker as a process of its own: ``python -m tck.adapters.jvm.host PROFILE PORT DIRECTORY [KEY=VALUE]...``.

``release=VERSION`` chooses the release of the broker; the other keys are of the profile's broker table.
For the driver ``process``, which can kill it. Prints READY, and stops the broker gracefully when its input ends or
it gets SIGTERM.
"""

from __future__ import annotations

import os
import select
import signal
import sys
from collections.abc import Sequence
from pathlib import Path

from tck import temporary
from tck.adapters.jvm.brokers import begin, open_broker
from tck.adapters.jvm.classpath import classpath
from tck.adapters.jvm.machine import Machine
from tck.adapters.jvm.settings import Place, read_settings
from tck.profile import AdapterError, ProfileError, load_profile

READY = "READY"


def main(arguments: Sequence[str]) -> int:
    """Start the broker and wait until standard input ends."""
    name, port, directory, *changes = arguments
    changed = dict(map(_change, changes))
    release = str(changed.pop("release", ""))
    try:
        profile = load_profile(name, release=release)
    except ProfileError as error:
        sys.stderr.write(f"{error}\n")
        return 1
    place = Place(profile.name, profile.path.resolve(), release)
    settings = read_settings(profile.adapter.settings, place)
    table = {**settings.broker, "port": int(port), **changed}
    try:
        path = classpath(settings, place)
        machine = Machine.start(path.jars, settings.options, oldest=settings.java, loggers=settings.loggers)
        broker = open_broker(machine, table, place, Path(directory), path.homes)
        begin(broker)
    except AdapterError as error:
        sys.stderr.write(f"{error}\n")
        return 1
    stop = _stop_signals()  # before READY is printed
    sys.stdout.write(f"{READY}\n")
    sys.stdout.flush()
    _wait_for_end(stop)
    broker.stop()
    return 0


def _stop_signals() -> int:
    """Make SIGTERM and SIGINT write to a pipe, and return its reading end.

    A handler in Python runs only after a system call, which the signal may have preceded by a moment.
    """
    reading, writing = os.pipe()
    os.set_blocking(writing, False)
    signal.set_wakeup_fd(writing, warn_on_full_buffer=False)
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda _number, _frame: None)
    return reading


def _wait_for_end(stop: int) -> None:
    """Return when standard input ends or a byte comes from `stop`."""
    while True:
        ready, _, _ = select.select([sys.stdin.fileno(), stop], [], [])
        if stop in ready or not os.read(sys.stdin.fileno(), 4096):
            return


def _change(text: str) -> tuple[str, object]:
    key, _, value = text.partition("=")
    return key, {"true": True, "false": False}.get(value, value)


if __name__ == "__main__":
    status = main(sys.argv[1:])
    sys.stdout.flush()
    sys.stderr.flush()
    temporary.remove_all()
    os._exit(status)  # threads of the broker's pools may outlive it
