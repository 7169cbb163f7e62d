"""`python -m benchmarks strength`: how strong the programs of the corpus are."""

from __future__ import annotations

import argparse
from pathlib import Path

from benchmarks.strength.owners import measure as measure_owners
from benchmarks.strength.strangers import measure as measure_strangers
from tck.suite.corpus.cases import FOLDER

OUT = Path("tck-out/strength")


def main(words: list[str]) -> int:
    """Run the command; return its exit code."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks strength", description=__doc__)
    parser.add_argument(
        "--corpus", type=Path, default=FOLDER, metavar="DIR", help="the corpus (default: that of the suite)"
    )
    commands = parser.add_subparsers(dest="command", required=True)
    strangers = commands.add_parser("strangers", help="faults of strangers: noticed, and by the owner row")
    owners = commands.add_parser("owners", help="saboteurs: whether the first difference names their rows")
    for each, what in ((strangers, "fault"), (owners, "saboteur")):
        each.add_argument("--skip", type=int, default=1, metavar="N", help=f"one {what} of N")
        each.add_argument("--programs", type=int, metavar="N", help="the first N programs in the order of the seed")
        each.add_argument("--seed", type=int, default=1, metavar="N", help="of the order of the programs")
    given = parser.parse_args(words)
    measure = measure_owners if given.command == "owners" else measure_strangers
    out = OUT / f"{given.command}.json"
    return measure(given.corpus, skip=given.skip, programs=given.programs, seed=given.seed, out=out)
