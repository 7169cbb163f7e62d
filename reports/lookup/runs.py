"""Recorded runs that an answer can be taken from: of the reference provider, as kit and catalogue are now; and of others.

May import `tck.record` and `tck.catalogue`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tck import __version__
from tck.catalogue import Assertion, Catalogue
from tck.catalogue.errors import did_you_mean
from tck.record import Bundle, BundleError
from tck.record.lines import read_object
from tck.record.runs import run_folders

LOOK_BACK = 40
"""Runs in a folder that are looked into."""
MOST_OTHERS = 5
"""Other providers whose runs are named."""


class NoCaseError(LookupError):
    """No run has the case that was named; the message says which there are."""


@dataclass(frozen=True, slots=True)
class ReferenceRuns:
    """The recorded runs of the reference provider that answer a question as it is now.

    Attributes:
        places: Output folders, in the order in which they are looked into.
        profile: The name of the reference provider's profile.
        catalogue: The catalogue that a run has to have been judged by.
        version: The specification version that it has to have played; empty for what the profile claims.
    """

    places: tuple[Path, ...]
    profile: str
    catalogue: Catalogue
    version: str

    def newest(self, row: str = "") -> Bundle | None:
        """Open the newest run that fits, and, where a row is named, that has a case of it."""
        for place in self.places:
            for folder in run_folders(place)[: -LOOK_BACK - 1 : -1]:
                bundle = self._opened(folder)
                if bundle is not None and (not row or row in bundle.by_assertion):
                    return bundle
        return None

    def with_case(self, row: Assertion, case: str, at_hand: Bundle | None) -> Bundle | None:
        """Return a run that has a case of the row, that which was named if one was: the one at hand, else the newest."""
        if _has(at_hand, row, case):
            return at_hand
        newest = self.newest(row.id)
        return newest if _has(newest, row, case) else None

    def _opened(self, folder: Path) -> Bundle | None:
        try:
            return Bundle.open(folder) if self._fits(read_object(folder / "run.json", todo="")) else None
        except (BundleError, KeyError, TypeError):
            return None

    def _fits(self, about: Mapping[str, Any]) -> bool:
        """Whether `run.json` is that of the reference provider: no setting overridden, this kit, catalogue and version."""
        profile = about["profile"]
        return (
            profile["name"] == self.profile
            and profile["tier"] == (self.version or profile["claims"]["version"])
            and about["catalogue"]["digest"] == self.catalogue.digest
            and about["kit"]["version"] == __version__
            and about["kind"] == "suite"
            and not any(word.startswith("--setting") for word in about["command"])
        )


def _has(bundle: Bundle | None, row: Assertion, case: str) -> bool:
    """Tell whether a run has a case of a row, and the case that was named, if one was."""
    if bundle is None or row.id not in bundle.by_assertion:
        return False
    return not case or any(each.case == case for each in bundle.cases())


def check_case(case: str, row: Assertion, runs: Sequence[Bundle]) -> None:
    """Refuse the name of a case that no run has.

    Raises:
        NoCaseError: With the cases that there are.
    """
    if not case or any(each.case == case for bundle in runs for each in bundle.cases()):
        return
    names = [result.case for bundle in runs for result in bundle.by_assertion.get(row.id, ())]
    there = ", ".join(dict.fromkeys(names)) or f"none of {row.id}"
    raise NoCaseError(f"no case {case}{did_you_mean(case, names)}; there are {there}")


def of_others(out: Path, profile: str) -> dict[str, str]:
    """Return the newest run of each provider but one: names of profiles, and ids of runs."""
    newest: dict[str, str] = {}
    for folder in run_folders(out)[: -LOOK_BACK - 1 : -1]:
        try:
            about = read_object(folder / "run.json", todo="")
            name, kind = str(about["profile"]["name"]), str(about["kind"])
        except (BundleError, KeyError, TypeError):
            continue
        if kind == "suite" and name != profile:
            newest.setdefault(name, folder.name)
    return dict(list(newest.items())[:MOST_OTHERS])
