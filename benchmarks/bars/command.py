"""`python -m benchmarks` without a command: measure the bars and print them."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from benchmarks.bars.registry import all_bars, select
from benchmarks.bars.table import Row, as_json, as_text, measure, order, write_into

PAGE = Path(__file__).parents[2] / "docs" / "performance.md"


def main(arguments: list[str]) -> int:
    """Measure bars and print them; return 1 if one is missed, or is gated and could not be measured."""
    options = _parser().parse_args(arguments)
    try:
        known = all_bars()
        selected = select(known, options.id, gated=options.gate, long=options.long, counted=options.counts)
    except ValueError as error:
        _parser().error(str(error))
    gate = options.gate or options.counts
    if not options.id and not options.long and not gate:
        _name_skipped([bar.id for bar in known.values() if bar.long])
    rows: list[Row] = []
    for row in measure(selected):
        rows.append(row)
        if options.format == "text":
            print(as_text(row), flush=True)
    if options.format == "json":
        print(as_json(rows))
    if options.write:
        write_into(options.page, rows)
    return int(any(row["met"] is False or (gate and row["met"] is None) for row in rows))


def _name_skipped(long: list[str]) -> None:
    if long:
        names = ", ".join(sorted(long, key=order))
        print(f"skipped, each takes many minutes: {names}; name them, or use --long", file=sys.stderr, flush=True)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks",
        description="Measure the project's bars, each as a figure of this run.",
        epilog="Other commands, each with its own --help: crash, mutants, plans, power-loss, soak.",
    )
    parser.add_argument(
        "id", nargs="*", help="bars to measure; default: all but the long ones; P1 selects P1 and its parts (P1d)"
    )
    parser.add_argument("--long", action="store_true", help="measure also the bars that take many minutes each")
    parser.add_argument("--format", choices=("text", "json"), default="text")
    parser.add_argument("--gate", action="store_true", help="only the bars that hardly depend on the machine")
    parser.add_argument(
        "--counts", action="store_true", help="of those only the bars that count, on a busy machine too"
    )
    parser.add_argument("--write", action="store_true", help="put the figures into the table of docs/performance.md")
    parser.add_argument("--page", type=Path, default=PAGE, help=argparse.SUPPRESS)
    return parser
