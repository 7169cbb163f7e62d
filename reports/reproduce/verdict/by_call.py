"""Deciding calls of verdicts over calls and arrivals: `... raises T`, `... raises nothing`, `['x'] arrive from ...`."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence
from typing import Final

from tck.record.rows import Result
from tck.reports.read import cites
from tck.reports.reproduce.answers import AMessage, Answer, Raises, Returns, Text, bare, plain
from tck.reports.reproduce.recorded import Call
from tck.reports.reproduce.verdict.wording import Labelled, scan
from tck.reports.reproduce.words import RECEIVES

Found = tuple[Call, str, Answer]

_RAISES: Final = re.compile(r"(.+) raises (\w+)\Z", re.DOTALL)
_EACH: Final = re.compile(r"each of these raises (\w+): ")
_ENDING: Final = re.compile(r"(.+?) (returned|raised) (.*)\Z", re.DOTALL)
_THROUGH: Final = re.compile(r"sending or receiving .+? raised (\w+): |receiving raised (\w+): ")
_FEW: Final = re.compile(r"only (\[.*\]) arrived\Z", re.DOTALL)
_CAME: Final = re.compile(r"(\[.*\]) arrived\Z", re.DOTALL)
_BEFORE: Final = re.compile(r"(\[.*\]) came before the marker\Z", re.DOTALL)
_NO_MARKER: Final = re.compile(r"(\[.*\]) came, and the marker '(.*)' that was sent after them did not")
_FIRST: Final = re.compile(r"nothing comes from .+ before (.+)\Z", re.DOTALL)


def find(calls: Sequence[Call], result: Result) -> list[Found]:
    """Return the calls, the verdict's words for each, and the right answer."""
    observed, expected = result.observed or "", result.expected or ""
    found = [*_refusals(calls, result, observed, expected)]
    found = found or [*_arrivals(calls, observed, expected)]
    return found or [*_errors(calls, result)]


def raising(calls: Sequence[Call], result: Result) -> list[Call]:
    """Return the calls that raised the exception that ended the attempt."""
    error = result.error
    if error is None:
        return []
    return [each for each in calls if each.error and _same_error(each, error.type, error.text)]


def _errors(calls: Sequence[Call], result: Result) -> Iterator[Found]:
    found = raising(calls, result)
    if found:
        yield found[-1], result.expected or "", Returns()


def _refusals(calls: Sequence[Call], result: Result, observed: str, expected: str) -> Iterator[Found]:
    wanted: dict[str, Answer] = {}
    every = _EACH.match(expected)
    if every:
        wanted = dict.fromkeys(expected[every.end() :].split(", "), Raises(every[1]))
    for part in expected.split("; "):
        named = _RAISES.match(part)
        if named and not every:
            wanted[named[1]] = Returns() if named[2] == "nothing" else Raises(named[2])
    taken: set[int] = set()
    cited = cites(result)
    for part in _parts(observed, list(wanted)):
        ending = _ENDING.match(part)
        through = _THROUGH.match(part)
        if through is not None:
            match = _of_error(calls, through[1] or through[2], part[through.end() :], cited, taken)
            answer: Answer | None = Returns()
        elif ending is not None:
            answer = wanted.get(ending[1])
            match = _matching(calls, ending[2], ending[3], cited, taken)
        else:
            continue
        if match is not None and answer is not None:
            taken.add(match.begin)
            yield match, part.partition(" returned ")[0].partition(" raised ")[0], answer


def _parts(observed: str, whats: Sequence[str]) -> Iterator[str]:
    """Split at the statements that begin with one of these words; a text of an exception may hold any sign."""
    starts = sorted({at for what in whats for at in _places(observed, what)})
    if not starts:
        yield observed
    for at, following in itertools.pairwise([*starts, len(observed)]):
        yield observed[at:following].removesuffix("; ")


def _places(text: str, what: str) -> Iterator[int]:
    at = -1
    while (at := text.find(what, at + 1)) >= 0:
        if (at == 0 or text.startswith("; ", at - 2)) and text.startswith((" returned ", " raised "), at + len(what)):
            yield at


