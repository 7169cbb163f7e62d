"""From the settings to the files of the class path, and to the directories of unpacked archives."""

from __future__ import annotations

import sys
import zipfile
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from tck.adapters.jvm.lock import read_lock
from tck.adapters.jvm.repository import cache_directory, fetch, repository_url, unpacked
from tck.adapters.jvm.settings import JvmSettings, Place


@dataclass(frozen=True, slots=True)
class Classpath:
    """The jars, and the directories of unpacked archives, in the order of the coordinates."""

    jars: tuple[Path, ...]
    homes: tuple[Path, ...]


def say(text: str) -> None:
    """Shows progress to a person."""
    sys.stderr.write(f"tck: {text}\n")


def classpath(settings: JvmSettings, place: Place, progress: Callable[[str], None] = say) -> Classpath:
    """Return the files; download those of the lock file that the user's cache lacks.

    Raises:
        AdapterError: A file is missing or cannot be downloaded; with the advice.
    """
    if settings.jars:
        jars = tuple((place.file.parent / each).resolve() for each in settings.jars)
        for jar in jars:
            if not jar.exists():
                raise place.error("jars", f"there is no {jar}; correct the path, which counts from the profile")
        return Classpath(jars, ())
    lock = read_lock(settings, place, progress)
    cache = cache_directory()
    files = fetch(lock.artifacts, cache, lambda: repository_url(settings.repository), progress)
    plain = [files[each.artifact] for each in lock.artifacts if each.artifact.type == "jar"]
    homes = [
        unpacked(files[each.artifact], each.sha256, cache) for each in lock.artifacts if each.artifact.type == "zip"
    ]
    for name in settings.classpath:
        inside = [home / name for home in homes if (home / name).is_file()]
        if not inside:
            raise place.error("classpath", f"no archive among the coordinates has a file {name}")
        plain.append(inside[0])
    return Classpath(tuple(plain), tuple(homes))


def check_classes(settings: JvmSettings, place: Place, jars: Iterable[Path]) -> None:
    """Check that the jars have the classes that the settings name, without a Java virtual machine.

    Raises:
        AdapterError: One is missing; the first in the order of the settings.
    """
    wanted = dict(_named_classes(settings))
    missing = {name for name in wanted.values() if not name.startswith("java.")}
    for jar in jars:
        missing = missing and _not_in(jar, missing)
    for key, name in wanted.items():
        if name in missing:
            what = "the namespace" if key == "namespace" else "the name, or the coordinates"
            raise place.error(key, f"there is no Java class {name} in the provider's jars; correct {what}")


def _named_classes(settings: JvmSettings) -> Iterator[tuple[str, str]]:
    yield "namespace", f"{settings.namespace}.jms.Message"
    if settings.broker.get("driver") == "embedded" and "class" in settings.broker:
        yield "broker.class", str(settings.broker.get("class"))
    yield from ((f"factory.{key}", name) for key, name in settings.factory.items() if key.endswith("class"))
    yield from ((f"destinations.{key}", name) for key, name in settings.destinations.items() if isinstance(name, str))


def _not_in(jar: Path, names: set[str]) -> set[str]:
    """Return the classes that a jar, or a directory of classes, lacks; a damaged jar is for Java to refuse."""
    files = {name: f"{name.replace('.', '/')}.class" for name in names}
    if jar.is_dir():
        return {name for name, file in files.items() if not (jar / file).is_file()}
    try:
        with zipfile.ZipFile(jar) as archive:
            held = archive.NameToInfo
            return {name for name, file in files.items() if file not in held}
    except (OSError, zipfile.BadZipFile):
        return names
