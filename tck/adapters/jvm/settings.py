"""The values of ``[adapter.settings]`` in a profile with ``kind = "jvm"``. Reads no file; the schema has checked
shapes.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from tck.catalogue.versions import NAMESPACES
from tck.profile.errors import AdapterError

_TABLES: Final = ("broker", "factory", "destinations", "jndi", "second")


@dataclasses.dataclass(frozen=True, slots=True)
class JvmSettings:
    """How a Java provider is reached.

    Attributes:
        namespace: ``jakarta`` or ``javax``: the namespace of the messaging API in its jars.
        coordinates: Maven coordinates ``group:artifact:version[:classifier][@type]`` of the provider.
        lock: The file that names all jars with their digests; a name is a lock file of the kit, ``cache`` one in the cache.
        jars: Jars on this machine instead; with them nothing is downloaded.
        classpath: Jars inside of the archives (``@zip``) among the coordinates.
        release: The release that the coordinates are of, where the command line chose it.
        repository: Maven repository; None for the one of the environment, else Maven Central.
        java: Oldest Java that the jars run on.
        options: Further options for the JVM.
        loggers: Whether the provider may log through java.util.logging.
        broker: How the broker starts.
        factory: The connection factories.
        destinations: Classes of administered destinations.
        jndi: Where administered objects are looked up instead.
        second: The tables ``factory`` and ``destinations`` of a second client library of the same broker.
    """

    namespace: str = "jakarta"
    coordinates: tuple[str, ...] = ()
    lock: str | None = None
    jars: tuple[str, ...] = ()
    classpath: tuple[str, ...] = ()
    release: str | None = None
    repository: str | None = None
    java: int = 11
    options: tuple[str, ...] = ()
    loggers: bool = False
    broker: Mapping[str, Any] = dataclasses.field(default_factory=dict)
    factory: Mapping[str, Any] = dataclasses.field(default_factory=dict)
    destinations: Mapping[str, Any] = dataclasses.field(default_factory=dict)
    jndi: Mapping[str, Any] = dataclasses.field(default_factory=dict)
    second: Mapping[str, Any] = dataclasses.field(default_factory=dict)

    def of_second(self) -> JvmSettings:
        """Return the settings by which the second client library is reached."""
        return dataclasses.replace(self, **{"factory": {}, "destinations": {}, "jndi": {}, **self.second}, second={})


@dataclasses.dataclass(frozen=True, slots=True)
class Place:
    """The origin of the settings: the base of relative paths, and the name for messages.

    Attributes:
        profile: The profile's name.
        file: Its file.
        release: The release that is run, where the profile names one.
    """

    profile: str
    file: Path
    release: str = ""

    def error(self, key: str, message: str) -> AdapterError:
        """Make an error about a key of the settings."""
        return AdapterError(f"{self.file}: adapter.settings.{key}: {message}")


def read_settings(settings: Mapping[str, object], place: Place) -> JvmSettings:
    """Read the table.

    Raises:
        AdapterError: A key is unknown or has a value of the wrong kind, as ``--setting`` can set it.
    """
    known = {field.name: field for field in dataclasses.fields(JvmSettings)}
    values: dict[str, Any] = {}
    for key, value in settings.items():
        if key not in known:
            raise place.error(key, f"unknown; a Java provider's settings are {', '.join(known)}")
        values[key] = _checked(key, value, place)
    made = JvmSettings(**values)
    if made.namespace not in NAMESPACES:
        raise place.error("namespace", f'expected "jakarta" or "javax"; saw "{made.namespace}"')
    if not made.jars and not made.coordinates:
        raise place.error("coordinates", "nothing names the provider's jars; give Maven coordinates, or jars")
    if not made.factory and not made.jndi:
        raise place.error("factory", "nothing names a connection factory; give factory or jndi")
    if made.factory and "class" not in made.factory and "object" not in made.factory:
        raise place.error("factory", "expected class, or object with the name of an object that a recipe makes")
    return made


_LISTS: Final = ("coordinates", "jars", "classpath", "options")
_KINDS: Final[Mapping[str, type]] = {"java": int, "loggers": bool}


def _checked(key: str, value: object, place: Place) -> object:
    if key in _LISTS:
        if isinstance(value, Sequence) and not isinstance(value, str) and all(isinstance(part, str) for part in value):
            return tuple(value)
        raise place.error(key, f"expected a list of strings; saw {value!r}")
    kind = Mapping if key in _TABLES else _KINDS.get(key, str)
    if not isinstance(value, kind) or (isinstance(value, bool) and kind is int):
        raise place.error(key, f"expected {'a table' if key in _TABLES else kind.__name__}; saw {value!r}")
    return value
