"""`python -m benchmarks mutants`: change the provider's source at random; does the suite report a violation?"""

from __future__ import annotations

import argparse
import os
import sys
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from benchmarks.mutants.cases import ROOT
from benchmarks.mutants.hunt import Fate, Hunt

SAME = Path(__file__).parent.parent / "mutants" / "same_behaviour.toml"
NOTES = Path("tck-out") / "mutants"
WANTED = 0.95
"""Required share of killed mutants among those that change behaviour."""


def main(arguments: Sequence[str]) -> int:
    """Hunt mutants; return the exit code.

    0: the suite kills at least 95% of the requested number; 1: fewer; 4: the hunt could not run; 5: some are left, after a
    slice by `--seconds`.
    """
    options = _parser().parse_args(arguments)
    hunt = Hunt(
        options.seed,
        options.count,
        options.seconds,
        options.only,
        options.notes.absolute(),
        read_same(),
        options.section,
    )
    os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"
    suite = ROOT / "tck" / "suite"
    fixed = [
        "-c",
        str(ROOT / "tck" / "cli" / "support" / "suite.ini"),
        "--rootdir",
        str(ROOT),
        "--confcutdir",
        str(suite),
        "-q",
    ]
    code = pytest.main([*fixed, "-p", "tck.plugin", "--detect", "--seed", str(options.seed), str(suite)], [hunt])
    if code != pytest.ExitCode.OK:
        print(f"mutants: the suite could not be run, pytest ended with {code}", file=sys.stderr)
        return 4
    fates = list(hunt.fates.values())
    print(as_text(fates, options.count))
    if not options.only and living(fates) < options.count:
        return 5
    return int(share(fates) < WANTED)


def read_same(path: Path = SAME) -> Mapping[str, str]:
    """Read the mutants that are known to behave like the original, with the reasons."""
    rows = tomllib.loads(path.read_text(encoding="utf-8"))["mutant"]
    return {row["id"].replace('"', "'"): row["why"] for row in rows}


def living(fates: Sequence[Fate]) -> int:
    """Count the mutants that lived: the provider could be loaded."""
    return sum(fate.fate != "stillborn" for fate in fates)


def share(fates: Sequence[Fate]) -> float:
    """Return the share of killed mutants among those that lived; 1 if there are none."""
    lived = [fate for fate in fates if fate.fate != "stillborn"]
    return sum(fate.fate == "killed" for fate in lived) / len(lived) if lived else 1.0


def as_text(fates: Sequence[Fate], wanted: int) -> str:
    """Render the survivors and the totals."""
    lived = [fate for fate in fates if fate.fate != "stillborn"]
    survivors = [fate for fate in lived if fate.fate == "survived"]
    lines = [f"  SURVIVED {fate.place}  {fate.id}  ({fate.cases} cases{_noticed(fate)})" for fate in survivors]
    killed = len(lived) - len(survivors)
    sum_ = f"mutants {len(lived)} of {wanted}, killed {killed} ({share(fates):.1%}), survived {len(survivors)}"
    return "\n".join([*lines, f"{sum_}, stillborn {len(fates) - len(lived)}"])


def _noticed(fate: Fate) -> str:
    return f", {fate.undecided} of them undecided; {fate.by}" if fate.undecided or fate.by else ""


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks mutants", description=__doc__)
    parser.add_argument("--seed", type=int, default=1, help="selects the mutants")
    parser.add_argument("--count", type=int, default=200, help="number of mutants that change behaviour")
    parser.add_argument("--seconds", type=float, default=1e9, help="stop after that; the next call continues")
    parser.add_argument(
        "--only", action="append", default=[], metavar="TEXT", help="only mutants whose id contains TEXT"
    )
    parser.add_argument(
        "--section", action="append", default=[], metavar="PREFIX", help="only functions that cases named so enter: 3."
    )
    parser.add_argument("--notes", type=Path, default=NOTES, help="folder for the results so far")
    return parser