def _matching(calls: Sequence[Call], verb: str, rest: str, cited: frozenset[int], taken: set[int]) -> Call | None:
    if verb == "raised":
        kind, _, text = rest.partition(": ")
        return _of_error(calls, kind, text, cited, taken)
    read = scan(rest)
    if read is None:  # an object of the suite, made from what the last call returned
        return next((each for each in reversed(calls) if each.returned and each.end in cited), None)
    value = read[0]
    if isinstance(value, Labelled):
        return next((each for each in calls if each.created and each.value == value.label), None)
    like = [each for each in calls if each.returned and plain(each.value) == bare(value) and each.begin not in taken]
    return next((each for each in like if each.end in cited), like[-1] if like else None)


def _of_error(calls: Sequence[Call], kind: str, text: str, cited: frozenset[int], taken: set[int]) -> Call | None:
    like = [each for each in calls if each.error and each.begin not in taken and _same_error(each, kind, text)]
    return next((each for each in like if each.end in cited), like[-1] if like else None)


def _same_error(call: Call, kind: str, text: str) -> bool:
    error = call.error or {}
    seen = str(error.get("text"))
    return str(error.get("type")).rpartition(".")[2] == kind.rpartition(".")[2] and (
        seen == text or text.startswith(seen)
    )


def _arrivals(calls: Sequence[Call], observed: str, expected: str) -> Iterator[Found]:
    receives = [each for each in calls if each.member in RECEIVES]
    if not receives:
        return
    for pattern, answer in ((_FEW, _few), (_BEFORE, _before), (_CAME, _came), (_NO_MARKER, _no_marker)):
        match = pattern.search(observed)
        seen = scan(match[1]) if match else None
        wanted = scan(expected)
        if match and seen and wanted and isinstance(seen[0], list) and isinstance(wanted[0], list):
            yield from answer(receives, seen[0], wanted[0], observed)
            return
    first = _FIRST.match(expected)
    marker = scan(first[1]) if first else None
    if first and marker and isinstance(marker[0], str):
        yield receives[-1], "the first message to come", Text(marker[0])
    elif "did not come within" in observed or "none arrived within" in observed:
        yield receives[-1], expected, AMessage()


def _few(receives: Sequence[Call], seen: list[object], wanted: list[object], _: str) -> Iterator[Found]:
    if receives[-1].value is None and len(seen) < len(wanted):
        yield receives[-1], f"message {len(seen) + 1} of {len(wanted)}", _message(wanted[len(seen)])


def _came(receives: Sequence[Call], seen: list[object], wanted: list[object], _: str) -> Iterator[Found]:
    mine = receives[-len(seen) :] if seen else []
    for at, (call, was, is_) in enumerate(zip(mine, seen, wanted, strict=False), 1):
        if was != is_:
            yield call, f"message {at} of {len(wanted)}", _message(is_)


def _before(receives: Sequence[Call], seen: list[object], wanted: list[object], _: str) -> Iterator[Found]:
    marker = (receives[-1].message or {}).get("body")
    mine = receives[-len(seen) - 1 :]
    if len(mine) != len(seen) + 1 or not isinstance(marker, str):
        return
    for at, (call, was) in enumerate(zip(mine, [*seen, marker], strict=True)):
        right = wanted[at] if at < len(wanted) else marker
        if at <= len(wanted) and was != right:
            yield call, f"message {at + 1}, before the marker {marker!r}", _message(right)


def _no_marker(receives: Sequence[Call], seen: list[object], wanted: list[object], observed: str) -> Iterator[Found]:
    match = _NO_MARKER.search(observed)
    if match and receives[-1].value is None and len(seen) <= len(wanted):
        right = wanted[len(seen)] if len(seen) < len(wanted) else match[2]
        yield receives[-1], f"message {len(seen) + 1}, before the marker {match[2]!r}", _message(right)


def _message(content: object) -> Answer:
    return Text(content) if isinstance(content, str) else AMessage()
