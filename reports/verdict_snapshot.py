"""Verdict snapshot: the verdict of each assertion and case in one run or several, without the evidence.

A gate compares two of them. A snapshot is read from a bundle, from a gate file, or from a history (see
`tck.reports.earlier_runs`). May import `tck.record`; needs no catalogue.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from tck.record.lines import write_whole
from tck.record.outcomes import Verdict, worst
from tck.record.reader import Bundle
from tck.record.rows import Run

FORMAT = 1
"""The number of the gate file's format; a higher one is refused."""

Pair = tuple[str, str]
"""An assertion and the name of a case that judged it."""


class GateFileError(Exception):
    """A gate file cannot be used: what was expected and seen, where, and what to do."""


@dataclass(frozen=True, slots=True)
class Origin:
    """The run that verdicts come from, and its conditions."""

    run: str
    at: str
    """When the run started, ISO 8601."""
    provider: str
    version: str
    kit: str
    profile: str
    tier: str
    kind: str = "suite"
    """What was run: `suite`, or `workload` and the name of its plan."""
    catalogue: str = ""
    profile_digest: str = ""

    @property
    def subject(self) -> str:
        """The provider with its version."""
        return f"{self.provider} {self.version}".strip()


class CaseVerdict(NamedTuple):
    """The verdict of one run on a pair: the worst of all attempts, and the number of violations among them."""

    origin: int
    """The index of the run in `origins`."""
    verdict: Verdict
    failed: int = 0
    attempts: int = 1


@dataclass(frozen=True, slots=True)
class VerdictSnapshot:
    """The verdicts of one run or of several; all sequences go from the oldest run to the newest."""

    source: str
    """Its source as text: `run 2026...`, `gate file x.json`, `history DIR`."""
    kind: str
    """`bundle`, `file` or `history`."""
    origins: tuple[Origin, ...]
    case_verdicts: Mapping[Pair, tuple[CaseVerdict, ...]] = field(repr=False)

    @property
    def newest(self) -> Origin:
        """The last run."""
        return self.origins[-1]

    def last(self, pair: Pair) -> CaseVerdict | None:
        """Return the verdict of the last run that had the pair."""
        case_verdicts = self.case_verdicts.get(pair)
        return case_verdicts[-1] if case_verdicts else None

    def by_row(self) -> Mapping[str, tuple[str, ...]]:
        """Return the cases of each assertion."""
        cases: dict[str, list[str]] = defaultdict(list)
        for assertion, case in self.case_verdicts:
            cases[assertion].append(case)
        return {assertion: tuple(names) for assertion, names in cases.items()}


def origin_of(run: Run) -> Origin:
    """Return the origin of a run's verdicts."""
    return Origin(
        run=run.run,
        at=run.started,
        provider=run.provider.name or run.profile.title,
        version=run.provider.version,
        kit=run.kit.version,
        profile=run.profile.name,
        tier=run.profile.tier,
        kind=kind_of(run.kind, run.selection),
        catalogue=run.catalogue.digest,
        profile_digest=run.profile.digest,
    )


def kind_of(kind: str, selection: Iterable[str]) -> str:
    """Return the kind of run: `suite`, whatever was selected, or `workload` and its plan."""
    return " ".join((kind, *selection)) if kind == "workload" else kind


def of_bundle(bundle: Bundle) -> VerdictSnapshot:
    """Return the snapshot of a run."""
    verdicts: dict[Pair, list[Verdict]] = defaultdict(list)
    for result in bundle.results():
        for assertion, verdict in result.verdicts.items():
            verdicts[assertion, result.case].append(verdict)
    case_verdicts = {pair: (_case_verdict(found),) for pair, found in verdicts.items()}
    return VerdictSnapshot(f"run {bundle.run.run}", "bundle", (origin_of(bundle.run),), case_verdicts)


def _case_verdict(verdicts: list[Verdict]) -> CaseVerdict:
    return CaseVerdict(0, worst(verdicts), sum(each is Verdict.VIOLATION for each in verdicts), len(verdicts))


def write(snapshot: VerdictSnapshot, path: Path) -> Path:
    """Write the gate file of one run: small, sorted and reproducible, so that it can be kept with the sources."""
    rows: dict[str, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    unsteady: dict[str, dict[str, list[int]]] = defaultdict(dict)
    for (assertion, case), (entry, *_) in sorted(snapshot.case_verdicts.items()):
        rows[assertion][entry.verdict.value].append(case)
        if 0 < entry.failed < entry.attempts:
            unsteady[assertion][case] = [entry.failed, entry.attempts]
    content = {"gate": FORMAT, "of": asdict(snapshot.newest), "verdicts": rows, "unsteady": unsteady}
    write_whole(path, (json.dumps(content, indent=1, sort_keys=True) + "\n").encode("ascii"))
    return path


def read(path: Path) -> VerdictSnapshot:
    """Read a gate file.

    Raises:
        GateFileError: The file is no gate file, is damaged, or was written by a newer kit.
    """
    content = _content(path)
    try:
        origin = Origin(**content["of"])
        case_verdicts = dict(_case_verdicts(content["verdicts"], content["unsteady"]))
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise GateFileError(f"{path}: the gate file is damaged ({error}); {_AGAIN}") from error
    if not case_verdicts:
        raise GateFileError(f"{path}: the gate file holds no verdict; {_AGAIN}")
    return VerdictSnapshot(f"gate file {path}", "file", (origin,), case_verdicts)


_AGAIN = "write it again with `tck gate RUN --write FILE`"


def _content(path: Path) -> dict[str, Any]:
    try:
        content = json.loads(path.read_bytes())
    except (OSError, ValueError) as error:
        raise GateFileError(f"{path}: expected a gate file, saw {error}; {_AGAIN}") from error
    number = content.get("gate") if isinstance(content, dict) else None
    if not isinstance(content, dict) or not isinstance(number, int):
        raise GateFileError(f"{path}: expected a gate file, saw another JSON value; {_AGAIN}")
    if number > FORMAT:
        raise GateFileError(f"{path}: expected gate format {FORMAT} or lower, saw {number}; use the kit that wrote it")
    return content


def _case_verdicts(rows: Mapping[str, Any], unsteady: Mapping[str, Any]) -> Iterable[tuple[Pair, tuple[CaseVerdict]]]:
    for assertion, verdicts in rows.items():
        for word, cases in verdicts.items():
            verdict = Verdict(word)
            for case in cases:
                failed, attempts = unsteady.get(assertion, {}).get(case, (int(verdict is Verdict.VIOLATION), 1))
                yield (assertion, str(case)), (CaseVerdict(0, verdict, int(failed), int(attempts)),)
