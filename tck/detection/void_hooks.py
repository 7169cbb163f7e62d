"""The dummy whose hooks do nothing: which of its claims were reported."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from tck.catalogue.owners import load_call_owners
from tck.detection.judge import Story
from tck.record import Exit, Outcome, Verdict, exit_code
from tck.suite.support.harness.point import Point


class Tried(Protocol):
    """A case that tries hooks."""

    @property
    def point(self) -> Point:
        """Its point."""
        ...


def tries_hooks(point: Point) -> bool:
    """Return whether a case looks whether a hook has an effect."""
    return not point.journey and any(owner.at in point.assertions for owner in load_call_owners().hooks.values())


def judge_void_hooks(story: Story, cases: Sequence[Tried]) -> dict[str, Any]:
    """Return the hooks that had to be reported, those that were, and the exit code that a run would end with.

    Args:
        story: The results.
        cases: The cases that were run.
    """
    rows = {row for case in cases for row in case.point.assertions}
    wanted = [hook for hook, owner in load_call_owners().hooks.items() if owner.at in rows]
    owners = load_call_owners().hooks
    reported = [
        hook
        for hook in wanted
        if any(
            sight.verdicts.get(owners[hook].row) == Verdict.VIOLATION
            and f"the hook {hook} is claimed and has no effect" in sight.observed
            for sight in story.sights
        )
    ]
    judged = [
        (Outcome(sight.outcome), Verdict(verdict)) for sight in story.sights for verdict in sight.verdicts.values()
    ]
    return {
        "hooks": wanted,
        "reported": reported,
        "missed": sorted(set(wanted) - set(reported)),
        "conformant": exit_code(judged) is Exit.CONFORMANT,
        "failure": story.failure,
    }
