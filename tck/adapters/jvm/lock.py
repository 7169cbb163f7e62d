"""Lock files: the jars of a profile, by name and digest. Made by ``tck lock``, committed, read by every run.

Only making one needs jgo and a Maven repository's metadata; a run downloads only the files of the lock.
"""

from __future__ import annotations

import hashlib
import logging
import os
import tomllib
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from tck.adapters.jvm.repository import (
    THREADS,
    Artifact,
    Locked,
    cache_directory,
    digest,
    download,
    is_served,
    one_process,
    open_url,
    releases_of,
    repository_url,
)
from tck.adapters.jvm.settings import JvmSettings, Place
from tck.profile.errors import AdapterError
from tck.profile.locate import profiles_directory
from tck.profile.releases import in_order

VERSION: Final = 1
IN_CACHE: Final = "cache"
"""The name of the lock file that is made in the user's cache when it is first needed."""
_LOST: Final = "Could not build model for"


@dataclass(frozen=True, slots=True)
class Lock:
    """The artifacts of a profile, and the coordinates they were resolved from."""

    coordinates: tuple[str, ...]
    artifacts: tuple[Locked, ...]


def lock_file(settings: JvmSettings, place: Place) -> Path:
    """Return the place of a profile's lock file.

    A path counts from the profile, a bare name is a lock of the kit, and ``cache`` one of the user's cache; without
    either it lies beside the profile.
    """
    wanted = settings.lock
    if wanted == IN_CACHE:
        name = hashlib.sha256("\n".join(settings.coordinates).encode()).hexdigest()[:16]
        return cache_directory() / "locks" / f"{name}.toml"
    if wanted is None:
        return place.file.with_suffix(".lock.toml")
    if "/" in wanted or wanted.endswith(".toml"):
        return place.file.parent / wanted
    return profiles_directory() / "locks" / f"{wanted}.toml"


def read_lock(settings: JvmSettings, place: Place, progress: Callable[[str], None] = lambda _: None) -> Lock:
    """Read the lock file of a profile; make one that belongs into the cache and is not there.

    Raises:
        AdapterError: It is missing, damaged, or was made from other coordinates; or the coordinates cannot be resolved.
    """
    file = lock_file(settings, place)
    if settings.lock == IN_CACHE and not file.is_file():
        _lock_in_cache(settings, place, file, progress)
    again = f"make it with `tck lock -p {place.file}`"
    try:
        content = tomllib.loads(file.read_text(encoding="utf-8"))
        coordinates = tuple(content["coordinates"])
        artifacts = tuple(
            Locked(Artifact.parse(row["name"]), row["sha256"], row["size"]) for row in content["artifacts"]
        )
    except FileNotFoundError:
        raise place.error("coordinates", f"there is no lock file {file}; {again}") from None
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise AdapterError(f"{file}: this lock file cannot be read ({error}); {again}") from None
    if content["lock"] != VERSION:
        raise AdapterError(f"{file}: a lock file of version {content['lock']}, this kit reads {VERSION}; {again}")
    if coordinates != settings.coordinates:
        raise place.error("coordinates", f"the lock file {file} was made from other coordinates; {again}")
    return Lock(coordinates, artifacts)


def _lock_in_cache(settings: JvmSettings, place: Place, file: Path, progress: Callable[[str], None]) -> None:
    cache = cache_directory()
    with one_process(cache):
        if file.is_file():  # another process made it meanwhile
            return
        url = repository_url(settings.repository)
        _check_listed(settings, place, url)
        made = make_lock(settings.coordinates, url, cache, progress)
        file.parent.mkdir(parents=True, exist_ok=True)
        trial = file.with_suffix(f".{os.getpid()}.part")
        trial.write_text(render_lock(made, place.profile), encoding="utf-8")
        trial.replace(file)


def _check_listed(settings: JvmSettings, place: Place, url: str) -> None:
    """Refuse a release that the repository neither lists nor serves, with those next to it; a repository may have no list."""
    if settings.release is None:
        return
    for artifact in (Artifact.parse(each) for each in settings.coordinates):
        if artifact.version != settings.release:
            continue
        try:
            listed = releases_of(artifact, url)
        except AdapterError:
            return
        if settings.release not in listed and not is_served(artifact, url):
            raise AdapterError(
                f"{place.file}: --release {settings.release}: {url} has no {artifact}; {_next_to(settings.release, listed)}"
            )


def _next_to(release: str, listed: Sequence[str]) -> str:
    around = in_order([*listed, release])
    at = around.index(release)
    near = [each for each in around[max(0, at - 2) : at + 3] if each != release]
    return f"it has {', '.join(near)} and {len(listed) - len(near)} more" if near else "it has no release of it"


