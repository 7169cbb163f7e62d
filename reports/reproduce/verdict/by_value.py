"""Deciding calls of verdicts over values: the calls that returned the values which the observation names.

An observation is a value, a list or a table of values; the calls that returned them are looked for backwards from the
judgement, in the order of the observation.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from tck.api.java.rule import snake_case
from tck.record.rows import Result
from tck.reports.reproduce.answers import (
    Answer,
    Filled,
    Near,
    OneOf,
    Other,
    Raises,
    Value,
    answer_of,
    bare,
    plain,
    rendered,
)
from tck.reports.reproduce.recorded import NEXT, Call
from tck.reports.reproduce.verdict.wording import Difference, Labelled, differences
from tck.reports.reproduce.words import SENDS, creates, result_type, returns_nothing

_RAISED: Final = "raises "
_HEADER: Final = re.compile(r"\b(?:JMS[A-Z]\w+)\b")
_LIES: Final = re.compile(r"(.+?) (?:lies in|is) (\d+)(?: to (\d+))? \(give or take \d+\)\Z")
_WAS: Final = re.compile(r"(.+?) was (-?\d+)\Z")
_CELL: Final = re.compile(r"`?(\w+) [^`]* as \w+`?\Z")
_EPOCH: Final = 10**12
"""Numbers from here on, beside the time of the case, are times."""
_DAY: Final = 86_400_000
_MARGIN: Final = 2000
_MISSING: Final = object()
_LARGEST: Final = 3.4028235e38
_KINDS: Final[Mapping[str, tuple[type, ...]]] = {
    "boolean": (bool,),
    **dict.fromkeys(("byte", "short", "int", "long"), (int,)),
    **dict.fromkeys(("float", "double"), (int, float)),
    "String": (str, type(None)),
    "byte[]": (bytes, type(None)),
}


@dataclass(frozen=True, slots=True)
class Content:
    """The bytes that a call filled into the array it was given: the recorded and the right ones."""

    wanted: Answer
    seen: Answer


Found = tuple[Call, str, Answer | Content]


@dataclass(frozen=True, slots=True)
class _Leaf:
    what: str
    seen: object
    wanted: object
    follows: bool = False
    """Whether its call comes right after that of the value before it."""

    @property
    def differs(self) -> bool:
        return self.wanted is _MISSING or not _same(bare(self.seen), bare(self.wanted))


def find(calls: Sequence[Call], result: Result, *, skip: set[str]) -> list[Found]:
    """Return the calls, the verdict's words for each, and the right answer; differences in `skip` are found already."""
    observed, expected = result.observed or "", result.expected or ""
    timed = [*_times(calls, observed, expected)]
    if timed:
        return timed
    found: list[tuple[Call, _Leaf]] = []
    until = len(calls)
    for difference in reversed(differences(observed, expected)):
        if any(what.startswith(difference.what) for what in skip):
            continue
        placed = _placed(calls, until, difference) or _placed(calls, len(calls), difference)
        if placed:
            until = min(calls.index(call) for call, _ in placed)
            differing = [(call, leaf) for call, leaf in placed if leaf.differs]
            if any(call.op == NEXT for call, _ in differing):  # elements come in any order
                differing = _unwanted(differing, difference.wanted)
            found[:0] = differing
    return _answers(calls, found)


def _unwanted(placed: Sequence[tuple[Call, _Leaf]], wanted: object) -> list[tuple[Call, _Leaf]]:
    """Return the elements that an enumeration must not have."""
    right = wanted if isinstance(wanted, (list, tuple)) else ()
    return [(call, replace(leaf, wanted=_MISSING)) for call, leaf in placed if leaf.seen not in right]


def _answers(calls: Sequence[Call], placed: Sequence[tuple[Call, _Leaf]]) -> list[Found]:
    """Return the right answers; entries that look alike may have been read in another order than the verdict names them."""
    found: list[Found] = []
    for call, leaf in placed:
        right = _right(call, leaf)
        if "name" in call.args and not _names(calls, leaf.what):
            alike = [
                _right(call, each) for other, each in placed if other.member == call.member and each.seen == leaf.seen
            ]
            several = tuple(dict.fromkeys(each for each in alike if not isinstance(each, Content)))
            right = OneOf(several) if len(several) > 1 else right
        found.append((call, leaf.what, right))
    return found


def _placed(calls: Sequence[Call], until: int, difference: Difference) -> list[tuple[Call, _Leaf]]:
    """Return the calls that returned the parts of a value, with these parts, in order; empty if the differing ones are not found."""
    whole = [_Leaf(difference.what, difference.seen, difference.wanted)]
    items = [*_leaves(difference.what, difference.seen, difference.wanted, depth=1)]
    parts = [*_leaves(difference.what, difference.seen, difference.wanted)]
    table = ": " in difference.what
    header = _HEADER.search(difference.what)
    named = {snake_case(header.group())} if header else set()
    for leaves in (whole, items, parts):
        last = next((leaf for leaf in reversed(leaves) if leaf.differs), None)
        if last is None:
            continue
        like = [each.member for each in reversed(calls[:until]) if _shows(each, last.seen)]
        for member in dict.fromkeys(sorted(like, key=lambda name: name not in named)):
            mine = [each for each in calls[:until] if each.member == member]
            placed = _backwards(mine, leaves, calls)
            if placed and len(placed) == len(leaves) and not (table and _ambiguous(mine, leaves)):
                return placed
        placed = [] if table and _ambiguous(calls[:until], leaves) else _backwards(calls[:until], leaves, calls)
        if any(leaf.differs for _, leaf in placed):
            return placed
    return []


