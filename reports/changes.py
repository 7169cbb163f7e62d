"""Changes between runs: the one definition of transition, regression, flaky, relapse and stable.

- **transition**: the verdict of a case differs from that of the previous run that has the case.
- **regression**: a case or an assertion held in the last run before, and has failed in every run since. Runs that did not
  decide it do not count.
- **flaky**: a case both held and failed, in several runs or in several attempts of one, although nothing that is recorded
  changed between them.
- **relapse**: a case failed again after it had held.
- **stable**: a case has no transition.

The border between *before* and *since* is the run at hand (gate) or a new version of the provider (tables of the pipeline).
For the gate only a violation is a failure; elsewhere an advisory or a declared deviation is one too.

The functions `is_...` take plain values or Spark columns, so that all callers share them. Pure; imports verdict snapshots only.
"""

from __future__ import annotations

import itertools
from collections.abc import Collection, Hashable, Iterable, Sequence
from typing import Any, Final

from tck.record.outcomes import Verdict
from tck.reports.verdict_snapshot import CaseVerdict, Origin

HELD: Final = frozenset({Verdict.CONFORMANT, Verdict.STALE, Verdict.OBSERVATION})
FAILED: Final = frozenset({Verdict.VIOLATION, Verdict.ADVISORY, Verdict.DECLARED})
UNDECIDED: Final = frozenset({Verdict.HARNESS_ERROR, Verdict.UNDECIDED, Verdict.INCONCLUSIVE})
"""Verdicts of a case that should have been judged and was not."""

# `&` rather than `and`: Spark's columns know only the former, and truth values know both.


def is_transition(before: Any, now: Any) -> Any:  # noqa: ANN401 - values, or columns of Spark
    """Whether a verdict differs from the previous one."""
    return before != now


def is_regression(held_before: Any, failed: Any, runs: Any) -> Any:  # noqa: ANN401 - likewise
    """Whether something held in the last run before, and failed in all of the `runs` since that decided it."""
    return held_before & (failed == runs)


def is_flaky(failed: Any, held: Any) -> Any:  # noqa: ANN401 - likewise
    """Whether something failed and held at least once each; the caller counts only where nothing changed."""
    return (failed > 0) & (held > 0)


def is_relapse(failed_before: Any, failed_now: Any) -> Any:  # noqa: ANN401 - likewise
    """Whether something that had held failed again."""
    return (failed_before == 0) & (failed_now != 0)


def is_stable(verdicts: Iterable[Hashable]) -> bool:
    """Whether all verdicts are the same."""
    return len(set(verdicts)) <= 1


def flips(failed: Sequence[bool]) -> int:
    """Count how often runs in order turned from held to failed or back."""
    return sum(is_transition(before, now) for before, now in itertools.pairwise(failed))


def tally(case_verdicts: Iterable[CaseVerdict], failing: Collection[Verdict]) -> tuple[int, int]:
    """Count the runs that failed and those that held; one with both kinds of attempts counts as both.

    Args:
        case_verdicts: Runs that decided the case, under equal conditions.
        failing: The verdicts that count as failures.
    """
    listed = [(entry.verdict in failing, _mixed(entry)) for entry in case_verdicts]
    return sum(failed or mixed for failed, mixed in listed), sum(not failed or mixed for failed, mixed in listed)


def comes_and_goes(case_verdicts: Sequence[CaseVerdict], failing: Collection[Verdict]) -> bool:
    """Whether a failure is known to be flaky: a relapse with nothing changed, or attempts of one run that differ.

    A failure that was there first and has not been seen since may have been fixed, so that alone does not count.
    """
    failed = [entry.verdict in failing for entry in case_verdicts]
    relapses = (is_relapse(before, now) for before, now in itertools.pairwise(failed))
    return any(relapses) or any(map(_mixed, case_verdicts))


def _mixed(entry: CaseVerdict) -> bool:
    return bool(is_flaky(entry.failed, entry.attempts - entry.failed))


def conditions(origin: Origin) -> tuple[str, ...]:
    """Return the recorded conditions of a run: provider version, kit, catalogue and profile."""
    return origin.version, origin.kit, origin.catalogue, origin.profile_digest


def changed_conditions(then: Origin, now: Origin) -> dict[str, tuple[str, str]]:
    """Return the conditions that differ between two runs, each with its old and new value; unknown ones are left out."""
    pairs = {
        "provider": (then.subject, now.subject),
        "kit": (then.kit, now.kit),
        "catalogue": (then.catalogue, now.catalogue),
        "profile": (then.profile_digest, now.profile_digest),
    }
    return {name: (old, new) for name, (old, new) in pairs.items() if old != new and old and new}
