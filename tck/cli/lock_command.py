"""`tck lock`: resolve the jars of a Java provider into its lock file, or print the class path of the locked jars."""

from __future__ import annotations

import os
from collections.abc import Iterator

import click

from tck.adapters.jvm.classpath import classpath
from tck.adapters.jvm.lock import Lock, lock_file, make_lock, read_lock, render_lock
from tck.adapters.jvm.repository import cache_directory, repository_url
from tck.adapters.jvm.settings import JvmSettings, Place, read_settings
from tck.cli.support import choices
from tck.cli.support.console import Problem, emit, note
from tck.profile import AdapterError, ProfileError, load_profile
from tck.profile.errors import shown
from tck.record import Exit


@click.command("lock")
@choices.profile_option
@click.option("--repository", metavar="URL", help="Maven repository to ask, instead of the profile's.")
@click.option("--classpath", "wanted", is_flag=True, help="Print the class path of the locked jars; lock nothing.")
def command(profile: str, repository: str | None, wanted: bool) -> int:
    """Resolve the Maven coordinates of a Java provider's profile, and write every jar with its digest into the lock file.

    Runs download only the jars of the lock file. Commit it.
    """
    try:
        found = load_profile(profile)
        if found.adapter.kind != "jvm":
            raise Problem(f'profile {found.name} is not of a Java provider: only kind = "jvm" has jars to lock')
        place = Place(found.name, found.path)
        settings = read_settings(found.adapter.settings, place)
        if wanted:
            emit(os.pathsep.join(map(str, classpath(settings, place, _note).jars)))
        else:
            emit("\n".join(_lock(settings, place, repository)))
    except (ProfileError, AdapterError) as error:
        raise Problem(str(error)) from error
    return Exit.CONFORMANT


def _note(text: str) -> None:
    note(f"tck: {text}")


def _lock(settings: JvmSettings, place: Place, repository: str | None) -> Iterator[str]:
    if not settings.coordinates:
        raise Problem(f"profile {place.profile} names jars of this machine; only coordinates can be locked")
    try:
        before: Lock | None = read_lock(settings, place)
    except AdapterError:
        before = None
    made = make_lock(settings.coordinates, repository_url(repository or settings.repository), cache_directory(), _note)
    file = lock_file(settings, place)
    file.parent.mkdir(parents=True, exist_ok=True)
    name = settings.lock if settings.lock and "/" not in settings.lock else place.profile
    file.write_text(render_lock(made, name), encoding="utf-8")
    size = sum(each.size for each in made.artifacts) / 1e6
    yield f"{shown(file)}: {len(made.artifacts)} files, {size:.1f} MB"
    old = {str(each.artifact): each.sha256 for each in before.artifacts} if before else {}
    new = {str(each.artifact): each.sha256 for each in made.artifacts}
    yield from (f"  - {name}" for name in sorted(old.keys() - new.keys()))
    yield from (f"  + {name}" for name in sorted(new.keys() - old.keys()) if before)
    yield from (f"  ! {name}: its content has changed" for name in sorted(old) if new.get(name, old[name]) != old[name])
