"""The one verdict table: outcome x level x declaration -> verdict, and verdicts -> exit code.

An *outcome* is the end of a case; a *verdict* is its meaning for one assertion of one provider under one profile.
Nothing else in the kit derives the one from the other. This module imports nothing of the project: levels arrive as
text ("MUST", "SHOULD", "MAY", "UNDEFINED").
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date
from enum import IntEnum, StrEnum


class Outcome(StrEnum):
    """How a case ended."""

    HELD = "held"
    BROKEN = "broken"
    UNDECIDED = "undecided"
    NO_HOOK = "no-hook"
    """The case needs a hook that the provider does not offer."""
    UNSUPPORTED = "unsupported"
    """The case needs a feature that the profile does not claim."""
    ABSENT = "absent"
    """The profile claims a feature that is missing at run time."""
    OBSERVED = "observed"
    """A row of level UNDEFINED: the provider's behaviour was recorded."""
    CUT = "cut"
    """The deadline was reached while a call that must return was open."""
    CUT_SETUP = "cut-setup"
    ERROR = "error"
    """A fault of the kit or of the adapter."""
    LOST = "lost"
    """The worker process was lost with the case."""
    UNREACHABLE = "unreachable"
    """The provider could not be reached, or was lost during the run."""


class Verdict(StrEnum):
    """The meaning of an outcome for one assertion, worst first.

    Observations and unsupported rows are not decided. They come last, so a parent takes one only where none of its
    children was decided.
    """

    HARNESS_ERROR = "harness-error"
    VIOLATION = "violation"
    STALE = "stale"
    UNDECIDED = "undecided"
    INCONCLUSIVE = "inconclusive"
    ADVISORY = "advisory"
    DECLARED = "declared"
    CONFORMANT = "conformant"
    OBSERVATION = "observation"
    UNSUPPORTED = "unsupported"


class Declared(StrEnum):
    """How a profile declares a known deviation."""

    FAILS = "fails"
    FLAKY = "flaky"
    UNDECIDED = "undecided"


class Effect(StrEnum):
    """How bad a deviation is for a user, worst first."""

    LOSES_OR_DUPLICATES = "loses-or-duplicates"
    WRONG_DATA = "wrong-data"
    WRONG_ORDER = "wrong-order"
    WRONG_EXCEPTION = "wrong-exception"
    PEDANTIC = "pedantic"


class Exit(IntEnum):
    """The exit codes of the command line."""

    CONFORMANT = 0
    VIOLATION = 1
    INTERRUPTED = 2
    KIT_ERROR = 3
    USAGE = 4
    NOTHING_JUDGED = 5
    PROVIDER_LOST = 6
    TERMINATED = 7

    @property
    def text(self) -> str:
        """The code and its name, as the end of a run shows them."""
        name = "kit or adapter error" if self is Exit.KIT_ERROR else self.name.lower().replace("_", " ")
        return f"{int(self)} ({name})"


def keep_exit_code() -> None:
    """Let an interrupted process end with its own exit code.

    A Python started with `-m` ends itself by SIGINT, with any exit code, if a KeyboardInterrupt ever left code
    compiled from text: a data class or a named tuple that was being defined when ^C came. Compiling other code from
    text resets that.
    """
    eval("None")  # noqa: S307 - a constant


_BAD = frozenset({Outcome.BROKEN, Outcome.CUT, Outcome.ABSENT})
_UNCERTAIN = frozenset({Outcome.UNDECIDED, Outcome.CUT_SETUP})
_FAULTY = frozenset({Outcome.ERROR, Outcome.LOST, Outcome.UNREACHABLE})
_SEVERITY = {verdict: place for place, verdict in enumerate(Verdict)}
_FAILING = frozenset({Verdict.VIOLATION, Verdict.STALE, Verdict.UNDECIDED})
_FAILING_STRICT = _FAILING | {Verdict.ADVISORY, Verdict.INCONCLUSIVE}
_UNJUDGED = frozenset({Verdict.HARNESS_ERROR, Verdict.UNDECIDED, Verdict.INCONCLUSIVE, Verdict.UNSUPPORTED})
_PRECEDENCE = (
    Exit.INTERRUPTED,
    Exit.TERMINATED,
    Exit.USAGE,
    Exit.KIT_ERROR,
    Exit.PROVIDER_LOST,
    Exit.VIOLATION,
    Exit.NOTHING_JUDGED,
)


