"""The page of versions: each version of the reference provider under each tier, with the rows that differ.

`python tests/docs/docs_versions.py` measures all pairs and renews page and figures, in about ten minutes; the tests compare
what they measure with the figures.
"""

from __future__ import annotations

import itertools
import json
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path

from tck.catalogue import load_catalogue
from tck.catalogue.versions import SINCE, VERSIONS, offers
from tck.record import Bundle
from tck.record.outcomes import Verdict, worst

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "examples" / "versions.md"
FIGURES = PAGE.with_suffix(".json")
SEED = 1
"""Chooses the one point of each test, so that a row is judged at the same point by the next run."""
PATIENCE = 600
"""Seconds for one pair; on an idle machine with two cores one takes 10 to 30."""
HEAD = """# Each version under each tier

Written by `python tests/docs/docs_versions.py`.

The reference provider plays each version of the specification: `tck run -p reference --tier 2.0 --setting version='"1.1"'` measures it as 1.1 by the rules of 2.0. A call that came with
a later version raises UnsupportedOperationException there.
"""
LEGEND = """
A cell has the numbers of rows that are broken by what the version does / refused, since it does not have a call / undecided, since a case calls what it does not have / conformant. Each test
ran at one of its points.
"""
KINDS = {
    "violated": "In force in the tier only, and broken",
    "refused": "In force in the tier only, and refused: the version does not have the call",
    "kept": "In force in the tier only, and kept, since the older text leaves it open",
    "contrary": "In force in both, and broken or undecided where one of the two texts has a rule of its own",
    "elsewhere": "In force in both, and refused or undecided where the tier asks for it in an interface that came later",
}
CONTRARY = {
    "3.4-1": "4.2.2-31",
    "3.4.5-2": "4.2.2-31",
    "8.3.1-8": "4.2.2-31",
    "8.3.1-16": "4.2.2-31",
    "3.8.1.1-4": "3.8.1.1-114",
    "3.8.1.1-37": "3.4.4-8",
    "3.11.3-2": "3.11.3-19",
    "3.11.3-4": "3.11.3-19",
    "3.11.3-6": "3.11.3-19",
    "3.12-16": "3.11-32",
    "7.4-11": "7.9-1",
    "10.3-31": "3.11.3-19",
}
"""Rows in force in every version, each with the row of the first one alone that changes what its cases see."""
REFUSAL = re.compile(r"came with JMS|raises UnsupportedOperationException|java\.lang\.UnsupportedOperationException")
"""How an observation names a call that the version does not have."""


@dataclass(frozen=True)
class Cell:
    """The rows of a tier by their verdicts on a provider that plays a version.

    Attributes:
        violated: ids of rows that are broken by what the version does.
        refused: ids of rows that are broken since a call is missing.
        undecided: ids of rows that could not be judged since a call is missing.
        kept: ids of rows that hold though they are not in force in the version.
        conformant: the number of rows that hold.
        exit: the exit code of the run.
    """

    violated: list[str] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)
    undecided: list[str] = field(default_factory=list)
    kept: list[str] = field(default_factory=list)
    conformant: int = 0
    exit: int = 0

    @property
    def differing(self) -> list[str]:
        """Return the ids of the rows that do not hold."""
        return in_order([*self.violated, *self.refused, *self.undecided])

    @property
    def numbers(self) -> str:
        """Return the cell as the matrix shows it."""
        return f"{len(self.violated)} / {len(self.refused)} / {len(self.undecided)} / {self.conformant}"


def pairs() -> list[tuple[str, str]]:
    """Return each version with each tier."""
    return list(itertools.product(VERSIONS, VERSIONS))


def key(played: str, tier: str) -> str:
    """Return the name of a cell among the figures."""
    return f"{played} under {tier}"


def measure(played: str, tier: str) -> Cell:
    """Run a tier on the provider as it is in a version."""
    with tempfile.TemporaryDirectory() as out:
        command = [
            *(sys.executable, "-m", "tck", "run", "-p", "reference", "--tier", tier),
            *("--setting", f'version="{played}"', "--points", "one", "--seed", str(SEED)),
            *("--no-report", "--format", "json", "--out", out),
        ]
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=PATIENCE, check=False)
        if not done.stdout:
            raise RuntimeError(f"{' '.join(command)} ended with {done.returncode}\n{done.stderr}")
        return cell_of(Bundle.open(json.loads(done.stdout)["bundle"]), played, done.returncode)


