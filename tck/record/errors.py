"""Why a run bundle was refused, by name.

BundleError
 +-- MissingBundle      no such folder, or a file of the bundle is gone
 +-- EmptyBundle        the folder holds nothing, or no result
 +-- NewerBundle        written by a newer kit
 +-- TruncatedBundle    the run did not end, or a file lost its tail
 +-- DuplicatedBundle   one attempt at one case, or one event, twice
 +-- TamperedBundle     a file is not what the run wrote
"""

from __future__ import annotations

from pathlib import Path


class BundleError(Exception):
    """A bundle cannot be trusted: what was seen, where, and what to do.

    Args:
        what: What was expected and what was seen.
        path: The file or folder.
        line: The line of the file, from 1, where one is known.
        todo: What the reader of the message can do next.
    """

    def __init__(self, what: str, *, path: Path, todo: str, line: int | None = None) -> None:
        self.what = what
        self.path = path
        self.line = line
        self.todo = todo
        where = str(path) if line is None else f"{path}:{line}"
        super().__init__(f"{where}: {what}. {todo}.")


class MissingBundle(BundleError):  # noqa: N818 - the name says what is wrong with the bundle
    """There is no such folder, or a file of the bundle is gone."""


class EmptyBundle(BundleError):  # noqa: N818 - as above
    """The folder holds nothing, or no result."""


class NewerBundle(BundleError):  # noqa: N818 - as above
    """The bundle was written by a newer kit."""


class TruncatedBundle(BundleError):  # noqa: N818 - as above
    """The run did not end, or a file lost its tail."""


class DuplicatedBundle(BundleError):  # noqa: N818 - as above
    """One attempt at one case, or one event, is there twice."""


class TamperedBundle(BundleError):  # noqa: N818 - as above
    """A file differs from the one that the run wrote."""
