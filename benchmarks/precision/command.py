"""`python -m benchmarks precision`: draw declared deviations for a reader to judge, or print the figures of those judged."""

from __future__ import annotations

import argparse
import sys

from benchmarks.precision.drawing import PrecisionError, accusations, draw, run, sheet
from benchmarks.precision.judged import figures, read
from tck.catalogue import load_catalogue
from tck.profile import ProfileError
from tck.record import Exit

PATIENCE = 60
"""Seconds for one program; most take five, those of races minutes."""


def main(words: list[str]) -> int:
    """Run the command; return its exit code: 0, or 4 if what is asked for is not there."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks precision", description=__doc__)
    parser.add_argument("--draw", type=int, metavar="N", help="draw N rows that profiles declare as failing")
    parser.add_argument("--seed", type=int, default=1, metavar="N", help="of the draw (default: 1)")
    parser.add_argument(
        "--profile", "-p", action="append", default=[], metavar="NAME", help="of a broker (default: all)"
    )
    parser.add_argument("--run", action="store_true", help="run the program that is the evidence of each")
    parser.add_argument(
        "--seconds", type=float, default=PATIENCE, metavar="N", help=f"for one program (default: {PATIENCE})"
    )
    given = parser.parse_args(words)
    catalogue = load_catalogue()
    try:
        if given.draw is None:
            print("\n".join(figures(read(catalogue))))
            return 0
        drawn = draw(accusations(catalogue, given.profile), given.draw, given.seed)
    except (PrecisionError, ProfileError) as error:
        print(f"precision: {error}", file=sys.stderr)
        return int(Exit.USAGE)
    for each in drawn:
        print(sheet(each, catalogue[each.deviation.assertion]), end="\n\n", flush=True)
        if given.run:
            print(run(each, given.seconds), flush=True)
    return 0
