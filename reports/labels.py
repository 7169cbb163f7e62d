"""Labels: the name, meaning and order of verdicts and outcomes on pages and in messages.

Texts only; the table that judges is in `tck.record.outcomes`.
"""

from __future__ import annotations

from dataclasses import dataclass

from tck.record.outcomes import Outcome, Verdict


@dataclass(frozen=True, slots=True)
class Word:
    """The texts for a verdict; `mark` is a symbol, so that colour is never needed."""

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
            "The kit or the adapter failed, or the provider could not be reached. This says nothing about the provider.",
        ),
        Word(
            Verdict.VIOLATION,
            "Violation",
            "violations",
            "✗",
            "The provider broke a requirement, or lacks a feature that its profile claims.",
        ),
        Word(
            Verdict.STALE,
            "Stale declaration",
            "stale declarations",
            "↺",
            "The profile declares a failure that did not happen. Remove the declaration.",
        ),
        Word(
            Verdict.UNDECIDED,
            "Undecided",
            "undecided",
            "¿",
            "A requirement could not be judged although all that its case needs is offered; the profile does not say why.",
        ),
        Word(
            Verdict.INCONCLUSIVE,
            "Inconclusive",
            "inconclusive",
            "?",
            "A hook that the case needs is not offered, or a recommendation or an option could not be judged.",
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
            Verdict.CONFORMANT,
            "Conformant",
            "conformant",
            "✓",
            "Every case held, with evidence that an idle provider could not have produced.",
        ),
        Word(
            Verdict.OBSERVATION,
            "Observation",
            "observations",
            "◦",
            "The specification leaves this open: the behaviour is recorded, not judged.",
        ),
        Word(
            Verdict.UNSUPPORTED,
            "Unsupported",
            "unsupported",
            "∅",
            "The row requires an optional feature that the profile does not claim.",
        ),
    )
}
"""Every verdict, worst first, in the order of `Verdict`."""

SURPRISES = (
    Verdict.VIOLATION,
    Verdict.STALE,
    Verdict.UNDECIDED,
    Verdict.HARNESS_ERROR,
    Verdict.INCONCLUSIVE,
    Verdict.ADVISORY,
)
"""The verdicts that pages show first, in that order."""

OUTCOMES: dict[Outcome, str] = {
    Outcome.HELD: "the claim held, and evidence shows that the provider was really asked",
    Outcome.BROKEN: "the provider did what the row forbids, or did not do what it requires",
    Outcome.UNDECIDED: "a step before the claim did not work, so the claim was not judged",
    Outcome.NO_HOOK: "the case needs a hook that the provider does not offer",
    Outcome.UNSUPPORTED: "the row requires a feature that the profile does not claim",
    Outcome.ABSENT: "the profile claims a feature that was missing when it was used",
    Outcome.OBSERVED: "a behaviour that the specification leaves open was recorded",
    Outcome.CUT: "cut at the deadline while a call that must return was still open",
    Outcome.CUT_SETUP: "cut at the deadline before the claim was reached",
    Outcome.ERROR: "the kit or the adapter failed",
    Outcome.LOST: "the worker process was lost while the case ran",
    Outcome.UNREACHABLE: "the provider could not be reached, or was lost while the case ran",
}

LEVELS: dict[str, str] = {
    "MUST": "a requirement: breaking it is a violation",
    "SHOULD": "a recommendation: not following it is an advisory",
    "MAY": "an option: not following it is an advisory",
    "UNDEFINED": "left open by the specification: recorded, never failed",
}

NOT_A_CERTIFICATE = (
    "Evidence about one run, gathered by an independent test kit. It is not a certification of any kind, and it says "
    "nothing about rows that were not run."
)

NO_CERTIFICATES = NOT_A_CERTIFICATE.replace("about one run", "about several runs")
"""The same for pages that compare several runs."""


def counted(verdict: Verdict, number: int) -> str:
    """Return a number with the verdict's label: `1 violation`, `3 violations`."""
    word = WORDS[verdict]
    return f"{number:,} {word.label.lower() if number == 1 else word.plural}"


def rank(verdict: Verdict) -> int:
    """Return the rank of a verdict; 0 is the worst."""
    return _RANKS[verdict]


_RANKS = {verdict: place for place, verdict in enumerate(WORDS)}
