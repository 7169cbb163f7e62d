"""Maven artifacts: their names, their places in a repository and in the cache, and verified downloads.

A file has its final name in the cache only after its digest was checked. Needs neither Java nor the kit.
"""

from __future__ import annotations

import hashlib
import os
import re
import sys
import tempfile
import urllib.error
import urllib.request
import zipfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from tck.profile.errors import AdapterError
from tck.profile.releases import in_order

REPOSITORY: Final = "TCK_MAVEN_REPOSITORY"
"""Environment variable: the Maven repository to download from."""
CACHE: Final = "TCK_CACHE"
"""Environment variable: the directory for downloaded jars."""

THREADS: Final = 8
TIMEOUT: Final = 60.0
"""Seconds without an answer of the repository, after which a download fails."""

_NAME = re.compile(r"([\w.-]+):([\w.-]+):([\w.-]+)(?::([\w.-]+))?(?:@(\w+))?")


@dataclass(frozen=True, slots=True)
class Artifact:
    """One file of a Maven repository."""

    group: str
    name: str
    version: str
    classifier: str = ""
    type: str = "jar"

    @classmethod
    def parse(cls, text: str) -> Artifact:
        """Read ``group:artifact:version[:classifier][@type]``.

        Raises:
            ValueError: The text has another form.
        """
        found = _NAME.fullmatch(text)
        if found is None:
            raise ValueError(f'"{text}" is no Maven coordinate; expected group:artifact:version[:classifier][@type]')
        group, name, version, classifier, kind = found.groups()
        return cls(group, name, version, classifier or "", kind or "jar")

    def __str__(self) -> str:
        classifier = f":{self.classifier}" if self.classifier else ""
        kind = "" if self.type == "jar" else f"@{self.type}"
        return f"{self.group}:{self.name}:{self.version}{classifier}{kind}"

    @property
    def path(self) -> str:
        """Its place in a repository of Maven's layout."""
        classifier = f"-{self.classifier}" if self.classifier else ""
        folder = f"{self.group.replace('.', '/')}/{self.name}/{self.version}"
        return f"{folder}/{self.name}-{self.version}{classifier}.{self.type}"


@dataclass(frozen=True, slots=True)
class Locked:
    """An artifact with the digest of its content."""

    artifact: Artifact
    sha256: str
    size: int


