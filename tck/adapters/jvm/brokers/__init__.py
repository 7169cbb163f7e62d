"""How brokers start, stop and are administered: one driver for each way or product, chosen by the profile.

A driver is a class made as ``Driver(machine, settings, work_dir, homes)``; a profile names one of `DRIVERS`, or its own as
``package.module:Class``. It knows Java classes of its product, and neither the suite nor the messaging API's wrappers.
"""

from __future__ import annotations

import importlib
import inspect
import itertools
import os
import socket
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from tck.adapters.jvm.machine import Machine
from tck.adapters.jvm.settings import Place
from tck.api import Hook, UnsupportedOperationException
from tck.profile.errors import AdapterError, ProviderUnreachable

DRIVERS: Final = {
    "activemq": "tck.adapters.jvm.brokers.activemq:ActiveMQ",
    "artemis": "tck.adapters.jvm.brokers.artemis:Artemis",
    "artemis1": "tck.adapters.jvm.brokers.artemis1:Artemis1",
    "embedded": "tck.adapters.jvm.brokers.embedded:Embedded",
    "openmq": "tck.adapters.jvm.brokers.openmq:OpenMQ",
    "process": "tck.adapters.jvm.brokers.process:Process",
    "url": "tck.adapters.jvm.brokers.proxied:Running",
}
"""The drivers of the kit by their names in profiles."""

_numbers = itertools.count()


class Broker:
    """A broker that the adapter starts; the base of drivers.

    Args:
        machine: The running Java virtual machine.
        settings: The profile's table ``[adapter.settings.broker]``.
        work_dir: An empty directory for the broker's files.
        homes: The directories of the unpacked archives among the profile's coordinates.
    """

    keys: frozenset[str] = frozenset()
    """The keys of the table that the driver knows, beside ``driver``."""
    hooks: frozenset[Hook] = frozenset()
    """The hooks that it offers."""

    def __init__(
        self, machine: Machine, settings: Mapping[str, Any], work_dir: Path, homes: Sequence[Path] = ()
    ) -> None:
        self.machine = machine
        self.settings = settings
        self.work_dir = work_dir
        self.homes = tuple(homes)
        self.number = next(_numbers)
        """The broker's name, unique within the process: an abandoned broker may still hold its own."""
        self.surroundings: Mapping[str, str] = {}
        """Placeholders that do not depend on the broker: profile, classpath, java, python, release."""
        self._free_port = 0

    @classmethod
    def check(cls, settings: Mapping[str, Any], place: Place) -> None:
        """Refuse, before anything starts, what this machine lacks.

        Raises:
            AdapterError: Something is missing; with the advice.
        """

    @property
    def placeholders(self) -> dict[str, str]:
        """The values of ``{name}`` in the strings of the settings."""
        return {**self.surroundings, "url": "", "work": str(self.work_dir), "number": str(self.number)}

    @property
    def free_port(self) -> int:
        """A port that was free when it was first asked for; the same after a restart."""
        self._free_port = self._free_port or free_port()
        return self._free_port

    @property
    def objects(self) -> Mapping[str, Any]:
        """Java objects by the names that the profile gave them; none unless it has recipes."""
        return {}

    def configure(self, made: Any, key: str) -> None:
        """Set the properties of an object of Java that the table ``key`` of the settings names, each by its setter.

        Raises:
            AdapterError: It has no such setter, or the setter does not take the value.
        """
        for name, value in self.settings.get(key, {}).items():
            try:
                getattr(made, f"set{name[0].upper()}{name[1:]}")(value)
            except (AttributeError, TypeError) as error:
                kind = made.getClass().getName()
                raise AdapterError(f"adapter.settings.broker.{key}.{name}: {kind} does not take it: {error}") from None

    def start(self) -> None:
        """Start and return when clients can connect."""

    def stop(self) -> None:
        """Stop gracefully; connections may still be open."""

    def leave(self) -> None:
        """Free, after `stop`, everything that would keep the process alive."""

    def create(self, kind: str, name: str) -> None:
        """Create a ``queue`` or ``topic`` where its first use does not."""

    def drop(self, kind: str, name: str) -> None:
        """Remove a destination with all it holds."""

    def restart(self) -> None:
        """Stop and start again on the same data (`Hook.RESTART`)."""
        self.stop()
        self.start()

    def kill(self) -> None:
        """Lose the broker without warning and start it again on the same data (`Hook.KILL`)."""
        raise NotImplementedError

    def sever(self, connection: Any) -> None:
        """Break the link of a connection, given as the provider's own object (`Hook.SEVER`); ignore one without a link."""
        raise NotImplementedError

    def pending(self, kind: str, name: str) -> int:
        """Count the messages that a destination holds (`Hook.PENDING`)."""
        raise NotImplementedError

    def administer(self, action: str, arguments: Mapping[str, Any]) -> object:
        """Do what an administrator could do (`Hook.ADMINISTER`, `Hook.FAULT`), as `tck.api.Provider.administer` says.

        Args:
            action: Its name; ``factory`` is not asked for.
            arguments: A destination is given as its kind and name, everything else as the provider's own object.

        Raises:
            UnsupportedOperationException: The broker has no such action.
        """
        raise UnsupportedOperationException(f"the driver has no action {action} with {sorted(arguments)}")


