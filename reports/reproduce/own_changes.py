"""Changes that the client made to objects of its own between two calls, which events do not hold.

A row that demands copies is tested so: the client changes an array that it gave or was given, and reads again. A provider that
keeps the array shows the change. The recorded wrong value is then the content that the client gave its own object.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from tck.reports.reproduce.answers import Value, plain
from tck.reports.reproduce.recorded import Call, Recorded
from tck.reports.reproduce.verdict.deciding import Deciding
from tck.reports.reproduce.words import returns_nothing

_COPIES: Final = re.compile(r"\bcop(?:y|ies|ied)\b")


@dataclass(frozen=True, slots=True)
class OwnChange:
    """A change of one object by the client.

    Attributes:
        before: The number of the call before which it is made.
        given: The calls that the object was passed to, each with the parameter; empty if a call returned it.
        returned: The call that returned it.
        first: The content before, rendered.
        content: The content afterwards, rendered.
    """

    before: int
    given: tuple[tuple[Call, str], ...]
    returned: Call | None
    first: object
    content: object


def is_hidden(claim: str, decisions: Sequence[Deciding], changes: Sequence[OwnChange], *, named: bool) -> bool:
    """Return whether a case about copies rests on a change that nothing shows, so that a program could not make it."""
    if changes or not _COPIES.search(claim):
        return False
    answers = [each.recorded for each in decisions]
    compound = any(isinstance(plain(each.rendered), (bytes, list, dict)) for each in answers if isinstance(each, Value))
    return compound or not named


def own_changes(recorded: Recorded, claim: str, decisions: Sequence[Deciding]) -> tuple[OwnChange, ...]:
    """Return the changes that explain the wrong answers of a case about copies."""
    if not _COPIES.search(claim):
        return ()
    at = min((each.call.begin for each in decisions), default=0)
    found: dict[int, OwnChange] = {}
    for each in decisions:
        if isinstance(each.right, Value) and isinstance(each.recorded, Value):
            for change in _changes(recorded, each, each.right.rendered, each.recorded.rendered, at):
                number = change.returned.begin if change.returned else change.given[0][0].begin
                found.setdefault(number, change)
    return tuple(found.values())


def _changes(recorded: Recorded, decision: Deciding, right: object, wrong: object, at: int) -> Iterator[OwnChange]:
    content = plain(right)
    if not isinstance(content, (bytes, list, dict)):
        return
    call = decision.call
    before = [each for each in recorded.calls if each.begin < at and each.on == call.on]
    read = [each for each in before if not returns_nothing(each) and plain(each.value) == content]
    if read:
        yield from (OwnChange(at, (), each, right, wrong) for each in read)
        return
    given = [(each, name) for each in before for name, value in each.args.items() if plain(value) == content]
    if given:
        yield OwnChange(at, tuple(given), None, right, wrong)
