"""Find profiles, their variants and tiers, in a checkout and in an installed kit alike. Imports this package's errors only."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from pathlib import Path

import tck
from tck.catalogue.errors import did_you_mean
from tck.profile.errors import ProfileError, shown


def profiles_directory() -> Path:
    """Return the directory ``profiles`` of the kit: data only. In a checkout ``tck/profiles`` is a link to it.

    Raises:
        ProfileError: It is missing.
    """
    directory = Path(tck.__path__[0]).resolve() / "profiles"
    if not (directory / "tiers").is_dir():
        raise ProfileError(directory, 0, "", "is missing; the kit is not installed completely, install it again")
    return directory


def profile_names() -> tuple[str, ...]:
    """Return the names of the profiles that come with the kit, and of their variants."""
    kit = _of_kit()
    return tuple(sorted([*kit, *(f"{name}-{variant}" for name in kit for variant in kit[name])]))


def _of_kit() -> dict[str, tuple[str, ...]]:
    """Return the variants of each profile of the kit."""
    files = (profiles_directory() / "providers").glob("*.toml")
    return {file.stem: _variants(file) for file in sorted(files, key=lambda file: file.stem)}


def split_variant(path: Path) -> tuple[Path, str]:
    """Return the file of a profile, and the variant in it that the path means; empty if the path is a file.

    The variant `b-c` of `a.toml` is `a-b-c.toml`, as long as there is no such file; the longest name of a file goes first.
    A file that is no TOML, which has errors of its own to report, is taken to have it.
    """
    splits = () if path.is_file() else _splits(path)
    return next(((file, name) for file, name in splits if name in _variants(file, otherwise=name)), (path, ""))


def _splits(path: Path) -> Iterator[tuple[Path, str]]:
    """Yield each file that is there and whose name, with a hyphen behind it, is the beginning of this one's."""
    parts = path.stem.split("-")
    for count in range(len(parts) - 1, 0, -1):
        file = path.parent / f"{'-'.join(parts[:count])}{path.suffix}"
        if file.is_file():
            yield file, "-".join(parts[count:])


def _variants(file: Path, otherwise: str = "") -> tuple[str, ...]:
    try:
        found = tomllib.loads(file.read_text(encoding="utf-8")).get("variant")
    except (OSError, ValueError):
        return (otherwise,) if otherwise else ()
    return tuple(found) if isinstance(found, dict) else ()


def find_profile(name_or_path: str | Path, relative_to: Path | None = None) -> Path:
    """Return the path of a profile: the given one if there is such a file, else that of the profile of that name in the kit.

    A variant has a path too, as if it were a file beside its profile: see `split_variant`.

    Args:
        name_or_path: A path to a TOML file, or a name.
        relative_to: Directory from which relative paths count; the current one by default.

    Raises:
        ProfileError: There is no such file, no such name and no such variant.
    """
    path = (relative_to or Path()) / name_or_path
    text = str(name_or_path)
    given = "/" in text or "\\" in text or text.endswith(".toml")
    if path.is_file() or (given and split_variant(path)[1]):
        return path
    if path.is_dir() and given:
        raise ProfileError(path, 0, "", "is a directory; name the profile's TOML file in it")
    if given:
        why = "there is no such file; check the path"
        for base, variant in _splits(path):
            known = ", ".join(_variants(base)) or "none"
            why = f'there is no such file, and no variant "{variant}" in {shown(base)}, which has {known}'
        raise ProfileError("", 0, "", f'no profile at "{shown(path)}": {why}')
    file = profiles_directory() / "providers" / f"{text}.toml"
    if not text or not (file.is_file() or split_variant(file)[1]):
        kit = _of_kit()
        names = ", ".join(f"{name} ({', '.join(kit[name])})" if kit[name] else name for name in kit)
        near = did_you_mean(text, profile_names())
        other = "a variant in parentheses is PROFILE-VARIANT, any other is given by the path to its TOML file"
        raise ProfileError("", 0, "", f'no profile "{text}"{near}; the kit has {names}, {other}')
    return file
