"""The headline of a run: one sentence with the most important result, for the overview page and the terminal.

Imports no renderer.
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass

from tck.catalogue.versions import BY_NAME
from tck.record.outcomes import Verdict
from tck.reports import show
from tck.reports.labels import SURPRISES, WORDS
from tck.reports.verdict_tree import RunTree

_NEXT_TO = {
    Verdict.VIOLATION: "{} violated",
    Verdict.STALE: "{seen}, but {} declared as failing held",
    Verdict.HARNESS_ERROR: "{} not judged: the kit or the adapter failed",
    Verdict.UNDECIDED: "{seen}, but {} could not be judged",
    Verdict.INCONCLUSIVE: "{seen}: {hold}, {} inconclusive",
    Verdict.ADVISORY: "{seen}, {} with an advisory",
    Verdict.CONFORMANT: "{seen}: {hold}",
}


@dataclass(frozen=True, slots=True)
class Headline:
    """The most important result in one sentence.

    Attributes:
        verdict: The verdict that the sentence is about.
        text: The sentence, without full stop.
        beside: The unsupported assertions, which no verdict counts; empty if there are none.
        note: That no provider is measured by the tier, where it only documents a text; otherwise empty.
    """

    verdict: Verdict
    text: str
    beside: str
    note: str = ""

    @property
    def mark(self) -> str:
        """The symbol of the verdict."""
        return WORDS[self.verdict].mark

    @property
    def line(self) -> str:
        """All of it on one line."""
        return f"{self.mark} {self.sentence}"

    @property
    def sentence(self) -> str:
        """The same without the symbol."""
        return "; ".join(filter(None, (self.text, self.beside, self.note)))


def headline(tree: RunTree) -> Headline:
    """Return the headline of a suite run."""
    version = BY_NAME.get(tree.run.run.profile.tier)
    note = (
        f"documentary: no provider is measured by {version.title}"
        if version is not None and version.documentary
        else ""
    )
    return dataclasses.replace(_of_verdicts(tree), note=note)


def _of_verdicts(tree: RunTree) -> Headline:
    counts = tree.counts
    beside = (
        f"{show.count(counts[Verdict.UNSUPPORTED], 'assertion')} unsupported" if counts[Verdict.UNSUPPORTED] else ""
    )
    verdict = next((each for each in (*SURPRISES, Verdict.CONFORMANT, Verdict.DECLARED) if counts[each]), None)
    if verdict is None and counts[Verdict.OBSERVATION]:
        seen = show.count(counts[Verdict.OBSERVATION], "observation")
        return Headline(Verdict.OBSERVATION, f"Nothing to decide, {seen}", beside)
    if verdict is None:
        return Headline(Verdict.UNSUPPORTED, "Nothing was judged", beside)
    number = show.count(counts[verdict], "assertion").capitalize()
    if verdict in {Verdict.INCONCLUSIVE, Verdict.CONFORMANT}:
        number = f"{counts[verdict]:,}"
    elif verdict not in {Verdict.VIOLATION, Verdict.HARNESS_ERROR}:
        number = number.lower()
    words = _NEXT_TO.get(verdict, _NEXT_TO[Verdict.CONFORMANT])
    text = words.format(number, seen=none_seen(counts[Verdict.DECLARED]), hold=_hold(tree))
    return Headline(verdict, text, beside)


def none_seen(declared: int) -> str:
    """Return the beginning of a headline without undeclared violations."""
    return "No undeclared violation found" if declared else "No violation found"


def _hold(tree: RunTree) -> str:
    held, declared = tree.counts[Verdict.CONFORMANT], tree.counts[Verdict.DECLARED]
    if declared:
        return f"{held:,} of {show.count(held + declared, 'decided assertion')} {'holds' if held == 1 else 'hold'}"
    if not held:
        return "none decided"
    return "the one decided assertion holds" if held == 1 else f"all {held:,} decided assertions hold"
