"""`python -m benchmarks [ID...] [--format json]`: measure the bars; exit 1 if a required one is not kept."""

from __future__ import annotations

import argparse
import importlib
import json
import pkgutil
import sys
from collections.abc import Iterator

import benchmarks
from benchmarks.bars import Bar, Unavailable


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


def measure(chosen: list[Bar]) -> Iterator[dict[str, object]]:
    """Measure bars one after the other."""
    for bar in chosen:
        row: dict[str, object] = {
            "id": bar.id,
            "what": bar.what,
            "unit": bar.unit,
            "prototype": bar.prototype,
            "require": bar.require,
            "stretch": bar.stretch,
        }
        try:
            now = bar.measure()
        except Unavailable as reason:
            yield {**row, "now": None, "met": None, "detail": f"not measured: {reason}"}
        else:
            yield {**row, "now": round(now.value, 3), "met": bar.met(now), "detail": now.detail}


def main(arguments: list[str] | None = None) -> int:
    """Run the command; give its exit code."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description="Measure the project's bars.")
    parser.add_argument("id", nargs="*", help="bars to measure, all without one")
    parser.add_argument("--format", choices=("text", "json"), default="text")
    options = parser.parse_args(arguments)
    known = bars()
    unknown = [name for name in options.id if name not in known]
    if unknown:
        parser.error(f"no bar {', '.join(unknown)}; there are {', '.join(sorted(known))}")
    rows = []
    for row in measure([known[name] for name in options.id or sorted(known)]):
        rows.append(row)
        if options.format == "text":
            state = {True: "met", False: "MISSED", None: "-"}[row["met"]]  # type: ignore[index]  # met is bool or None
            print(
                f"{row['id']:5} {state:7} {row['now']} {row['unit']} (require {row['require']}, stretch {row['stretch']})"
            )
            print(f"      {row['what']}\n      {row['detail']}", flush=True)
    if options.format == "json":
        print(json.dumps(rows, indent=1))
    return int(any(row["met"] is False for row in rows))


if __name__ == "__main__":
    sys.exit(main())
