"""What the tests of the vocabulary share: the reference provider, and programs of a few steps."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tck import api
from tck.explore.exploration import capabilities_of
from tck.explore.reference import Reference
from tck.profile import load_profile
from tck.programs.expectation import Expectation
from tck.programs.observing.environment import RunSettings
from tck.programs.program import Json, Program, Step

FIRST: tuple[dict[str, Json], ...] = (
    {"do": "queue", "as": "q1"},
    {"do": "topic", "as": "t1"},
    {"do": "connect", "as": "c1", "api": "classic"},
    {"do": "start", "on": "c1"},
    {"do": "session", "as": "s1", "on": "c1", "mode": "transacted"},
    {"do": "session", "as": "s2", "on": "c1", "mode": "auto"},
    {"do": "producer", "as": "p1", "on": "s2", "to": "q1"},
    {"do": "message", "as": "m1", "on": "s2", "kind": "text", "body": ["string", ""]},
)
"""A queue, a topic, two sessions, a producer and a message."""


@contextmanager
def opened(folder: Path, *, virtual: bool = True) -> Iterator[Reference]:
    """Open a reference provider; programs are judged as for a provider whose time is virtual or real."""
    able = capabilities_of(load_profile("reference"), "3.1", frozenset(api.Hook), virtual=virtual)
    with Reference("3.1", able, RunSettings(), folder) as found:
        yield found


def run(reference: Reference, *steps: dict[str, Json]) -> Expectation:
    """Run the first steps and some more."""
    return reference.run(Program(tuple(Step.from_json(each) for each in (*FIRST, *steps))))
