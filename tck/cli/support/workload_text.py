"""A workload on the terminal: its progress, and its result as text and as JSON."""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from tck.cli.support.console import note, table

if TYPE_CHECKING:
    from tck.workload.engine import Progress
    from tck.workload.run import Ended
    from tck.workload.verdicts import PropertyReport

QUIET_SECONDS: Final = 10
"""Seconds between lines of progress where stderr is no terminal."""
_SETTLED: Final = frozenset({"declared", "observation", "unsupported"})
"""Verdicts whose violations are expected: they are counted and not listed."""


class Meter:
    """Shows progress with rates: one line that changes on a terminal, a line now and then elsewhere."""

    def __init__(self) -> None:
        self._live = sys.stderr.isatty()
        self._next = time.monotonic() + (0 if self._live else QUIET_SECONDS)
        self._last: tuple[float, int, int] = (0.0, 0, 0)

    def show(self, progress: Progress) -> None:
        """Show it, if it is time."""
        now = time.monotonic()
        if now < self._next:
            return
        self._next = now + (1 if self._live else QUIET_SECONDS)
        then, sent, delivered = self._last
        self._last = (now, progress.sent, progress.delivered)
        seconds = max(now - then, 0.001) if then else 0
        rates = f" ({(progress.sent - sent) / seconds:.0f}/s)" if then else ""
        rates_out = f" ({(progress.delivered - delivered) / seconds:.0f}/s)" if then else ""
        parts = [
            f"{progress.seconds:5.0f} s",
            progress.phase,
            f"sent {progress.sent}{rates}",
            f"delivered {progress.delivered}{rates_out}",
        ]
        extra = {
            "browsed": progress.browsed,
            "faults": progress.faults,
            "reconnected": progress.reconnected,
            "failed": progress.failed,
        }
        parts += [f"{name} {count}" for name, count in extra.items() if count]
        text = "  ".join(parts)
        if self._live:
            sys.stderr.write(f"\r\x1b[K{text}")
            sys.stderr.flush()
        else:
            note(text)


def summary(ended: Ended, bundle: Path, seed: int) -> dict[str, Any]:
    """Render the result of a workload; the keys are a contract, see docs/workload.md."""
    outcome = ended.outcome
    return {
        "bundle": str(bundle),
        "seed": seed,
        "stopped": outcome.stopped,
        "sent": outcome.sent,
        "delivered": outcome.delivered,
        "operations": ended.operations,
        "seconds": round(ended.seconds, 3),
        "faults": outcome.faults,
        "failures": outcome.failures,
        "gave_up": outcome.gave_up,
        "hanging": outcome.hanging,
        "properties": [each.to_json() for each in ended.reports],
        "verdicts": {result.case.rpartition("/")[2]: result.verdict.value for result in ended.results},
        "exit": int(ended.exit),
    }


def report(ended: Ended, bundle: Path) -> str:
    """Render the result of a workload as text."""
    outcome = ended.outcome
    if sys.stderr.isatty():
        sys.stderr.write("\r\x1b[K")
    verdicts = {result.case.rpartition("/")[2]: result.verdict.value for result in ended.results}
    lines = _table_of(ended.reports, verdicts)
    lines += _violations([each for each in ended.reports if verdicts.get(each.kind.name) not in _SETTLED])
    counts = (
        f"sent {outcome.sent}, delivered {outcome.delivered}, {ended.operations} operations in {ended.seconds:.1f} s"
    )
    lines.append(f"{counts}; stopped by {outcome.stopped}")
    if outcome.faults:
        lines.append(f"{len(outcome.faults)} faults, {outcome.reconnected} reconnections")
    if outcome.failures:
        listed = ", ".join(f"{count} {name}" for name, count in outcome.failures.items())
        first = f"; the first without a fault of ours: {outcome.first_failure}" if outcome.first_failure else ""
        lines.append(f"calls that failed: {listed}{first}")
    lines += [f"{actor} gave up: {error}" for actor, error in outcome.gave_up.items()]
    if outcome.hanging:
        lines.append(f"hanging: {', '.join(outcome.hanging)}")
    if outcome.lost:
        lines.append(f"the provider was lost: {outcome.lost}")
    lines.append(f"bundle {bundle}")
    return "\n".join(lines)


def properties(reports: Sequence[PropertyReport]) -> list[str]:
    """Render properties that were judged again: the table, then the violations."""
    return [*_table_of(reports), *_violations(reports)]


def _table_of(reports: Sequence[PropertyReport], verdicts: dict[str, str] | None = None) -> list[str]:
    rows = [
        (
            each.kind.name,
            each.obligations,
            each.violations,
            each.undecided,
            (verdicts or {}).get(each.kind.name, each.outcome.value if each.outcome else ""),
        )
        for each in reports
        if each.outcome is not None
    ]
    head = ("property", "obligations", "violations", "undecided", "verdict")
    silent = [each.kind.name for each in reports if each.outcome is None]
    text = table(head, rows, right=head[1:4]).rstrip("\n")
    return [text, *([f"nothing to judge for {', '.join(silent)}"] if silent else [])]


def _violations(reports: Sequence[PropertyReport]) -> list[str]:
    lines: list[str] = []
    for each in reports:
        if each.kind.observes:
            continue
        lines += [f"{finding.key}\n  {finding.text}" for finding, _ in each.findings[:3]]
        if each.violations > 3:
            lines.append(f"  and {each.violations - 3} more of {each.kind.name}, in findings.ndjson")
    return lines
