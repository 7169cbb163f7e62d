"""What each verdict and outcome is called, what it means in one sentence, and the order in which they are shown.

Words only: the table that judges stands in `tck.record.outcomes`.
"""

from __future__ import annotations

from dataclasses import dataclass

from tck.record.outcomes import Outcome, Verdict


@dataclass(frozen=True, slots=True)
class Word:
    """How a verdict is shown; `mark` is a symbol, so that nothing rests on colour alone."""

    verdict: Verdict
    label: str
    plural: str
    mark: str
    meaning: str


WORDS: dict[Verdict, Word] = {
    word.verdict: word
    for word in (
        Word(
            Verdict.HARNESS_ERROR,
            "Harness error",
            "harness errors",
            "⚠",
            "The kit or the adapter failed, or the provider could not be reached. This does not judge the provider.",
        ),
        Word(
            Verdict.VIOLATION,
            "Violation",
            "violations",
            "✗",
            "The provider broke an obligation, or lacks a feature that its profile claims.",
        ),
        Word(
            Verdict.STALE,
            "Stale declaration",
            "stale declarations",
            "↺",
            "The profile declares a failure that did not happen: the declaration should go.",
        ),
        Word(
            Verdict.INCONCLUSIVE,
            "Inconclusive",
            "inconclusive",
            "?",
            "Something the case needs before it can judge did not work, so nothing was decided.",
        ),
        Word(
            Verdict.ADVISORY,
            "Advisory",
            "advisories",
            "!",
            "A recommendation or an option of the specification is not followed.",
        ),
        Word(
            Verdict.DECLARED,
            "Declared deviation",
            "declared deviations",
            "≈",
            "A known failure, declared in the profile with its reason.",
        ),
        Word(
            Verdict.UNSUPPORTED,
            "Unsupported",
            "unsupported",
            "∅",
            "The row presumes an optional feature that the profile does not claim.",
        ),
        Word(
            Verdict.OBSERVATION,
            "Observation",
            "observations",
            "◦",
            "The specification leaves this open: what the provider does is recorded, not judged.",
        ),
        Word(
            Verdict.CONFORMANT,
            "Conformant",
            "conformant",
            "✓",
            "Every case held, and each saw something that an idle provider could not have shown.",
        ),
    )
}
"""Every verdict, worst first, in the order of `Verdict`."""

SURPRISES = (Verdict.VIOLATION, Verdict.STALE, Verdict.HARNESS_ERROR, Verdict.INCONCLUSIVE, Verdict.ADVISORY)
"""The verdicts that a reader must see first, in that order."""

OUTCOMES: dict[Outcome, str] = {
    Outcome.HELD: "the claim held, and a witness shows that the provider was really asked",
    Outcome.BROKEN: "the provider did what the row forbids, or did not do what it demands",
    Outcome.UNDECIDED: "a step before the claim did not work, so the claim was not judged",
    Outcome.UNSUPPORTED: "the row presumes a feature that the profile does not claim",
    Outcome.ABSENT: "the profile claims a feature that was missing when it was used",
    Outcome.OBSERVED: "a behaviour that the specification leaves open was recorded",
    Outcome.CUT: "cut at the deadline while a call that must return was still open",
    Outcome.CUT_SETUP: "cut at the deadline before the claim was reached",
    Outcome.ERROR: "the kit or the adapter failed",
    Outcome.LOST: "the worker process was lost while the case ran",
    Outcome.UNREACHABLE: "the provider could not be reached, or was lost while the case ran",
}

LEVELS: dict[str, str] = {
    "MUST": "an obligation: breaking it is a violation",
    "SHOULD": "a recommendation: not following it is an advisory",
    "MAY": "an option: not following it is an advisory",
    "UNDEFINED": "left open by the specification: recorded, never failed",
}

NOT_A_CERTIFICATE = (
    "Evidence about one run, gathered by an independent test kit. It is not a certification of any kind, and it says "
    "nothing about rows that were not run."
)

NO_CERTIFICATES = NOT_A_CERTIFICATE.replace("about one run", "about several runs")
"""The same, of pages that lay runs side by side."""


def counted(verdict: Verdict, number: int) -> str:
    """Say how many of a verdict: `1 violation`, `3 violations`."""
    word = WORDS[verdict]
    return f"{number:,} {word.label.lower() if number == 1 else word.plural}"


def rank(verdict: Verdict) -> int:
    """Return the place of a verdict among its kind, 0 being the worst."""
    return _RANKS[verdict]


_RANKS = {verdict: place for place, verdict in enumerate(WORDS)}
