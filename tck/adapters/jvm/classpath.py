"""From the settings to the files of the class path, and to the directories of unpacked archives."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from tck.adapters.jvm.lock import read_lock
from tck.adapters.jvm.repository import cache_directory, fetch, repository_url, unpacked
from tck.adapters.jvm.settings import JvmSettings, Place


@dataclass(frozen=True, slots=True)
class Classpath:
    """The jars, and where archives were unpacked, in the order of the coordinates."""

    jars: tuple[Path, ...]
    homes: tuple[Path, ...]


def say(text: str) -> None:
    """Tell a person what takes time."""
    sys.stderr.write(f"tck: {text}\n")


def classpath(settings: JvmSettings, place: Place, progress: Callable[[str], None] = say) -> Classpath:
    """Give the files, downloading into the user's cache what the lock file names and is not there.

    Raises:
        AdapterError: Something is missing or cannot be had; what, and what to do.
    """
    if settings.jars:
        jars = tuple((place.file.parent / each).resolve() for each in settings.jars)
        for jar in jars:
            if not jar.exists():
                raise place.error("jars", f"there is no {jar}; correct the path, which counts from the profile")
        return Classpath(jars, ())
    lock = read_lock(settings, place)
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
