"""`python -m benchmarks`: measure the bars, or run one of the proofs `crash`, `mutants`, `plans`, `power-loss` and `soak`."""

from __future__ import annotations

import argparse
import importlib
import pkgutil
import re
import sys
from pathlib import Path

import benchmarks
from benchmarks.bars import Bar
from benchmarks.table import Row, as_json, as_text, measure, order, write_into

PAGE = Path(__file__).parent.parent / "docs" / "performance.md"
PROOFS = {"crash": "crash", "mutants": "mutants", "plans": "plans", "power-loss": "power_loss", "soak": "soak"}


def bars() -> dict[str, Bar]:
    """Give the bars of every module of this package by id."""
    found: dict[str, Bar] = {}
    for module in sorted(info.name for info in pkgutil.iter_modules(benchmarks.__path__)):
        if module == "__main__":
            continue
        for bar in getattr(importlib.import_module(f"benchmarks.{module}"), "BARS", ()):
            if bar.id in found:
                raise ValueError(f"expected bar {bar.id} once, saw it again in benchmarks.{module}")
            found[bar.id] = bar
    return found


def chosen(known: dict[str, Bar], names: list[str], *, gated: bool, long: bool = False) -> list[Bar]:
    """Choose bars by id; "P1" means P1 and its parts (P1d), no name means all that are not long, with `long` those too.

    `gated` leaves those that are gated. Raises ValueError: a name means no bar.
    """
    found: dict[str, Bar] = {}
    for name in names or known:
        meant = {key: bar for key, bar in known.items() if re.fullmatch(f"{re.escape(name)}[a-z]*", key)}
        if not meant:
            raise ValueError(f"no bar {name}; there are {', '.join(sorted(known, key=order))}")
        found |= meant
    if not names and not long:
        found = {key: bar for key, bar in found.items() if not bar.long}
    return [found[key] for key in sorted(found, key=order) if found[key].gated or not gated]


def main(arguments: list[str] | None = None) -> int:
    """Run the command; give its exit code: 0, or 1 if a bar is missed or a proof finds something wrong."""
    words = sys.argv[1:] if arguments is None else arguments
    if words and words[0] in PROOFS:
        return int(importlib.import_module(f"benchmarks.proofs.{PROOFS[words[0]]}").main(words[1:]))
    return measure_bars(words)


def measure_bars(arguments: list[str]) -> int:
    """Measure bars and print them; give 1 if one is missed, or is gated and could not be measured."""
    options = _parser().parse_args(arguments)
    try:
        known = bars()
        wanted = chosen(known, options.id, gated=options.gate, long=options.long)
    except ValueError as error:
        _parser().error(str(error))
    if not options.id and not options.long and not options.gate:
        _tell_of_long([bar.id for bar in known.values() if bar.long])
    rows: list[Row] = []
    for row in measure(wanted):
        rows.append(row)
        if options.format == "text":
            print(as_text(row), flush=True)
    if options.format == "json":
        print(as_json(rows))
    if options.write:
        write_into(options.page, rows)
    return int(any(row["met"] is False or (options.gate and row["met"] is None) for row in rows))


def _tell_of_long(left: list[str]) -> None:
    if left:
        names = ", ".join(sorted(left, key=order))
        print(f"left out, for each takes many minutes: {names}; name them, or give --long", file=sys.stderr, flush=True)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks",
        description="Measure the project's bars, each as a figure of this run.",
        epilog="Proofs of durability, each with its own --help: crash, mutants, power-loss, soak.",
    )
    parser.add_argument(
        "id", nargs="*", help="bars to measure, all but the long ones without one; P1 means P1 and its parts, P1d"
    )
    parser.add_argument("--long", action="store_true", help="measure also those that take many minutes each")
    parser.add_argument("--format", choices=("text", "json"), default="text")
    parser.add_argument("--gate", action="store_true", help="only the bars that hardly depend on the machine")
    parser.add_argument("--write", action="store_true", help="put the figures into the table of docs/performance.md")
    parser.add_argument("--page", type=Path, default=PAGE, help=argparse.SUPPRESS)
    return parser


if __name__ == "__main__":
    sys.exit(main())