def free_port() -> int:
    """Return a free port of this machine."""
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        return int(listening.getsockname()[1])


def connection_of(machine: Machine, raw: Any) -> Any:
    """Return the connection that an object of the provider is or uses."""
    kinds = [machine.type(name) for name in ("jakarta.jms.Connection", "javax.jms.Connection") if machine.has(name)]
    if any(isinstance(raw, kind) for kind in kinds):
        return raw
    found = raw.getClass()
    while found is not None:
        for field in found.getDeclaredFields():
            if any(kind.class_.isAssignableFrom(field.getType()) for kind in kinds):
                field.setAccessible(True)
                value = field.get(raw)
                if value is not None:
                    return value
        found = found.getSuperclass()
    raise TypeError(f"{raw.getClass().getName()} holds no connection")


def without_link(machine: Machine) -> tuple[type[BaseException], ...]:
    """Return the exceptions that a client's objects raise about a lost link."""
    names = ("java.lang.IllegalStateException", "jakarta.jms.JMSException", "javax.jms.JMSException")
    return tuple(machine.type(name) for name in names if machine.has(name))


def find_driver(settings: Mapping[str, Any], place: Place) -> type[Broker]:
    """Return the driver that the table names.

    Raises:
        AdapterError: There is no such driver, it does not know a key, or the machine lacks what it needs.
    """
    name = settings.get("driver", "url")
    target = DRIVERS.get(name, name)
    module_name, _, class_name = target.partition(":")
    if not class_name:
        raise place.error(
            "broker.driver", f'no driver "{name}"; the kit has {", ".join(DRIVERS)}, others are module:Class'
        )
    try:
        driver = getattr(importlib.import_module(module_name), class_name)
    except (ImportError, AttributeError) as error:
        raise place.error("broker.driver", f"{target} cannot be imported: {error}") from error
    if not inspect.isclass(driver) or not issubclass(driver, Broker):
        raise place.error("broker.driver", f"{target} is no subclass of tck.adapters.jvm.brokers.Broker")
    unknown = sorted(set(settings) - driver.keys - {"driver"})
    if unknown:
        known = ", ".join(sorted(driver.keys)) or "none"
        raise place.error(f"broker.{unknown[0]}", f'unknown to the driver "{name}", whose keys are: {known}')
    driver.check(settings, place)
    return driver


def open_broker(
    machine: Machine, settings: Mapping[str, Any], place: Place, work_dir: Path, homes: Sequence[Path]
) -> Broker:
    """Make the driver that the table names; not started yet.

    Raises:
        AdapterError: There is no such driver, or it does not know a key.
    """
    broker = find_driver(settings, place)(machine, settings, work_dir, homes)
    broker.surroundings = {
        "profile": str(place.file.resolve().parent),
        "classpath": os.pathsep.join(machine.classpath),
        "java": str(machine.java.launcher),
        "python": sys.executable,
        "release": place.release,
    }
    return broker


def begin(broker: Broker) -> None:
    """Start a broker.

    Raises:
        ProviderUnreachable: It does not start; with Java's own text.
    """
    try:
        broker.start()
    except broker.machine.jpype.JException as error:
        raise ProviderUnreachable(f"the broker does not start: {error}") from error