def cell_of(bundle: Bundle, played: str, code: int) -> Cell:
    """Return the verdicts of a run, row by row."""
    found: dict[str, list[tuple[Verdict, bool]]] = {}
    for result in bundle.results():
        missing = bool(REFUSAL.search(f"{result.observed} {result.explanation}"))
        for row, verdict in result.verdicts.items():
            found.setdefault(row, []).append((Verdict(verdict), missing))
    cell: dict[str, list[str]] = {"violated": [], "refused": [], "undecided": [], "conformant": []}
    for row, seen in found.items():
        verdict = worst(each for each, _ in seen)
        if verdict not in {Verdict.CONFORMANT, Verdict.OBSERVATION, Verdict.UNSUPPORTED}:
            cell[_kind(row, verdict, missing=all(missing for each, missing in seen if each is verdict))].append(row)
        elif verdict is Verdict.CONFORMANT:
            cell["conformant"].append(row)
    lists = {name: in_order(cell[name]) for name in ("violated", "refused", "undecided")}
    kept = in_order([row for row in cell["conformant"] if not load_catalogue()[row].applies_to(played)])
    return Cell(**lists, kept=kept, conformant=len(cell["conformant"]), exit=code)


def _kind(row: str, verdict: Verdict, *, missing: bool) -> str:
    if verdict in {Verdict.VIOLATION, Verdict.ADVISORY}:
        return "refused" if missing else "violated"
    if verdict in {Verdict.UNDECIDED, Verdict.INCONCLUSIVE}:
        return "undecided"
    raise RuntimeError(f"{row}: {verdict} is no verdict on a version")


def in_order(rows: Iterable[str]) -> list[str]:
    """Return ids in the order of the catalogue."""
    wanted = set(rows)
    return [row.id for row in load_catalogue().values() if row.id in wanted]


def strange(played: str, tier: str, cell: Cell) -> list[str]:
    """Return the rows that a version breaks though they are in force in it and no text says otherwise: our own faults.

    An undecided row is one too, unless the tier has something that the version does not have.
    """
    lacks = any(offers(tier, part) and not offers(played, part) for part in SINCE)
    broken = [row for row in (*cell.violated, *([] if lacks else cell.undecided)) if _in_force(row, played)]
    return [row for row in broken if not _says_otherwise(row, played, tier)]


def _in_force(row: str, version: str) -> bool:
    return load_catalogue()[row].applies_to(version)


def _says_otherwise(row: str, played: str, tier: str) -> bool:
    """Whether just one of two versions has the rule that changes what the cases of a row see."""
    rule = load_catalogue().get(CONTRARY.get(row, ""))
    return rule is not None and rule.applies_to(played) != rule.applies_to(tier)


def figures() -> dict[str, Cell]:
    """Return the stored figures."""
    return {name: Cell(**cell) for name, cell in json.loads(FIGURES.read_text(encoding="utf-8")).items()}


def page(cells: Mapping[str, Cell]) -> str:
    """Return the page of these figures."""
    lines = [HEAD, f"| played | {' | '.join(f'tier {tier}' for tier in VERSIONS)} |", f"|---{'|---' * len(VERSIONS)}|"]
    lines += [f"| {each} | {' | '.join(cells[key(each, tier)].numbers for tier in VERSIONS)} |" for each in VERSIONS]
    lines += [LEGEND]
    for kind, title in KINDS.items():
        lines += [f"## {title}", ""]
        for where, rows in _by_cells(kind, cells).items():
            lines += [f"**{', '.join(where)}**", "", *(f"- {_listed(chapter)}" for chapter in _chapters(rows)), ""]
    return "\n".join(lines).rstrip() + "\n"


def _by_cells(kind: str, cells: Mapping[str, Cell]) -> dict[tuple[str, ...], list[str]]:
    """Return the rows of a kind by the cells they are in; each row is in one list."""
    where: dict[str, list[str]] = {}
    for played, tier in pairs():
        for row in rows_of(kind, played, tier, cells[key(played, tier)]):
            where.setdefault(row, []).append(key(played, tier))
    found: dict[tuple[str, ...], list[str]] = {}
    for row in in_order(where):
        found.setdefault(tuple(where[row]), []).append(row)
    return found


def rows_of(kind: str, played: str, tier: str, cell: Cell) -> list[str]:
    """Return the rows of a cell that belong to a kind of `KINDS`."""
    if kind == "kept":
        return cell.kept
    missing = [*cell.refused, *cell.undecided]
    if kind in {"violated", "refused"}:
        return [row for row in (cell.violated if kind == "violated" else missing) if not _in_force(row, played)]
    contrary = [row for row in cell.undecided if _says_otherwise(row, played, tier)]
    rows = [*cell.violated, *contrary] if kind == "contrary" else [row for row in missing if row not in contrary]
    return [row for row in rows if _in_force(row, played)]


def _chapters(rows: Sequence[str]) -> Iterator[list[str]]:
    for _, chapter in itertools.groupby(rows, lambda row: row.split(".")[0]):
        yield list(chapter)


def _listed(rows: Sequence[str]) -> str:
    return ", ".join(f"{row} {load_catalogue()[row].title}" for row in rows)


def renew() -> None:
    """Measure all pairs, and write figures and page."""
    cells = {key(*pair): measure(*pair) for pair in pairs()}
    FIGURES.write_text(
        json.dumps({name: asdict(cell) for name, cell in cells.items()}, indent=1) + "\n", encoding="utf-8"
    )
    PAGE.write_text(page(cells), encoding="utf-8")


if __name__ == "__main__":
    renew()
