"""`python -m benchmarks strength`: how strong suite and corpus are, and the programs of the corpus alone."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

from benchmarks.strength.batch import run as run_batch
from benchmarks.strength.batch import survivors
from benchmarks.strength.choosing import choose
from benchmarks.strength.confirming import confirm
from benchmarks.strength.gaps import run as run_gaps
from benchmarks.strength.growing import grow
from benchmarks.strength.in_place import SUITE
from benchmarks.strength.kept import broken, kept, table
from benchmarks.strength.making import make
from benchmarks.strength.owners import measure as measure_owners
from benchmarks.strength.pairs import run as run_pairs
from benchmarks.strength.reducing import reduce
from benchmarks.strength.states.titles import write as write_titles
from benchmarks.strength.strangers import measure as measure_strangers
from benchmarks.strength.worth import run as run_worth
from faults.finding import grounds
from tck.suite.support.corpus import FOLDER

OUT = Path("tck-out/strength")
PROGRAMS = 800
POOL = 2000
CROSSINGS = 500
FAULTS = 3000
MOST = 1200


def main(words: list[str]) -> int:
    """Run the command; return its exit code."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks strength", description=__doc__)
    parser.add_argument(
        "--corpus", type=Path, default=FOLDER, metavar="DIR", help="the corpus (default: that of the suite)"
    )
    commands = parser.add_subparsers(dest="command", required=True)
    _measures(commands)
    _making(commands)
    given = parser.parse_args(words)
    folder, command = given.corpus, given.command
    if command == "batch":
        if given.mutants and given.on:
            parser.error("mutants change the reference provider: leave --on out")
        wanted = {"mutants": given.mutants, "ground": given.on, "keeps": given.keep, "cases": given.cases}
        return run_batch(given.seed, given.count, given.seconds, _folder(given.on), **wanted)
    if command in {"faults", "batches", "survivors"}:
        return _show(command, getattr(given, "seed", 0), getattr(given, "on", ""))
    if command == "gaps":
        return run_gaps(OUT, given.most)
    if command == "cases":
        return run_worth(OUT, given.seed, given.count, given.most, given.table, given.times)
    if command == "pairs":
        return run_pairs(given.names, OUT)
    if command == "confirm":
        return confirm(folder, given.profile, OUT / "confirm" / given.profile, given.words)
    if command in {"corpus", "choose", "grow", "reduce", "titles"}:
        return _make(given)
    if command == "owners":
        return measure_owners(folder, half=given.half, skip=given.skip, programs=given.programs, seed=given.seed)
    asked = {"skip": given.skip, "programs": given.programs, "seed": given.seed, "round_": given.round}
    return measure_strangers(folder, out=OUT / f"{command}.json", **asked)


def _make(given: argparse.Namespace) -> int:
    """Make a corpus, choose one, or add to the pool it is chosen from."""
    out = OUT.absolute()
    if given.command == "titles":
        write_titles(given.corpus)
        return 0
    if given.command == "grow":
        return grow(out, seed=given.seed, faults=given.faults)
    if given.command == "reduce":
        return reduce(given.corpus, out, given.seed, given.seconds)
    left_out = _named(given.leave_out)
    if given.command == "corpus":
        return make(given.corpus, given.seed, given.programs, left_out)
    size = {"candidates": given.pool, "crossed": given.crossings, "faults": given.faults, "most": given.programs}
    return choose(given.corpus, out, seed=given.seed, seconds=given.seconds, leave_out=left_out, **size)