def judge(
    outcome: Outcome, level: str, declared: str | None = None, *, spent: bool = False, asked: bool = True
) -> Verdict:
    """Return the verdict on one assertion.

    Args:
        outcome: How the case ended.
        level: Level of the assertion: "MUST", "SHOULD", "MAY" or "UNDEFINED".
        declared: None, "fails", "flaky" or "undecided": the deviation of the profile that covers this case.
        spent: The declared flakiness is beyond its bound or its date (see `flaky_is_spent`): a failure is then a
            violation, whatever the level, since the profile's own promise is broken.
        asked: The run was made to judge this row. A workload was not: what it leaves undecided is inconclusive.
    """
    if outcome in _FAULTY:
        return Verdict.HARNESS_ERROR
    if outcome is Outcome.NO_HOOK:
        return Verdict.INCONCLUSIVE
    if outcome in _UNCERTAIN:
        return _judge_uncertain(level, declared) if asked else Verdict.INCONCLUSIVE
    if outcome is Outcome.UNSUPPORTED:
        return Verdict.UNSUPPORTED  # what was not asked says nothing of a declaration, which covers other cases as well
    if outcome is Outcome.OBSERVED or (level == "UNDEFINED" and outcome is not Outcome.ABSENT):
        return Verdict.OBSERVATION
    if outcome is Outcome.HELD:
        return Verdict.STALE if declared in {Declared.FAILS, Declared.UNDECIDED} else Verdict.CONFORMANT
    return _judge_failure(outcome, level, declared, spent=spent)


def _judge_uncertain(level: str, declared: str | None) -> Verdict:
    # A requirement that cannot be judged is no requirement met: only a declaration with a reason excuses it.
    if declared == Declared.UNDECIDED:
        return Verdict.DECLARED
    return Verdict.UNDECIDED if level == "MUST" else Verdict.INCONCLUSIVE


def _judge_failure(outcome: Outcome, level: str, declared: str | None, *, spent: bool) -> Verdict:
    if outcome not in _BAD:
        raise ValueError(f"no row of the verdict table for outcome {outcome!r}")
    if declared == Declared.UNDECIDED:
        return Verdict.VIOLATION  # what was declared is another thing
    if declared is not None:
        return Verdict.VIOLATION if declared == Declared.FLAKY and spent else Verdict.DECLARED
    # A missing claimed feature is a violation at every level; a broken recommendation is advice.
    if level == "MUST" or outcome is Outcome.ABSENT:
        return Verdict.VIOLATION
    return Verdict.ADVISORY


def flaky_is_spent(failures: int, attempts: int, *, at_most: float, expires: date, today: date) -> bool:
    """Return whether declared flakiness is beyond its bound or its date.

    One failure shows no rate, so it is within every bound above zero; from the second on, `failures` of `attempts`
    (over `--repeat` or a history) are compared with `at_most` (0 to 1).
    """
    allowed = max(1.0, at_most * attempts) if at_most > 0 else 0.0
    return today > expires or failures > allowed


def worst(verdicts: Iterable[Verdict]) -> Verdict:
    """Return the verdict of a parent (case, section, chapter, run) from those of its children.

    Raises:
        ValueError: There is no child.
    """
    return min(verdicts, key=_SEVERITY.__getitem__)


def exit_code(
    judged: Iterable[tuple[Outcome, Verdict]],
    *,
    strict: bool = False,
    interrupted: bool = False,
    terminated: bool = False,
    usage: bool = False,
    kit_error: bool = False,
    provider_lost: bool = False,
) -> Exit:
    """Return the exit code of a run; where several apply, the first of 2, 7, 4, 3, 6, 1, 5.

    Args:
        judged: Outcome and verdict of each assertion of each result.
        strict: Advisory and inconclusive verdicts fail the run too.
        interrupted: The user stopped the run.
        terminated: SIGTERM stopped the run.
        usage: The command line, selection or profile was wrong.
        kit_error: A fault of the kit outside every case.
        provider_lost: The provider could not be opened, or went away outside every case.
    """
    failing = _FAILING_STRICT if strict else _FAILING
    applies = {
        Exit.INTERRUPTED: interrupted,
        Exit.TERMINATED: terminated,
        Exit.USAGE: usage,
        Exit.KIT_ERROR: kit_error,
        Exit.PROVIDER_LOST: provider_lost,
    }
    decided = False
    for outcome, verdict in judged:
        if verdict is Verdict.HARNESS_ERROR:
            applies[Exit.PROVIDER_LOST if outcome is Outcome.UNREACHABLE else Exit.KIT_ERROR] = True
        if verdict in failing:
            applies[Exit.VIOLATION] = True
        decided = decided or verdict not in _UNJUDGED
    applies[Exit.NOTHING_JUDGED] = not decided
    return next((code for code in _PRECEDENCE if applies.get(code)), Exit.CONFORMANT)
