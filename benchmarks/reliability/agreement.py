"""Run the suite on a provider several times, with other seeds and on a loaded machine: how long it takes, and on which cases the runs differ."""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from tck.catalogue import load_catalogue
from tck.record import Bundle
from tck.reports.compare import Difference, columns, diff
from tck.reports.read import RunReport, load

PAGE: Final = Path("docs/jvm.md")
BEGIN: Final = "<!-- runs: begin -->"
END: Final = "<!-- runs: end -->"
HEAD: Final = (
    "| profile | points | runs | idle, s | under load, s | cases | never ran | runs differ on | waits without proof, s | commit |\n"
    "|---|---|---|---|---|---|---|---|---|---|\n"
)


@dataclass(frozen=True, slots=True)
class Measured:
    """One run: its seed, the busy loops beside it, how long it took in seconds, its exit code, and its report."""

    seed: int
    load: int
    seconds: float
    exit: int
    report: RunReport

    @property
    def waited(self) -> float:
        """Seconds of bounded waits without proof."""
        return sum(wait.ms for wait in self.report.waits) / 1000

    def __str__(self) -> str:
        beside = f" beside {self.load} busy loops" if self.load else ""
        return (
            f"seed {self.seed}{beside}: exit {self.exit}, {self.seconds:.0f} s, {len(self.report.cases)} cases, "
            f"{len(self.report.unfinished)} never ran, {self.waited:.1f} s of bounded waits"
        )


@contextmanager
def busy(loops: int) -> Iterator[None]:
    """Keep so many processes busy meanwhile."""
    running = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(loops)]
    try:
        yield
    finally:
        for each in running:
            each.kill()
            each.wait()


def measured(profile: str, points: str, seed: int, load: int, out: Path, words: Iterable[str] = ()) -> Measured:
    """Run the suite once, or what the words of `tck run` select.

    Raises:
        SystemExit: The run wrote no bundle; it has said why.
    """
    before = set(out.glob("runs/*"))
    command = [
        sys.executable,
        "-m",
        "tck",
        "run",
        "-p",
        profile,
        "--points",
        points,
        "--seed",
        str(seed),
        "--no-report",
    ]
    with busy(load):
        began = time.monotonic()
        ended = subprocess.run([*command, *words, "--out", str(out)], stdout=subprocess.DEVNULL, check=False)
        seconds = time.monotonic() - began
    made = sorted(set(out.glob("runs/*")) - before)
    if not made:
        raise SystemExit(ended.returncode or 3)
    return Measured(seed, load, seconds, ended.returncode, load_report(made[-1]))


def load_report(folder: Path) -> RunReport:
    """Read a run, also one that was cut."""
    return load(Bundle.open(folder, allow_truncated=True))


def differing(runs: Sequence[Measured]) -> list[Difference]:
    """Return the cases on which runs differ that both ran them, but for those that are declared to be flaky."""
    found = diff(columns([each.report for each in runs], load_catalogue())).differences
    return [
        each
        for each in found
        if len({one.comparable_part for one in each.by_run if one}) > 1
        and not all(one.as_declared for one in each.by_run if one)
    ]


def line(profile: str, points: str, runs: Sequence[Measured], differ: int, commit: str) -> str:
    """Return the line of the table."""
    spans = [_span([each.seconds for each in runs if bool(each.load) is loaded]) for loaded in (False, True)]
    return (
        "| "
        + " | ".join(
            [
                profile,
                points,
                f"{len(runs)}, exit {', '.join(sorted({str(each.exit) for each in runs}))}",
                *spans,
                f"{max(len(each.report.cases) for each in runs):,}",
                str(sum(len(each.report.unfinished) for each in runs)),
                str(differ),
                _span([each.waited for each in runs]),
                commit,
            ]
        )
        + " |\n"
    )


def _span(seconds: Sequence[float]) -> str:
    if not seconds:
        return ""
    least, most = (f"{value:.0f}" for value in (min(seconds), max(seconds)))
    return least if least == most else f"{least} to {most}"


def written(text: str, new: str) -> str:
    """Return a page with a line in its table, in place of that of the same profile and points.

    Raises:
        ValueError: The page has no such table.
    """
    before, begin, rest = text.partition(BEGIN)
    table, end, after = rest.partition(END)
    if not begin or not end:
        raise ValueError(f"{PAGE}: expected the lines {BEGIN} and {END} around the table, saw none")
    there = {_key(each): f"{each}\n" for each in table.splitlines() if each.startswith("| ") and "profile" not in each}
    there[_key(new)] = new
    return f"{before}{BEGIN}\n{HEAD}{''.join(there[key] for key in sorted(there))}{END}{after}"


def _key(row: str) -> tuple[str, ...]:
    return tuple(cell.strip() for cell in row.split("|")[1:3])


def _seeds(text: str) -> range:
    found = re.fullmatch(r"(\d+)(?:-(\d+))?", text)
    if not found:
        raise argparse.ArgumentTypeError(f"{text}: expected a number, or two as in 1-10")
    return range(int(found[1]), int(found[2] or found[1]) + 1)


def main(arguments: list[str]) -> int:
    """Run `python -m benchmarks agreement`; return 1 if runs differ, a case never ran, or a run was not conformant."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks agreement", description=__doc__)
    parser.add_argument("--profile", "-p", required=True)
    parser.add_argument("--points", choices=("one", "all"), default="all")
    parser.add_argument("--seeds", type=_seeds, default=_seeds("1-3"), help="such as 1-10, a run for each")
    parser.add_argument("--load", type=int, default=0, help="busy loops beside each second run")
    parser.add_argument("words", nargs="*", help="selectors of tck run; default: the whole suite")
    parser.add_argument("--out", type=Path, help="keep the runs there")
    parser.add_argument("--keep", action="store_true", help=f"write the line of the table into {PAGE}")
    options = parser.parse_args(arguments)
    commit = subprocess.run(
        ["git", "rev-parse", "--short=7", "HEAD"],  # noqa: S607
        capture_output=True,
        text=True,
        check=True,
    ).stdout.strip()
    runs = []
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        for number, seed in enumerate(options.seeds):
            load = options.load if number % 2 else 0
            runs.append(
                measured(options.profile, options.points, seed, load, options.out or Path(folder), options.words)
            )
            print(runs[-1], flush=True)
        different = differing(runs)
    for each in different:
        print(each.case, *(f"  seed {run.seed}: {_seen(each, number)}" for number, run in enumerate(runs)), sep="\n")
    text = line(options.profile, options.points, runs, len(different), f"{commit}, {datetime.now(UTC):%Y-%m-%d}")
    print(HEAD + text, end="")
    if options.keep:
        PAGE.write_text(written(PAGE.read_text(encoding="utf-8"), text), encoding="utf-8")
    return int(bool(different) or any(each.exit or each.report.unfinished for each in runs))


def _seen(difference: Difference, number: int) -> str:
    seen = difference.by_run[number]
    if seen is None:
        return "did not run"
    odd = ", ".join(f"{row} {verdict.value}" for row, verdict in seen.verdicts)
    return f"{seen.outcome.value}: {odd}; {seen.report.shown.observed or ''}"[:300]