def _measures(commands: Any) -> None:  # noqa: ANN401 - argparse does not name it
    strangers = commands.add_parser("strangers", help="faults of strangers: noticed, and by the owner row")
    owners = commands.add_parser(
        "owners", help="broad faults: whether the first difference names a row that they break"
    )
    for each, what in ((strangers, "fault"), (owners, "saboteur")):
        each.add_argument("--skip", type=int, default=1, metavar="N", help=f"one {what} of N")
        each.add_argument("--programs", type=int, metavar="N", help="the first N programs in the order of the seed")
        each.add_argument("--seed", type=int, default=1, metavar="N", help="of the order of the programs")
    owners.add_argument("--half", choices=("a", "b"), default="", help="on which owners are calibrated, or measured")
    strangers.add_argument("--round", default="", metavar="N", help="of one round, such as 14")
    batch = commands.add_parser("batch", help="draw composed faults, and meet them with the cases that they infect")
    batch.add_argument("--seed", type=int, required=True, metavar="N", help="of the draw")
    batch.add_argument("--count", type=int, default=300, metavar="N", help="faults that change anything (default: 300)")
    batch.add_argument(
        "--seconds", type=float, default=1e9, metavar="S", help="stop after that; the next call continues"
    )
    batch.add_argument(
        "--mutants", action="store_true", help="random mutants of the provider in place of composed faults"
    )
    batch.add_argument(
        "--cases", type=Path, default=SUITE, metavar="DIR", help="those below a folder of the suite only"
    )
    batch.add_argument(
        "--on", default="", choices=sorted(grounds()), help="on this lawful provider, a model of other brokers"
    )
    batch.add_argument("--keep", action="store_true", help="add the figures to benchmarks/strength/batches.csv")
    commands.add_parser("faults", help="what is broken, counted, as in docs/strength.md")
    commands.add_parser("batches", help="the figures of the batches that were kept, as in docs/strength.md")
    unmet = commands.add_parser(
        "gaps", help="the circumstances that no case and no program meets, by the ways of messages"
    )
    unmet.add_argument("--most", type=int, default=12, metavar="N", help="name so many of each way (default: 12)")
    worth = commands.add_parser("cases", help="the hand-written cases that notice and reach nothing that others do not")
    worth.add_argument("--seed", type=int, default=1, metavar="N", help="of the draw (default: 1)")
    worth.add_argument("--count", type=int, default=400, metavar="N", help="faults that reach a case (default: 400)")
    worth.add_argument("--most", type=int, default=40, metavar="N", help="name so many cases (default: 40)")
    worth.add_argument("--table", type=Path, metavar="FILE", help="write what `tck run --budget` goes by; with --times")
    worth.add_argument("--times", type=Path, metavar="BUNDLE", help="of a run of a broker, for the time of each test")
    left = commands.add_parser("survivors", help="the faults of a batch that were not noticed, by bin")
    left.add_argument("--seed", type=int, required=True, metavar="N", help="of the batch")
    left.add_argument("--on", default="", choices=sorted(grounds()), help="of a batch on this lawful provider")
    paired = commands.add_parser("pairs", help="narrow faults that a broad one under circumstances gives")
    paired.add_argument(
        "names", nargs="*", metavar="FAULT", help="narrow faults; all that the suite's authors wrote if none"
    )
    confirmed = commands.add_parser("confirm", help="run the programs on a broker, and note those with which it agrees")
    confirmed.add_argument("--profile", "-p", required=True, metavar="NAME", help="of the broker")
    confirmed.add_argument("words", nargs="*", metavar="WORD", help="selectors of `tck run`, such as corpus/0137")


def _making(commands: Any) -> None:  # noqa: ANN401 - argparse does not name it
    corpus = commands.add_parser("corpus", help="make the corpus anew, in place of the one that is there")
    choice = commands.add_parser(
        "choose", help="choose the corpus anew from it and a pool, by the faults that programs notice"
    )
    for each, programs, seed, words in (
        (corpus, PROGRAMS, {"default": 1}, "how many"),
        (choice, MOST, {"required": True}, "how many at most"),
    ):
        each.add_argument("--programs", type=int, default=programs, metavar="N", help=f"{words} (default: {programs})")
        each.add_argument("--seed", type=int, **seed, metavar="N", help="of the generator, and of the draw of faults")
        each.add_argument(
            "--leave-out", type=Path, metavar="FILE",
            help="programs that do not enter, one SEED/NUMBER a line, or that leave, as corpus/0137",
        )  # fmt: skip
    choice.add_argument(
        "--pool", type=int, default=POOL, metavar="N", help=f"so many new random programs (default: {POOL})"
    )
    choice.add_argument(
        "--crossings", type=int, default=CROSSINGS, metavar="N", help=f"and so many crossings (default: {CROSSINGS})"
    )
    choice.add_argument("--faults", type=int, default=FAULTS, metavar="N", help=f"drawn (default: {FAULTS})")
    choice.add_argument("--seconds", type=float, default=1e9, metavar="S", help="meet no further fault after that")
    reduced = commands.add_parser("reduce", help="leave out what programs that were added do not need")
    reduced.add_argument("--seed", type=int, required=True, metavar="N", help="of the pool, as for choose")
    reduced.add_argument("--seconds", type=float, default=1e9, metavar="S", help="begin none after that")
    commands.add_parser("titles", help="name each program by its rarest states; after choose and reduce")
    grown = commands.add_parser("grow", help="programs into a pool, for faults that are reached there and not noticed")
    grown.add_argument("--seed", type=int, required=True, metavar="N", help="of the pool, as for choose")
    grown.add_argument("--faults", type=int, default=FAULTS, metavar="N", help=f"at most (default: {FAULTS})")


def _folder(ground: str) -> Path:
    """Return where the results of batches are: each ground has its own."""
    return OUT / ground.replace("/", "-")


def _show(command: str, seed: int, ground: str) -> int:
    """Print a table or a list."""
    shown = {"faults": broken(), "batches": table(kept()), "survivors": survivors(_folder(ground), seed)}[command]
    sys.stdout.writelines(f"{line}\n" for line in shown)
    return 0


def _named(file: Path | None) -> tuple[str, ...]:
    """Return the programs of a file: the first word of each line; lines that begin with # are remarks."""
    if file is None:
        return ()
    lines = [line.split() for line in file.read_text(encoding="utf-8").splitlines() if not line.startswith("#")]
    return tuple(line[0] for line in lines if line)
