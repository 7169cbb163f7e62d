"""`python -m benchmarks strength`: how strong the programs of the corpus are."""

from __future__ import annotations

import argparse
from pathlib import Path

from benchmarks.strength.making import make, trim
from benchmarks.strength.owners import measure as measure_owners
from benchmarks.strength.strangers import measure as measure_strangers
from tck.suite.support.corpus import FOLDER

OUT = Path("tck-out/strength")
PROGRAMS = 800


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
    strangers.add_argument("--round", default="", metavar="N", help="of one red round, such as 14 or 14_a")
    corpus = commands.add_parser("corpus", help="make the corpus anew, in place of the one that is there")
    corpus.add_argument("--programs", type=int, default=PROGRAMS, metavar="N", help=f"how many (default: {PROGRAMS})")
    corpus.add_argument("--seed", type=int, default=1, metavar="N", help="of the generator (default: 1)")
    corpus.add_argument(
        "--leave-out", type=Path, metavar="FILE", help="programs that do not enter, one SEED/NUMBER a line"
    )
    trimmed = commands.add_parser(
        "trim", help="leave programs out of a corpus that is not published, and number the others anew"
    )
    trimmed.add_argument(
        "--programs", type=int, default=PROGRAMS, metavar="N", help=f"how many stay (default: {PROGRAMS})"
    )
    trimmed.add_argument(
        "--leave-out", type=Path, required=True, metavar="FILE", help="programs that do not stay, as above"
    )
    trimmed.add_argument(
        "--confirmed",
        type=Path,
        metavar="FILE",
        help="lines of SEED/NUMBER and the brokers that agree with the program",
    )
    given = parser.parse_args(words)
    if given.command in {"corpus", "trim"}:
        left_out = _named(given.leave_out) if given.leave_out else ()
        if given.command == "trim":
            return trim(given.corpus, given.programs, left_out, _lines(given.confirmed) if given.confirmed else {})
        return make(given.corpus, given.seed, given.programs, left_out)
    out = OUT / f"{given.command}.json"
    if given.command == "owners":
        return measure_owners(given.corpus, skip=given.skip, programs=given.programs, seed=given.seed, out=out)
    return measure_strangers(
        given.corpus, skip=given.skip, programs=given.programs, seed=given.seed, out=out, round_=given.round
    )


def _named(file: Path) -> tuple[str, ...]:
    """Return the programs of a file: the first word of each line; lines that begin with # are remarks."""
    return tuple(_lines(file))


def _lines(file: Path) -> dict[str, list[str]]:
    """Return the words behind the first one of each line of a file, by that."""
    lines = [line.split() for line in file.read_text(encoding="utf-8").splitlines() if not line.startswith("#")]
    return {first: rest for first, *rest in filter(None, lines)}