def _backwards(calls: Sequence[Call], leaves: Sequence[_Leaf], every: Sequence[Call]) -> list[tuple[Call, _Leaf]]:
    """Place values on calls from the last to the first; those of one tuple on calls that follow each other."""
    placed: list[tuple[Call, _Leaf]] = []
    at = len(calls)
    for unit in reversed(_units(leaves)):
        hinted = [_hinted(every, leaf.what) for leaf in unit]
        size = len(unit)
        for end in range(at, size - 1, -1):
            part = calls[end - size : end]
            if all(
                _placeable(call, leaf, hint, _names(every, leaf.what))
                for call, leaf, hint in zip(part, unit, hinted, strict=True)
            ):
                placed[:0] = zip(part, unit, strict=True)
                at = end - size
                break
    return placed


def _ambiguous(calls: Sequence[Call], leaves: Sequence[_Leaf]) -> bool:
    """Return whether bytes that a call put into an array may be those of several calls: events hold their number only."""
    (seen, *rest) = [leaf.seen for leaf in leaves]
    return (
        not rest
        and isinstance(seen, bytes)
        and sum(_shows(each, seen) for each in calls if each.member == "read_bytes") > 1
    )


def _names(calls: Sequence[Call], what: str) -> frozenset[str]:
    """Return the name of an entry or property that the words for a value end in, if a call has it as its argument."""
    last = what.rpartition(": ")[2].strip("`")
    return frozenset({last} & {str(call.args.get("name")) for call in calls})


def _units(leaves: Sequence[_Leaf]) -> list[list[_Leaf]]:
    units: list[list[_Leaf]] = []
    for leaf in leaves:
        if leaf.follows:
            units[-1].append(leaf)
        else:
            units.append([leaf])
    return units


def _placeable(call: Call, leaf: _Leaf, hinted: frozenset[str], named: frozenset[str]) -> bool:
    if not _shows(call, leaf.seen) or (hinted and call.member not in hinted):
        return False
    if named and "name" in call.args and call.args["name"] not in named:
        return False
    return not leaf.differs or _fits(call, leaf)


def _hinted(calls: Sequence[Call], what: str) -> frozenset[str]:
    """Return the members that the words for a value name: `char 'x' as float` is of a member that ends in `_float`.

    A second value of such a cell is of the type that it has.
    """
    words, _, place = what.rpartition(", ")
    if not place.isdigit():
        words, place = what, "1"
    cell = _CELL.search(words)
    last = words.rstrip("`").rpartition(" ")[2].removesuffix("()")
    if any(call.args.get("name") == last for call in calls):
        return frozenset()
    if place == "2" and cell is not None:
        last = cell[1]
    elif place != "1" or not last.isidentifier():
        return frozenset()
    name = snake_case(last)
    like = [call for call in calls if call.member == name or call.member.endswith(f"_{name}")]
    return frozenset(call.member for call in like if not (returns_nothing(call) or creates(call)))


def _leaves(what: str, seen: object, wanted: object, depth: int = 99) -> Iterator[_Leaf]:
    if not depth:
        yield _Leaf(what, seen, wanted)
    elif _counted(seen) and _counted(wanted):  # one call: the number of bytes, and those in the array
        at = 0 if seen[0] != wanted[0] else 1  # type: ignore[index]  # a list, by `_counted`
        yield _Leaf(what, seen[at], wanted[at])  # type: ignore[index]  # likewise
    elif isinstance(seen, list) and isinstance(wanted, list) and len(seen) != len(wanted):  # places tell nothing
        for at, each in enumerate(seen):
            yield _Leaf(f"{what}, {at + 1}", each, each if each in wanted else _MISSING)
    elif isinstance(seen, (list, tuple)) and isinstance(wanted, (list, tuple)):
        for at, each in enumerate(seen):
            right = wanted[at] if at < len(wanted) else _MISSING
            for leaf in _leaves(f"{what}, {at + 1}", each, right, depth - 1):
                yield replace(leaf, follows=True) if isinstance(seen, tuple) and at else leaf
    elif isinstance(seen, dict) and isinstance(wanted, dict):
        for key, each in seen.items():
            yield from _leaves(f"{what}, {key}", each, wanted.get(key, _MISSING), depth - 1)
    else:
        yield _Leaf(what, seen, wanted)


def _counted(value: object) -> bool:
    return isinstance(value, list) and len(value) == 2 and type(value[0]) is int and isinstance(value[1], bytes)