def cache_directory(environment: Mapping[str, str] = os.environ) -> Path:
    """Return the user's directory for downloaded jars: ``$TCK_CACHE``, else the platform's cache directory."""
    if environment.get(CACHE):
        return Path(environment[CACHE])
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "jms-tck"
    if sys.platform == "win32":
        return Path(environment.get("LOCALAPPDATA") or Path.home()) / "jms-tck" / "cache"
    return Path(environment.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "jms-tck"


def repository_url(wanted: str | None, environment: Mapping[str, str] = os.environ) -> str:
    """Return the repository: of the setting, else of ``$TCK_MAVEN_REPOSITORY``, else Maven Central.

    Raises:
        AdapterError: It is no address, or the default is not known because jgo is not installed.
    """
    found = wanted or environment.get(REPOSITORY)
    if not found:
        try:
            from jgo.constants import MAVEN_CENTRAL_URL  # noqa: PLC0415 - only a download needs it
        except ModuleNotFoundError:
            raise AdapterError(
                f"no Maven repository is known: install the extra jvm (pip install 'jms-tck[jvm]'), or set {REPOSITORY}"
            ) from None
        found = str(MAVEN_CENTRAL_URL)
    if not re.match(r"(https?|file)://", found):
        raise AdapterError(f'the Maven repository "{found}" is no address; it begins with https://, http:// or file://')
    return found.rstrip("/")


def fetch(
    locked: Sequence[Locked], cache: Path, repository: Callable[[], str], progress: Callable[[str], None]
) -> dict[Artifact, Path]:
    """Return the files of the artifacts; download missing ones into the cache. Safe for several processes at once.

    Args:
        locked: The artifacts.
        cache: The cache's directory.
        repository: Gives the repository; asked only if something must be downloaded.
        progress: Shows a line of progress.

    Raises:
        AdapterError: The repository does not answer, lacks an artifact, or has other content than the lock.
    """
    files = {each.artifact: cache / "maven" / each.artifact.path for each in locked}
    missing = [each for each in locked if not _is(files[each.artifact], each)]
    if missing:
        with one_process(cache):
            missing = [each for each in missing if not _is(files[each.artifact], each)]
            if missing:
                size = sum(each.size for each in missing) / 1e6
                url = repository()
                progress(f"downloading {len(missing)} of {len(locked)} files, {size:.1f} MB, from {url}")
                with ThreadPoolExecutor(THREADS, "tck-download") as pool:
                    list(pool.map(lambda each: _download(each, files[each.artifact], url), missing))
    return files


def _is(file: Path, wanted: Locked) -> bool:
    try:
        return file.stat().st_size == wanted.size and digest(file) == wanted.sha256
    except FileNotFoundError:
        return False


def digest(file: Path, algorithm: str = "sha256") -> str:
    """Return the digest of a file's content, in hexadecimal."""
    with file.open("rb") as content:
        return hashlib.file_digest(content, algorithm).hexdigest()


def _download(wanted: Locked, file: Path, url: str) -> None:
    part = download(wanted.artifact, file, url)
    found = digest(part)
    if found != wanted.sha256:
        part.unlink()
        raise AdapterError(
            f"{wanted.artifact} from {url} is not what the lock file names: sha256 {found} instead of {wanted.sha256}; "
            "ask where the difference comes from, or lock again with `tck lock`"
        )
    part.replace(file)


def download(artifact: Artifact, file: Path, url: str) -> Path:
    """Download an artifact beside its final place, and return that file.

    Raises:
        AdapterError: The repository does not answer or lacks it.
    """
    file.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.NamedTemporaryFile(dir=file.parent, prefix=".part-", delete=False) as part:
        try:
            with open_url(f"{url}/{artifact.path}") as answer:
                while chunk := answer.read(1 << 16):
                    part.write(chunk)
        except OSError as error:
            Path(part.name).unlink()
            raise AdapterError(_refusal(artifact, url, error)) from error
    return Path(part.name)


def releases_of(artifact: Artifact, url: str) -> tuple[str, ...]:
    """Return the releases of an artifact that the repository lists, from the oldest to the newest.

    Raises:
        AdapterError: The repository does not answer, or has no such list.
    """
    listing = Artifact(artifact.group, artifact.name, "maven-metadata", type="xml")
    try:
        with open_url(f"{url}/{artifact.group.replace('.', '/')}/{artifact.name}/maven-metadata.xml") as answer:
            text = answer.read().decode("utf-8", "replace")
    except OSError as error:
        raise AdapterError(_refusal(listing, url, error)) from error
    return in_order(re.findall(r"<version>\s*([^<\s]+)\s*</version>", text))


def is_served(artifact: Artifact, url: str) -> bool:
    """Return whether the repository has the file of an artifact; a list may lack some that are there."""
    try:
        with open_url(f"{url}/{artifact.path}"):
            return True
    except OSError:
        return False


def _refusal(artifact: Artifact, url: str, error: OSError) -> str:
    reason = getattr(error, "reason", None) or error
    gone = isinstance(error, urllib.error.HTTPError) and error.code in {404, 410}
    if gone or isinstance(reason, FileNotFoundError):
        return f"the Maven repository {url} has no {artifact}; correct the coordinates, or name another repository"
    return (
        f"the Maven repository {url} cannot be reached for {artifact}: {reason}; "
        f"check the network, name another repository (setting repository, or ${REPOSITORY}), or give jars"
    )


def open_url(url: str):  # type: ignore[no-untyped-def]  # noqa: ANN201 - what urlopen gives differs by scheme
    """Open an address for reading."""
    return urllib.request.urlopen(url, timeout=TIMEOUT)  # noqa: S310 - the scheme was checked with the repository


def unpacked(archive: Path, sha256: str, cache: Path) -> Path:
    """Return the directory of an unpacked archive; unpack it the first time."""
    directory = cache / "unpacked" / sha256[:16]
    if not directory.is_dir():
        with one_process(cache):
            if not directory.is_dir():
                directory.parent.mkdir(parents=True, exist_ok=True)
                trial = Path(tempfile.mkdtemp(dir=directory.parent, prefix=".part-"))
                with zipfile.ZipFile(archive) as content:
                    content.extractall(trial)
                trial.replace(directory)
    return directory


@contextmanager
def one_process(cache: Path) -> Iterator[None]:
    """Keep other processes from filling the cache in the meantime, where the platform has file locks."""
    cache.mkdir(parents=True, exist_ok=True)
    with (cache / "lock").open("a") as file:
        if sys.platform != "win32":
            import fcntl  # noqa: PLC0415 - not on every platform

            fcntl.flock(file, fcntl.LOCK_EX)
        yield
