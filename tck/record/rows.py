"""The rows of a run bundle as values: run.json, cases.ndjson, results.ndjson, end.json.

Each class mirrors one JSON object key by key (schemas/*.schema.json say the same to other tools); `to_json` and
`from_json` go between the two. Events stay plain mappings: see events.py.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Self

from tck.record import lines
from tck.record.codec import decode, encode
from tck.record.outcomes import Outcome, Verdict

SCHEMA = 1
"""The number of the bundle format that this kit writes; readers refuse a higher one."""


class Row:
    """What all rows share: the way to JSON and back."""

    __slots__ = ()

    def to_json(self) -> dict[str, Any]:
        """Give the row as a JSON object."""
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
    """The catalogue that was judged by."""

    digest: str


@dataclass(frozen=True, slots=True)
class Claims(Row):
    """What the profile says that its provider supports."""

    version: str
    features: tuple[str, ...] = ()
    api: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Deviation(Row):
    """A declared deviation as it stood in the profile; `line` is its place there."""

    assertion: str
    outcome: str
    reason: str
    cases: str = "*"
    link: str | None = None
    evidence: str | None = None
    at_most: float | None = None
    expires: str | None = None
    line: int | None = None


@dataclass(frozen=True, slots=True)
class ProfileRef(Row):
    """The profile that the run used."""

    name: str
    title: str
    digest: str
    tier: str
    claims: Claims
    deviations: tuple[Deviation, ...] = ()


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
    """Where the run took place."""

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
    """A line of cases.ndjson: one test at one point of its axes."""

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
    """A bounded wait that stood in for a proof, in milliseconds."""

    ms: float
    why: str


@dataclass(frozen=True, slots=True)
class DeviationUse(Row):
    """The declared deviation that took part in a verdict."""

    assertion: str
    outcome: str
    reason: str
    link: str | None = None
    line: int | None = None


@dataclass(frozen=True, slots=True)
class Fault(Row):
    """An exception that ended a case, as text."""

    type: str
    text: str
    trace: str = ""


@dataclass(frozen=True, slots=True)
class FindingRow(Row):
    """What a check of the trace found: the property, its assertions, the story, the events by number."""

    property: str
    assertions: tuple[str, ...]
    text: str
    cites: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class EventsRef(Row):
    """Where the events of one attempt stand: bytes of a file of the bundle, and how many lines."""

    file: str
    offset: int
    length: int
    count: int


@dataclass(frozen=True, slots=True)
class Result(Row):
    """A line of results.ndjson: one attempt at one case."""

    case: str
    outcome: Outcome
    verdicts: Mapping[str, Verdict]
    verdict: Verdict
    attempt: int = 1
    phase: str = "call"
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


@dataclass(frozen=True, slots=True)
class End(Row):
    """end.json, written last: what the bundle holds. A bundle without it is truncated."""

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
        """Give this row with the digest of its other keys."""
        return replace(self, seal=self._seal())

    def is_intact(self) -> bool:
        """Whether the row is as it was sealed."""
        return self.seal == self._seal()

    def _seal(self) -> str:
        row = self.to_json()
        del row["seal"]
        return "sha256:" + hashlib.sha256(lines.line(row)).hexdigest()