def _shows(call: Call, seen: object) -> bool:
    """Return whether a call had this answer."""
    if call.error is not None:
        return seen == f"{_RAISED}{str(call.error['type']).rpartition('.')[2]}"
    if isinstance(seen, Labelled):
        return call.value == seen.label
    if returns_nothing(call) or call.type == "Provider":
        return False
    if call.member == "read_bytes" and (seen is None or isinstance(seen, bytes)):
        return _read(call) == (-1 if seen is None else len(seen))
    return _same(plain(call.value), bare(seen))


def _fits(call: Call, leaf: _Leaf) -> bool:
    """Return whether a call can return the wanted value at all."""
    wanted = bare(leaf.wanted)
    if leaf.wanted is _MISSING or (isinstance(wanted, str) and wanted.startswith(_RAISED)):
        return True
    if call.member == "read_bytes":
        whole = wanted is None or isinstance(wanted, bytes)
        return (
            type(wanted) is int or (whole and isinstance(leaf.seen, str))
            if isinstance(leaf.seen, (int, str))
            else whole
        )
    declared = result_type(call)
    if declared == "char":
        return isinstance(wanted, str) and len(wanted) == 1
    if declared == "float" and isinstance(wanted, float) and _LARGEST < abs(wanted) < math.inf:
        return False
    bits = {"byte": 7, "short": 15, "int": 31, "long": 63}.get(declared)
    if bits and isinstance(wanted, int) and not -(1 << bits) <= wanted < 1 << bits:
        return False
    kinds = _KINDS.get(declared)
    return kinds is None or (isinstance(wanted, kinds) and (declared == "boolean") is isinstance(wanted, bool))


def _read(call: Call) -> int:
    """Return how many bytes a call read into its array; -1 if it read none."""
    return call.value if isinstance(call.value, int) else -1


def _same(one: object, other: object) -> bool:
    if isinstance(one, bool) or isinstance(other, bool) or one is None or other is None:
        return one is other
    if isinstance(one, float) and isinstance(other, float) and math.isnan(one):
        return math.isnan(other)
    return type(one) is type(other) and one == other if isinstance(one, (str, bytes)) else one == other


def _right(call: Call, leaf: _Leaf) -> Answer | Content:
    wanted = leaf.wanted
    if call.member == "read_bytes" and isinstance(leaf.seen, bytes):
        right: Answer = Filled(wanted) if isinstance(wanted, bytes) else Other()
        return Content(right, Filled(leaf.seen))
    if call.member == "read_bytes" and (leaf.seen is None or isinstance(wanted, bytes)):
        return Value(len(wanted)) if isinstance(wanted, bytes) else Value(-1) if wanted is None else Other()
    if wanted is _MISSING or isinstance(wanted, Labelled):
        return Other()
    if isinstance(wanted, str) and wanted.startswith(_RAISED) and " " not in wanted.removeprefix(_RAISED):
        return Raises(wanted.removeprefix(_RAISED))
    if isinstance(leaf.seen, int) and isinstance(wanted, int) and wanted >= _EPOCH:
        return Other()
    if isinstance(wanted, str) and wanted.startswith("ID:"):
        return Other()
    return Value(rendered(wanted))


# -- times -----------------------------------------------------------------------------------------------------------


def _times(calls: Sequence[Call], observed: str, expected: str) -> Iterator[Found]:
    wanted, seen = _LIES.match(expected), _WAS.match(observed)
    if wanted is None or seen is None or wanted[1] != seen[1] or int(wanted[2]) < _EPOCH:
        return
    like = [each for each in calls if _shows(each, int(seen[2]))]
    header = _HEADER.search(seen[1])
    named = [each for each in like if header and each.member == snake_case(header.group())]
    for call in (named or like)[-1:]:
        low, high = int(wanted[2]), int(wanted[3] or wanted[2])
        off = min(abs(int(seen[2]) - low), abs(int(seen[2]) - high))
        origin = _sent_before(call, calls)
        if origin is not None:
            middle = (low + high) // 2
            margin = max(1, min(_MARGIN, off // 3))
            yield call, seen[1], Near(origin.begin, middle - origin.began_ms, margin)


def _sent_before(call: Call, calls: Sequence[Call]) -> Call | None:
    sends = [each for each in calls if each.member in SENDS and each.begin < call.begin]
    return sends[-1] if sends else None


def in_time(call: Call, calls: Sequence[Call], answer: Answer) -> Answer:
    """Return a recorded answer; a time of the day of the case as so many milliseconds after the send before it."""
    if not isinstance(answer, Value) or type(answer.rendered) is not int or abs(answer.rendered - call.began_ms) > _DAY:
        return answer
    origin = _sent_before(call, calls)
    given = [each for each in calls if each.begin < call.begin and answer.rendered in each.args.values()]
    origin = given[-1] if given else origin  # a time that the client set itself
    if origin is None:
        return answer
    return Near(origin.begin, answer.rendered - origin.began_ms, _MARGIN)


__all__ = ["Content", "answer_of", "find", "in_time"]
