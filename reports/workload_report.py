"""Read a workload's bundle for reports: samples by second, results of each property, findings.

Reads the files that only workloads write; operations are read by `tck.reports.violation_operations` when a finding is
drawn. May import `tck.record`; nothing here judges.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeVar

from tck.record import Bundle, TamperedBundle, lines
from tck.record.outcomes import Verdict
from tck.record.packed import FINDINGS, PROPERTIES, SAMPLES, PackedRun
from tck.record.reader import AGAIN
from tck.reports.read import CaseReport, RunReport

KIND = "workload"
"""The kind of such a run in `run.json`."""

T = TypeVar("T")

COUNTED = ("sent", "delivered", "settled", "browsed", "completed", "failed")
"""The names of the counts of each second."""


@dataclass(frozen=True, slots=True)
class Sample:
    """One second: counts, and for two durations median, 95th and 99th percentile and maximum in milliseconds."""

    second: int
    counts: Mapping[str, int]
    send_ms: tuple[float, ...] | None
    latency_ms: tuple[float, ...] | None
    faults: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class WorkloadFinding:
    """One violation: its key, its story, the numbers of the cited operations, and the rows it names."""

    number: int
    key: str
    property: str
    text: str
    cites: tuple[int, ...]
    hit: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class PropertyResult:
    """The result of one property; `case` is None if nothing was judged, or no row of it applies."""

    name: str
    claim: str
    assertions: tuple[str, ...]
    observes: bool
    obligations: int
    violations: int
    undecided: int
    case: CaseReport | None
    findings: tuple[WorkloadFinding, ...]

    @property
    def verdict(self) -> Verdict | None:
        """The verdict; None without a case."""
        return self.case.verdict if self.case else None

    @property
    def asked(self) -> bool:
        """Whether the workload had anything to judge it by."""
        return bool(self.obligations or self.violations or self.undecided)


class Workload:
    """The bundle of a workload.

    Raises:
        BundleError: a file of it is missing or broken.
    """

    def __init__(self, run: RunReport) -> None:
        self.run = run
        self.packed = PackedRun.open(run.bundle.path)
        self.about = self.packed.about
        self._cases = {case.name: case for case in run.cases}

    @property
    def plan(self) -> str:
        """The name of the plan."""
        return str(self.run.run.selection[0]) if self.run.run.selection else "workload"

    @cached_property
    def samples(self) -> tuple[Sample, ...]:
        """Every second, in order."""
        return tuple(self._rows(SAMPLES, _sample))

    @cached_property
    def properties(self) -> tuple[PropertyResult, ...]:
        """Every property, in the order of the checks."""
        findings: dict[str, list[WorkloadFinding]] = {}
        for finding in self._rows(FINDINGS, _finding):
            findings.setdefault(finding.property, []).append(finding)
        return tuple(
            self._rows(PROPERTIES, lambda _, row: self._property(row, tuple(findings.get(str(row["property"]), ()))))
        )

    def case_name(self, property_: str) -> str:
        """Return the name of the case that judges a property."""
        return f"workload/{self.plan}/{property_}"

    def total(self, name: str) -> int:
        """Count over the whole run."""
        return sum(sample.counts[name] for sample in self.samples)

    def _property(self, row: Mapping[str, Any], findings: tuple[WorkloadFinding, ...]) -> PropertyResult:
        name = str(row["property"])
        return PropertyResult(
            name,
            str(row["claim"]),
            tuple(map(str, row["assertions"])),
            bool(row["observes"]),
            int(row["obligations"]),
            int(row["violations"]),
            int(row["undecided"]),
            self._cases.get(self.case_name(name)),
            findings,
        )

    def _rows(self, name: str, made: Callable[[int, Mapping[str, Any]], T]) -> Iterator[T]:
        path = self.run.bundle.path / name
        for number, row in lines.read_lines(path, todo=AGAIN):
            try:
                yield made(number, row)
            except (KeyError, TypeError, ValueError, AttributeError) as error:
                what = f"expected a line as a workload writes it, saw {type(error).__name__}: {error}"
                raise TamperedBundle(what, path=path, line=number, todo=AGAIN) from error


def is_workload(bundle: Bundle) -> bool:
    """Whether a bundle is that of a workload."""
    return bundle.run.kind == KIND


def _sample(_number: int, row: Mapping[str, Any]) -> Sample:
    counts = {name: int(row.get(name) or 0) for name in COUNTED}
    return Sample(
        int(row["s"]), counts, _times(row.get("send_ms")), _times(row.get("latency_ms")), tuple(row["faults"])
    )


def _times(values: Sequence[float] | None) -> tuple[float, ...] | None:
    return tuple(map(float, values)) if values else None


def _finding(number: int, row: Mapping[str, Any]) -> WorkloadFinding:
    hit = {str(name): int(value) for name, value in row["hit"].items()}
    return WorkloadFinding(
        number, str(row["key"]), str(row["property"]), str(row["text"]), tuple(map(int, row["cites"])), hit
    )
