"""The calls that a verdict rests on, each with the recorded answer and the right one.

The texts of the verdict name the values; `by_call`, `by_choice` and `by_value` find the calls that returned them. Where none
does, the verdict rests on every answer: a provider that answers each call as it did earns the same verdict, so any other
answer to one of them is a change.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from tck.record.rows import Result
from tck.reports.read import cites
from tck.reports.reproduce.answers import Answer, Other, Returns, Value, answer_of
from tck.reports.reproduce.recorded import Call, Recorded
from tck.reports.reproduce.verdict import by_call, by_choice, by_value
from tck.reports.reproduce.words import POSITIONED, VOLATILE


@dataclass(frozen=True, slots=True)
class Deciding:
    """A call that the verdict rests on.

    Attributes:
        call: The call.
        what: The words of the verdict for it; empty where the verdict has none.
        right: The right answer.
        recorded: The recorded answer.
    """

    call: Call
    what: str
    right: Answer
    recorded: Answer


@dataclass(frozen=True, slots=True)
class Basis:
    """What a verdict rests on.

    Attributes:
        calls: The deciding calls, in their order.
        last: The number of the last event before the judgement.
        named: Whether the verdict names the right answers; else each of them is another than the recorded one.
    """

    calls: tuple[Deciding, ...]
    last: int
    named: bool


def basis_of(recorded: Recorded, result: Result) -> Basis:
    """Find the calls that the verdict of an attempt rests on."""
    last = _last(recorded, result)
    known = [call for call in recorded.calls if call.end is not None and call.end <= last]
    found: dict[int, Deciding] = {}
    for each in _named(recorded, known, result):
        found.setdefault(each.call.begin, each)
    if found:
        return Basis(tuple(_first_by_position([found[number] for number in sorted(found)])), last, named=True)
    return Basis(tuple(_every(known)), last, named=False)


def _first_by_position(decisions: Sequence[Deciding]) -> Iterator[Deciding]:
    """Yield all but the later reads of a message that is read by position: after another answer they read another value."""
    read: set[str] = set()
    for each in decisions:
        if each.call.type in POSITIONED:
            if each.call.on in read:
                continue
            read.add(each.call.on)
        yield each


def _last(recorded: Recorded, result: Result) -> int:
    every = [call.end for call in recorded.calls if call.end is not None]
    final = max((end for end in every), default=0)
    cited = max(cites(result), default=0)
    if cited:
        return cited
    failed = [call.end for call in by_call.raising(recorded.calls, result) if call.end is not None]
    return failed[-1] if failed else final


def _named(recorded: Recorded, known: Sequence[Call], result: Result) -> Iterator[Deciding]:
    chosen = by_choice.find(recorded, known, result)
    for call, what, right in (
        *by_call.find(known, result),
        *chosen,
        *by_value.find(known, result, skip={what for _, what, _ in chosen}),
    ):
        answer = by_value.in_time(call, known, answer_of(call))
        if isinstance(right, by_value.Content):
            yield Deciding(call, what, right.wanted, right.seen)
        elif right != answer and not _by_digest(answer):
            yield Deciding(call, what, right, answer)


def _by_digest(answer: Answer) -> bool:
    """Return whether a long answer was recorded by length and digest, so that no program can compare it."""
    return isinstance(answer, Value) and isinstance(answer.rendered, Mapping) and "len" in answer.rendered


def _every(calls: Sequence[Call]) -> Iterator[Deciding]:
    """Yield each call of the provider's objects: a verdict that names none may rest on any, also on one that returns nothing."""
    for call in calls:
        if call.type == "Provider":
            continue
        answer = answer_of(call)
        enumerates = isinstance(call.value, str) and call.value.startswith("enumeration-")
        if call.error is None and (call.member in VOLATILE or enumerates):
            answer = Returns()
        yield Deciding(call, "", Other(), answer)
