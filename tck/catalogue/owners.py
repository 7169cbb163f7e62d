"""The owner of each call: the row that a provider breaks when it refuses the call although it is legal; and that of each hook.

Read from `data/call-owners.toml` and checked against the catalogue. Imports the catalogue's own modules only.
"""

from __future__ import annotations

import dataclasses
import fnmatch
import functools
import tomllib
from collections.abc import Mapping
from pathlib import Path

from tck.catalogue.errors import CatalogueError
from tck.catalogue.lines import syntax_error
from tck.catalogue.loader import DATA, load_catalogue
from tck.catalogue.model import Catalogue, Level

OWNERS = "call-owners.toml"


@dataclasses.dataclass(frozen=True, slots=True)
class HookOwner:
    """The row that a hook without an effect is reported at.

    Attributes:
        hook: The hook.
        row: The row.
        at: The row whose cases look whether the hook has an effect, besides those that need it.
    """

    hook: str
    row: str
    at: str


@dataclasses.dataclass(frozen=True, slots=True)
class CallOwners:
    """The rows that own calls and hooks.

    Attributes:
        catalogue: The rows.
        owned: Patterns of calls with their row, in the order in which they are asked.
        unowned: Patterns of calls that no row owns, with the reason.
        hooks: The owners of hooks by hook.
        present: The rows that say themselves that calls are there: a missing one breaks them, too.
    """

    catalogue: Catalogue
    owned: tuple[tuple[str, str], ...]
    unowned: tuple[tuple[str, str], ...]
    hooks: Mapping[str, HookOwner]
    present: frozenset[str]

    def of(self, call: str, version: str) -> str | None:
        """Return the row that owns a call, named as events name it, under a version; None if none does."""
        for name in (call, call.removesuffix("(null)")):
            for pattern, row in self.owned:
                if fnmatch.fnmatchcase(name, pattern) and self.catalogue[row].applies_to(version):
                    return row
        return None

    def knows(self, call: str) -> bool:
        """Return whether a call has an owner, or a reason to have none."""
        return any(fnmatch.fnmatchcase(call, pattern) for pattern, _ in (*self.owned, *self.unowned))


@functools.cache
def load_call_owners(directory: Path = DATA) -> CallOwners:
    """Read and check the owners of calls; once for each folder.

    Raises:
        CatalogueError: An owner is no judged requirement, or the file is not of its form.
    """
    file = directory / OWNERS
    content = file.read_text(encoding="utf-8")
    try:
        data = tomllib.loads(content)
    except tomllib.TOMLDecodeError as error:
        line, message = syntax_error(error)
        raise CatalogueError(file, line, "", message) from None
    catalogue = load_catalogue(directory)
    for id_ in [*(entry["row"] for entry in (*data["owner"], *data["hook"])), *data["present"]]:
        row = catalogue.get(id_)
        if row is None or not row.judged or row.level is not Level.MUST:
            raise CatalogueError(file, 0, id_, "owns calls or a hook, so it must be a judged row of level MUST")
    return CallOwners(
        catalogue,
        tuple((call, entry["row"]) for entry in data["owner"] for call in entry["calls"]),
        tuple((call, entry["reason"]) for entry in data["unowned"] for call in entry["calls"]),
        {
            entry["hook"]: HookOwner(entry["hook"], entry["row"], entry.get("at", entry["row"]))
            for entry in data["hook"]
        },
        frozenset(data["present"]),
    )
