"""The rows of a run bundle as values: run.json, cases.ndjson.zst, results.ndjson.zst, end.json.

Each class mirrors one JSON object key by key (schemas/*.schema.json define them for other tools); `to_json` and
`from_json` convert. Events stay plain mappings: see events.py.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Self

from tck.record import lines
from tck.record.codec import decode, encode
from tck.record.outcomes import Effect, Outcome, Verdict

SCHEMA = 6
"""The number of the bundle format that this kit writes; readers refuse a higher one.

Since 2 events are compressed; since 3 their lines are short and share frames, and cases and results are compressed.
Since 4 results name the calls that were lacking, and declarations the settings on which they depend. Since 5 waits for a time
that a case is about are marked. Since 6 declarations have an effect, and a profile its release.
"""
CASES = "cases.ndjson.zst"
RESULTS = "results.ndjson.zst"


class Row:
    """The base of all rows: conversion to JSON and back."""

    __slots__ = ()

    def to_json(self) -> dict[str, Any]:
        """Return the row as a JSON object."""
        row: dict[str, Any] = encode(self)
        return row

    @classmethod
    def from_json(cls, row: object) -> Self:
        """Build the row from a JSON object.

        Raises:
            RowError: The object is not such a row.
        """
        return decode(cls, row)


@dataclass(frozen=True, slots=True)
class Kit(Row):
    """The kit that ran."""

    version: str


@dataclass(frozen=True, slots=True)
class CatalogueRef(Row):
    """The catalogue of the run."""

    digest: str


@dataclass(frozen=True, slots=True)
class Claims(Row):
    """The claims of the profile; `without` has what its maintainers disclaim, with the page where they do."""

    version: str
    features: tuple[str, ...] = ()
    api: tuple[str, ...] = ()
    without: Mapping[str, str] = field(default_factory=dict)


def full_reason(reason: str, when: str | None, holds_with: Mapping[str, object] | None) -> str:
    """Return the reason of a declaration with the settings on which it depends, as every output words them."""
    values = (f"{name} = {json.dumps(value)}" for name, value in (holds_with or {}).items())
    cure = f"holds with {' and '.join(values)}" if holds_with else ""
    return "; ".join(filter(None, (reason, f"when {when}" if when else "", cure)))


@dataclass(frozen=True, slots=True)
class Deviation(Row):
    """A declared deviation as in the profile; `line` is its place there."""

    assertion: str
    outcome: str
    reason: str
    cases: str = "*"
    link: str | None = None
    evidence: str | None = None
    at_most: float | None = None
    expires: str | None = None
    line: int | None = None
    when: str | None = None
    holds_with: Mapping[str, object] | None = None
    effect: Effect | None = None

    @property
    def full_reason(self) -> str:
        """The reason with the settings on which it depends."""
        return full_reason(self.reason, self.when, self.holds_with)


@dataclass(frozen=True, slots=True)
class ProfileRef(Row):
    """The profile of the run."""

    name: str
    title: str
    digest: str
    tier: str
    claims: Claims
    deviations: tuple[Deviation, ...] = ()
    release: str = ""
    """The release of the provider that the profile names."""


@dataclass(frozen=True, slots=True)
class ProviderRef(Row):
    """The provider as it named itself."""

    name: str
    version: str
    vendor: str
    api_version: str
    language: str = "python"
    hooks: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Environment(Row):
    """The machine and the Python of the run."""

    python: str
    platform: str
    cpus: int
    workers: int


@dataclass(frozen=True, slots=True)
class Run(Row):
    """run.json: the provenance of a run."""

    run: str
    kind: str
    kit: Kit
    catalogue: CatalogueRef
    profile: ProfileRef
    provider: ProviderRef
    environment: Environment
    seed: int
    command: tuple[str, ...]
    started: str
    selection: tuple[str, ...] = ()
    points: str = "all"
    strict: bool = False
    repeat: int = 1
    clock: str = "real"
    schema: int = SCHEMA


@dataclass(frozen=True, slots=True)
class Case(Row):
    """A line of cases.ndjson.zst: one test at one point of its axes; without a result where the run was stopped before it."""

    case: str
    node: str
    assertions: tuple[str, ...]
    axes: Mapping[str, str]
    file: str
    line: int
    title: str
    features: tuple[str, ...] = ()
    worker: str = "main"
    position: int = 0


@dataclass(frozen=True, slots=True)
class Wait(Row):
    """A wait in real time, in milliseconds: a bounded one instead of a proof, or for the time that the case is about (`timed`)."""

    ms: float
    why: str
    timed: bool = False


@dataclass(frozen=True, slots=True)
class DeviationUse(Row):
    """The declared deviation that affected a verdict."""

    assertion: str
    outcome: str
    reason: str
    link: str | None = None
    line: int | None = None
    when: str | None = None
    holds_with: Mapping[str, object] | None = None

    @property
    def full_reason(self) -> str:
        """The reason with the settings on which it depends."""
        return full_reason(self.reason, self.when, self.holds_with)


@dataclass(frozen=True, slots=True)
class Fault(Row):
    """An exception that ended a case, as text."""

    type: str
    text: str
    trace: str = ""


@dataclass(frozen=True, slots=True)
class FindingRow(Row):
    """A finding of a trace check: the property, its assertions, the story, the events by number."""

    property: str
    assertions: tuple[str, ...]
    text: str
    cites: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class EventsRef(Row):
    """The place of one attempt's events: (compressed) bytes of a file of the bundle, and the number of lines.

    Several attempts share a frame; the lines of this one begin at byte `start` of its content.
    """

    file: str
    offset: int
    length: int
    count: int
    start: int = 0


@dataclass(frozen=True, slots=True)
class Result(Row):
    """A line of results.ndjson.zst: one attempt at one case."""

    case: str
    outcome: Outcome
    verdicts: Mapping[str, Verdict]
    verdict: Verdict
    attempt: int = 1
    phase: str = "call"
    call: str | None = None
    """The provider's call that raised the exception which ended the case, `Session.create_browser`."""
    claim: str | None = None
    expected: str | None = None
    observed: str | None = None
    explanation: str | None = None
    cites: tuple[int, ...] = ()
    behaviour: str | None = None
    witnesses: tuple[str, ...] = ()
    waits: tuple[Wait, ...] = ()
    ms: float = 0.0
    deviation: DeviationUse | None = None
    error: Fault | None = None
    findings: tuple[FindingRow, ...] = ()
    events: EventsRef | None = None
    lacks: Mapping[str, str] = field(default_factory=dict)
    """The rows that were not judged for lack of a call: `not claimed: delivery delay`, `missing: create_browser`."""


@dataclass(frozen=True, slots=True)
class End(Row):
    """end.json, written last: counts and digests. A bundle without it is truncated."""

    run: str
    cases: int
    results: int
    events: int
    outcomes: Mapping[str, int]
    verdicts: Mapping[str, int]
    exit: int
    seconds: float
    finished: str
    sizes: Mapping[str, int] = field(default_factory=dict)
    digests: Mapping[str, str] = field(default_factory=dict)
    seal: str = ""

    def sealed(self) -> End:
        """Return this row with the digest of its other keys."""
        return replace(self, seal=self._seal())

    def is_intact(self) -> bool:
        """Return whether the row is unchanged since it was sealed."""
        return self.seal == self._seal()

    def _seal(self) -> str:
        row = self.to_json()
        del row["seal"]
        return "sha256:" + hashlib.sha256(lines.line(row)).hexdigest()
