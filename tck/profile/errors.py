"""The errors of profiles, tiers and adapters. Imports nothing of ours."""

from __future__ import annotations

from pathlib import Path


class ProfileError(Exception):
    """Report a profile or a tier that cannot be used; the command line answers it with exit code 4.

    Attributes:
        file: The file, as short as it can be named; empty when no file was found.
        line: The line in it, counted from 1; 0 when the whole file is meant.
        key: The key, such as ``claims.features``; empty when the line itself is meant.
        message: What was expected, what was seen and what to do.
    """

    def __init__(self, file: Path | str, line: int, key: str, message: str) -> None:
        self.file = shown(file) if file else ""
        self.line = line
        self.key = key
        self.message = message
        place = f"{self.file}:{line}" if line else self.file
        super().__init__(": ".join(part for part in (place, key, message) if part))


class AdapterError(Exception):
    """Report an adapter that cannot be used: the profile's target is wrong, or is not an adapter."""


class ProviderUnreachable(AdapterError):  # noqa: N818 - an outcome with its own exit code, 6, named as such
    """Report that the adapter is there and failed to open the provider; the message carries the native text."""


def shown(file: Path | str) -> str:
    """Return a path as people would type it: relative where it lies below the current directory."""
    path = Path(file)
    try:
        return str(path.resolve().relative_to(Path.cwd()))
    except (ValueError, OSError):
        return str(path)
