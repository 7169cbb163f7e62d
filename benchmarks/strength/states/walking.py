"""Go through a program and note the states that it meets."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from benchmarks.strength.states import marks_clients, marks_failing, marks_messages, marks_receiving, marks_server
from benchmarks.strength.states.marks import Marks
from benchmarks.strength.states.table import STATES
from tck.programs.expectation import Expectation
from tck.programs.program import Json, Step
from tck.programs.state.together import reach

_Mark = Callable[[Marks, Step, Json], None]

_BEFORE: Final[Mapping[str, _Mark]] = {
    **marks_clients.BEFORE,
    **marks_receiving.BEFORE,
    **marks_messages.BEFORE,
    **marks_failing.BEFORE,
    **marks_server.BEFORE,
}
_AFTER: Final[Mapping[str, _Mark]] = {
    **marks_clients.AFTER,
    **marks_receiving.AFTER,
    **marks_messages.AFTER,
    **marks_server.AFTER,
}


def states_of(expectation: Expectation) -> frozenset[str]:
    """Return the named states that a program meets."""
    marks = Marks()
    for step, seen in zip(expectation.program.steps, expectation.seen, strict=False):
        if "raises" in seen:
            marks_clients.refused(marks, step, seen["raises"])
            marks.history.rules.note(step, seen)
        elif "ok" in seen:
            marks.when(step.args.get("by"), f"second thread {step.do}")
            _at_once(marks, step)
            _one(marks, step, seen)
        for name, views in seen.get("delivered", {}).get("by", {}).items():
            marks_receiving.heard(marks, name, views)
        marks.history.steps.append(step)
    return frozenset(marks.found & STATES)


def _at_once(marks: Marks, step: Step) -> None:
    """Note a step that one of two threads makes, if the other one has made some."""
    rules = marks.history.rules
    block, second = rules.block, bool(step.args.get("by"))
    if block is None or block.number != step.args.get("together"):
        return
    mine, theirs = reach(rules, step), block.reached[not second]
    if not theirs.sessions:
        return
    marks.add(f"together {step.do}")
    own, other = ({rules.sessions[name].connection.name for name in each.sessions} for each in (mine, theirs))
    marks.add("together of one connection" if own & other else "together of two connections")
    marks.when(mine.sent & theirs.sent, "together to one queue")


def _one(marks: Marks, step: Step, seen: Mapping[str, Json]) -> None:
    before, after = _BEFORE.get(step.do), _AFTER.get(step.do)
    if before is not None:
        before(marks, step, seen["ok"])
    marks_failing.follows(marks, step)
    marks.history.rules.note(step, dict(seen))
    if step.name is not None:
        marks.history.made[step.name] = step
    if after is not None:
        after(marks, step, seen["ok"])
