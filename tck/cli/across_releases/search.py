"""Find the release in which a verdict turned: binary search over releases that may fail to run. Knows no provider."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Tried:
    """One release, and the result of its run.

    Attributes:
        release: The release.
        verdict: The worst verdict on the row; empty where it was not judged.
        observed: What was seen where the verdict rests on a failure, else why there is none.
        run: The id of the run.
        seconds: How long it took.
    """

    release: str
    verdict: str
    observed: str = ""
    run: str = ""
    seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class Turn:
    """The two releases between which a verdict turned; with releases between them that could not be judged.

    Attributes:
        before: The last one with the old verdict.
        after: The first one with another.
        between: The releases between the two, none of which could be judged.
        tried: Everything that was tried, in that order.
    """

    before: Tried
    after: Tried
    between: tuple[str, ...]
    tried: tuple[Tried, ...]


class SameVerdict(Exception):  # noqa: N818 - an answer, not a failure
    """Both ends have the same verdict, or one of them has none."""


def bisect(releases: Sequence[str], attempt: Callable[[str], Tried]) -> Turn:
    """Return where the verdict of the first release ends.

    Args:
        releases: From the oldest to the newest, at least two.
        attempt: Runs one of them.

    Raises:
        SameVerdict: There is nothing to find; the message has the verdicts of both ends.
    """
    tried = [attempt(releases[0]), attempt(releases[-1])]
    first, last = tried
    for end in tried:
        if not end.verdict:
            raise SameVerdict(f"{end.release} could not be judged: {end.observed}")
    if first.verdict == last.verdict:
        raise SameVerdict(f"{first.release} and {last.release} have the same verdict: {first.verdict}")
    before, after = first, last
    low, high = 0, len(releases) - 1
    useless: set[int] = set()
    while (at := _middle(low, high, useless)) is not None:
        seen = attempt(releases[at])
        tried.append(seen)
        if not seen.verdict:
            useless.add(at)
        elif seen.verdict == first.verdict:
            low, before = at, seen
        else:
            high, after = at, seen
    return Turn(before, after, tuple(releases[low + 1 : high]), tuple(tried))


def _middle(low: int, high: int, useless: set[int]) -> int | None:
    """Return the untried place nearest to the middle between two; None if there is none."""
    places = [at for at in range(low + 1, high) if at not in useless]
    return min(places, key=lambda at: abs(2 * at - low - high), default=None)