def make_lock(
    coordinates: Sequence[str], repository: str, cache: Path, progress: Callable[[str], None] = lambda _: None
) -> Lock:
    """Resolve coordinates with their dependencies, download the files, and compute the digests.

    Args:
        coordinates: As in the profile. Archives (``@zip``) have no dependencies.
        repository: The Maven repository.
        cache: The directory for downloads.
        progress: Shows a line of progress.

    Raises:
        AdapterError: A coordinate is invalid, a file cannot be found, or jgo is not installed.
    """
    try:
        wanted = [Artifact.parse(text) for text in coordinates]
    except ValueError as error:
        raise AdapterError(str(error)) from None
    jars = [each for each in wanted if each.type == "jar"]
    archives = [each for each in wanted if each.type != "jar"]
    progress(f"resolving {', '.join(map(str, jars)) or 'no jars'}")
    artifacts = sorted({*(_resolved(jars, repository, cache) if jars else ()), *archives}, key=str)
    progress(f"downloading {len(artifacts)} files from {repository}")

    def locked(artifact: Artifact) -> Locked:
        file = cache / "maven" / artifact.path
        part = download(artifact, file, repository)
        _check_sha1(artifact, part, repository)
        found = Locked(artifact, digest(part), part.stat().st_size)
        part.replace(file)
        return found

    with ThreadPoolExecutor(THREADS, "tck-download") as pool:
        return Lock(tuple(coordinates), tuple(pool.map(locked, artifacts)))


def _check_sha1(artifact: Artifact, file: Path, repository: str) -> None:
    try:
        with open_url(f"{repository}/{artifact.path}.sha1") as answer:
            wanted = answer.read(100).decode("ascii", "replace").split()[:1]
    except OSError:
        return  # not every repository has them
    if wanted and wanted[0].lower() != digest(file, "sha1"):
        file.unlink()
        raise AdapterError(f"{artifact} from {repository} is damaged: its SHA-1 is not the one beside it; try again")


class _Losses(logging.Handler):
    """Collects the messages of jgo about parts of the tree that it leaves out; it logs them at level DEBUG and goes on."""

    def __init__(self) -> None:
        super().__init__(logging.DEBUG)
        self.found: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        """Keep a message about a loss."""
        message = record.getMessage()
        if message.startswith(_LOST):
            self.found.append(message.removeprefix(_LOST).strip())


def _resolved(roots: Sequence[Artifact], repository: str, cache: Path) -> set[Artifact]:
    """Resolve as Maven does. The form of the calls matters: see docs/jvm.md."""
    try:
        from jgo.maven import MavenContext, ProfileConstraints, PythonResolver  # noqa: PLC0415 - only locking needs it
        from jgo.parse import Coordinate  # noqa: PLC0415
    except ModuleNotFoundError:
        raise AdapterError("making a lock file needs jgo; install the extra jvm: pip install 'jms-tck[jvm]'") from None
    # Without this property some published POMs trip a false "infinite reference loop".
    constraints = ProfileConstraints(properties={"project.basedir": "."})
    context = MavenContext(
        repo_cache=cache / "poms",
        timeout=60,
        remote_repos={"central": repository},
        resolver=PythonResolver(profile_constraints=constraints),
    )
    # raw: else every root is imported as a BOM, and versions differ from Maven's.
    dependencies = [
        context.create_dependency(replace(Coordinate.parse(str(root)), scope="compile", raw=True)) for root in roots
    ]
    losses = _Losses()
    logger = logging.getLogger("jgo.maven._model")
    level, propagate = logger.level, logger.propagate
    logger.addHandler(losses)
    logger.setLevel(logging.DEBUG)
    logger.propagate = False
    try:
        (cache / "poms").mkdir(parents=True, exist_ok=True)
        first, rest = context.resolver.resolve(dependencies)
    except Exception as error:
        raise AdapterError(f"{', '.join(map(str, roots))} cannot be resolved from {repository}: {error}") from error
    finally:
        logger.removeHandler(losses)
        logger.setLevel(level)
        logger.propagate = propagate
    if losses.found:
        raise AdapterError(
            f"{', '.join(map(str, roots))} cannot be resolved completely from {repository}: {'; '.join(losses.found)}"
        )
    found = [each.artifact for each in (*first, *rest) if each.scope in {"compile", "runtime"}]
    return {
        Artifact(each.groupId, each.artifactId, each.version, each.classifier or "", each.packaging or "jar")
        for each in found
    }


def render_lock(lock: Lock, profile: str) -> str:
    """Render a lock file; one line for each artifact, so that a difference shows its place."""
    coordinates = "\n".join(f'  "{each}",' for each in lock.coordinates)
    rows = "\n".join(
        f'  {{ name = "{each.artifact}", sha256 = "{each.sha256}", size = {each.size} }},' for each in lock.artifacts
    )
    return (
        f"# The jars of the profile {profile}, made by `tck lock -p {profile}`; do not edit.\n"
        f"lock = {VERSION}\ncoordinates = [\n{coordinates}\n]\nartifacts = [\n{rows}\n]\n"
    )
