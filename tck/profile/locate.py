"""Find profiles and tiers, in a checkout and in an installed kit alike. Imports this package's errors only."""

from __future__ import annotations

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
    """Return the names of the profiles that come with the kit."""
    return tuple(sorted(file.stem for file in (profiles_directory() / "providers").glob("*.toml")))


def find_profile(name_or_path: str | Path, relative_to: Path | None = None) -> Path:
    """Return the file of a profile: the path itself if there is such a file, else the profile of that name in the kit.

    Args:
        name_or_path: A path to a TOML file, or a name.
        relative_to: Directory from which relative paths count; the current one by default.

    Raises:
        ProfileError: There is no such file and no such name.
    """
    path = (relative_to or Path()) / name_or_path
    if path.is_file():
        return path
    text = str(name_or_path)
    if path.is_dir() and ("/" in text or text.endswith(".toml")):
        raise ProfileError(path, 0, "", "is a directory; name the profile's TOML file in it")
    if "/" in text or "\\" in text or text.endswith(".toml"):
        raise ProfileError("", 0, "", f'no profile at "{shown(path)}": there is no such file; check the path')
    file = profiles_directory() / "providers" / f"{text}.toml"
    if not text or not file.is_file():
        names = profile_names()
        raise ProfileError(
            "",
            0,
            "",
            f'no profile "{text}"{did_you_mean(text, names)}; the kit has {", ".join(names)}, '
            "any other is given by the path to its TOML file",
        )
    return file
