"""The tables of a run in a store, and their columns; `store` says where the files are."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from tck.check.columns import (
    BRANCHES,
    CONSUMERS,
    CUTS,
    ENDPOINTS,
    FENCES,
    HITS,
    MATCHES,
    RESTARTS,
    SESSIONS,
    STOPS,
    Schema,
)
from tck.reports.pipeline.verdict_rows import LATENCY, OUTCOME, STANDING, VERDICT

SIDE: Final[Mapping[str, Schema]] = {
    "endpoints": ENDPOINTS,
    "consumers": CONSUMERS,
    "sessions": SESSIONS,
    "restarts": RESTARTS,
    "stops": STOPS,
    "branches": BRANCHES,
    "matches": MATCHES,
    "fences": FENCES,
    "cuts": CUTS,
}
"""Side tables of the operations."""

NAMES: Final = {"kind": "string", "number": "int64", "text": "string"}
"""Names: a text for every number in operations and side tables."""

DERIVED: Final[Mapping[str, Mapping[str, str]]] = {
    "verdict": VERDICT,
    "outcome": OUTCOME,
    "standing": STANDING,
    "latency": LATENCY,
}
"""Tables with the verdicts of a run's cases; every run has them."""

CHECKED: Final[Mapping[str, Mapping[str, str]]] = {
    "findings": {
        "property": "string",
        "key": "string",
        "case": "string",
        "text": "string",
        "cites": "list<int64>",
        **HITS,
    },
    "trace_verdict": {
        "property": "string",
        "assertion": "string",
        "level": "string",
        "obligations": "int64",
        "violations": "int64",
        "undecided": "int64",
        "observes": "bool",
        "outcome": "string",
        "verdict": "string",
    },
}
"""Tables that a check of a run writes."""
