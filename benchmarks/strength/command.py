"""`python -m benchmarks strength`: how strong the programs of the corpus are."""

from __future__ import annotations

import argparse
from pathlib import Path

from benchmarks.strength.strangers import measure as measure_strangers
from tck.suite.support.corpus import FOLDER

OUT = Path("tck-out/strength")


def main(words: list[str]) -> int:
    """Run the command; return its exit code."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks strength", description=__doc__)
    parser.add_argument(
        "--corpus", type=Path, default=FOLDER, metavar="DIR", help="the corpus (default: that of the suite)"
    )
    commands = parser.add_subparsers(dest="command", required=True)
    strangers = commands.add_parser("strangers", help="faults of strangers: noticed, and by the owner row")
    strangers.add_argument("--skip", type=int, default=1, metavar="N", help="one fault of N")
    strangers.add_argument("--programs", type=int, metavar="N", help="the first N programs in the order of the seed")
    strangers.add_argument("--seed", type=int, default=1, metavar="N", help="of the order of the programs")
    given = parser.parse_args(words)
    return measure_strangers(
        given.corpus, skip=given.skip, programs=given.programs, seed=given.seed, out=OUT / "strangers.json"
    )
