"""A broker that a command starts as a process of its own, so that it can be killed."""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping
from typing import IO, Any, Final

from tck.adapters.jvm.brokers import free_port
from tck.adapters.jvm.brokers.proxied import Proxied
from tck.adapters.jvm.recipe import filled
from tck.adapters.jvm.settings import Place
from tck.api import Hook
from tck.patience import multiplier
from tck.profile.errors import AdapterError, ProviderUnreachable

PATIENCE: Final = 60.0
"""Seconds until a command must be ready, unless the profile sets another value."""
POLITE: Final = 2.0
"""Seconds that a process may take to stop when its input ends."""
STOPPING: Final = 20.0
"""Seconds that a process may take to stop after SIGTERM."""


class Process(Proxied):
    """A command whose port and directory are the same after a restart."""

    keys = frozenset({"command", "needs", "ready", "port", "ports", "url", "patience", "proxy"})
    hooks = frozenset({Hook.RESTART, Hook.KILL})

    @classmethod
    def check(cls, settings: Mapping[str, Any], place: Place) -> None:
        """Refuse a command whose programs are not on this machine."""
        for program, advice in settings.get("needs", {}).items():
            if shutil.which(program) is None:
                raise place.error(
                    "broker.needs", f"the broker needs the program {program}, and there is none: {advice}"
                )

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self._port = int(self.settings.get("port", 0)) or free_port()
        self._ports = {name: str(free_port()) for name in self.settings.get("ports", ())}
        self._process: subprocess.Popen[str] | None = None
        self._said: list[str] = []
        self._ready = threading.Event()

    @property
    def placeholders(self) -> dict[str, str]:
        """Return port and address for clients."""
        return self._addresses(self.reached(self._port))

    def _addresses(self, port: int) -> dict[str, str]:
        values = {**super().placeholders, **self._ports, "port": str(port)}
        return {
            **values,
            "url": filled(str(self.settings.get("url", "tcp://127.0.0.1:{port}")), values, known_only=True),
        }

    def start(self) -> None:
        """Start the command and wait until it is ready.

        Raises:
            ProviderUnreachable: It cannot be started, ends, or is not ready in time; with its last output.
        """
        values = self._addresses(self._port)
        try:
            command = [filled(str(part), values) for part in self.settings.get("command", ())]
        except KeyError as error:
            known = ", ".join(f"{{{each}}}" for each in values)
            raise AdapterError(
                f"adapter.settings.broker.command has no value for {{{error.args[0]}}}; there are {known}"
            ) from None
        self._ready.clear()
        self._said.clear()
        try:
            self._process = subprocess.Popen(  # noqa: S603 - the profile's own command
                command,
                cwd=self.work_dir,
                # The command may need the kit where this process found it. What it leaves when it is killed goes with
                # the directory.
                env={
                    **os.environ,
                    "PYTHONPATH": os.pathsep.join(filter(None, sys.path)),
                    "TMPDIR": str(self.work_dir),
                },
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
                errors="replace",
                start_new_session=os.name == "posix",
            )
        except (OSError, IndexError) as error:
            raise ProviderUnreachable(f"the broker's command {command} cannot be started: {error}") from error
        threading.Thread(
            target=self._listen, args=(self._process.stdout,), name="tck-broker-output", daemon=True
        ).start()
        self._await(command)

    def _listen(self, output: IO[str] | None) -> None:
        pattern = self.settings.get("ready")
        for line in output or ():
            self._said[:] = [*self._said[-19:], line.rstrip()]
            if pattern and re.search(pattern, line):
                self._ready.set()

    def _await(self, command: list[str]) -> None:
        patience = float(self.settings.get("patience", PATIENCE)) * multiplier()
        until = time.monotonic() + patience
        while time.monotonic() < until:
            if self._process is None or self._process.poll() is not None:
                raise self._unreachable(command, "ended by itself")
            if self._ready.wait(0.05) or ("ready" not in self.settings and self._answers()):
                return
        self.stop()
        raise self._unreachable(command, f"was not ready within {patience:g} s")

    def _unreachable(self, command: list[str], end: str) -> ProviderUnreachable:
        said = "\n".join(["", *self._said]) if self._said else "nothing"
        return ProviderUnreachable(f"the broker's command {command} {end}; the last it said: {said}")

    def _answers(self) -> bool:
        try:
            socket.create_connection(("127.0.0.1", self._port), 0.2).close()
        except OSError:
            return False
        return True

    def stop(self) -> None:
        """End the command: close its input, then terminate it, then kill it."""
        process, self._process = self._process, None
        if process is None:
            return
        if process.stdin is not None:
            process.stdin.close()
        steps: tuple[tuple[Callable[[], object], float], ...] = (
            (process.poll, POLITE),
            (process.terminate, STOPPING),
            (process.kill, STOPPING),
        )
        for step, patience in steps:
            step()
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(patience)
                return

    def kill(self) -> None:
        """Kill the command and its children, and start it again on the same data."""
        process, self._process = self._process, None
        if process is not None:
            if os.name == "posix":
                os.killpg(process.pid, signal.SIGKILL)
            else:
                process.kill()
            process.wait()
        self.start()
