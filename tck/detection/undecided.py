"""The rows that a broken provider leaves undecided and the sound one does not: a soft verdict must not hide a hard fault."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from tck.detection.judge import Story
from tck.record import Exit, Outcome, Verdict, exit_code, worst

OPEN = frozenset({Verdict.UNDECIDED, Verdict.INCONCLUSIVE})
"""Verdicts that leave a row open."""


@dataclass(frozen=True, slots=True)
class NewlyUndecided:
    """The comparison of a broken provider with the sound one.

    Attributes:
        rows: the rows that only the broken one leaves undecided.
        silent: whether a run of the broken one ends as conformant all the same.
        failure: the reason why the sound provider did not come to its end, if it did not.
    """

    rows: tuple[str, ...]
    silent: bool
    failure: str | None


def in_question(story: Story) -> list[str]:
    """Return the cases that left a row undecided."""
    return [sight.case for sight in story.sights if OPEN & set(sight.verdicts.values())]


def compare(broken: Story, sound: Story) -> NewlyUndecided:
    """Compare the cases that were run on a broken provider with the same cases on the sound one."""
    new = _undecided(broken) - _undecided(sound, {sight.case for sight in broken.sights})
    judged = [
        (Outcome(sight.outcome), Verdict(verdict)) for sight in broken.sights for verdict in sight.verdicts.values()
    ]
    silent = bool(new) and exit_code(judged) is Exit.CONFORMANT
    return NewlyUndecided(tuple(sorted(new)), silent, sound.failure)


def _undecided(story: Story, cases: Collection[str] | None = None) -> set[str]:
    """Return the rows whose worst verdict is undecided or inconclusive."""
    verdicts: dict[str, list[Verdict]] = {}
    for sight in story.sights:
        if cases is None or sight.case in cases:
            for row, verdict in sight.verdicts.items():
                verdicts.setdefault(row, []).append(Verdict(verdict))
    return {row for row, met in verdicts.items() if worst(met) in OPEN}
