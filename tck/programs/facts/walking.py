"""Go through a program and note the states that it meets."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from tck.programs.expectation import Expectation
from tck.programs.facts import marks_clients, marks_messages, marks_receiving
from tck.programs.facts.marks import Marks
from tck.programs.facts.states import STATES
from tck.programs.program import Json, Step

_Mark = Callable[[Marks, Step, Json], None]

_BEFORE: Final[Mapping[str, _Mark]] = {**marks_clients.BEFORE, **marks_receiving.BEFORE, **marks_messages.BEFORE}
_AFTER: Final[Mapping[str, _Mark]] = {**marks_clients.AFTER, **marks_receiving.AFTER, **marks_messages.AFTER}


def states_of(expectation: Expectation) -> frozenset[str]:
    """Return the named states that a program meets."""
    marks = Marks()
    for step, seen in zip(expectation.program.steps, expectation.seen, strict=False):
        if "raises" in seen:
            marks_clients.refused(marks, step, seen["raises"])
            marks.history.rules.note(step, seen)
        elif "ok" in seen:
            marks.when(step.args.get("by"), f"second thread {step.do}")
            _one(marks, step, seen)
        for name, views in seen.get("delivered", {}).get("by", {}).items():
            marks_receiving.heard(marks, name, views)
        marks.history.steps.append(step)
    return frozenset(marks.found & STATES)


def _one(marks: Marks, step: Step, seen: Mapping[str, Json]) -> None:
    before, after = _BEFORE.get(step.do), _AFTER.get(step.do)
    if before is not None:
        before(marks, step, seen["ok"])
    marks.history.rules.note(step, dict(seen))
    if step.name is not None:
        marks.history.made[step.name] = step
    if after is not None:
        after(marks, step, seen["ok"])
