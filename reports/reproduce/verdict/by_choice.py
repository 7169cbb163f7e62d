"""Deciding calls of verdicts over the messages that selectors choose: the receives of each selector's consumer or browser."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from tck.record.rows import Result
from tck.reports.reproduce.answers import Answer, End, Text
from tck.reports.reproduce.recorded import NEXT, Call, Recorded
from tck.reports.reproduce.verdict.wording import Difference, differences
from tck.reports.reproduce.words import RECEIVES, SENDS

TABLE: Final = "messages chosen: "
"""How the suite begins the table of choices."""
_FENCED: Final = "({}) OR tck_fence IS NOT NULL"
_FENCE, _COPY = "fence", "a copy of one that is wanted"

Found = tuple[Call, str, Answer]


def find(recorded: Recorded, calls: Sequence[Call], result: Result) -> list[Found]:
    """Return the calls, the verdict's words for each, and the right answer."""
    every = differences(result.observed or "", result.expected or "")
    chosen = [each for each in every if _selector(each) is not None]
    return [found for each in chosen for found in _of_selector(recorded, calls, each)]


def _selector(difference: Difference) -> str | None:
    """Return the selector whose choice a difference is about."""
    what = difference.what
    if not what.startswith(TABLE) or not isinstance(difference.seen, str) or not isinstance(difference.wanted, str):
        return None
    return what.removeprefix(TABLE).strip("`")


def _of_selector(recorded: Recorded, calls: Sequence[Call], difference: Difference) -> Iterator[Found]:
    selector = str(_selector(difference))
    wanted = str(difference.wanted).split()
    fenced = _FENCED.format(selector)
    for maker in recorded.makers.values():
        given = maker.args.get("message_selector")
        if given == selector and "browser" in str(maker.value):
            yield from _browsed(calls, recorded, maker, difference.what, _in_order(calls, wanted))
        elif given == fenced:
            ends = [_FENCE] * sum(_body(each) == _FENCE for each in calls if each.member in SENDS)
            yield from _received(calls, maker, difference.what, [*_in_order(calls, wanted), *ends])
        elif given == selector and "consumer" in str(maker.value) and _closes_late(calls, maker):
            yield from _received(calls, maker, difference.what, [*_in_order(calls, wanted), _COPY])


def _closes_late(calls: Sequence[Call], maker: Call) -> bool:
    """Return whether a consumer was received from: one that was opened to see whether its selector is accepted was not."""
    return any(each.on == maker.value and each.member in RECEIVES for each in calls)


def _in_order(calls: Sequence[Call], names: Sequence[str]) -> list[str]:
    """Return names of messages in the order in which they come: by priority, else as they were sent."""
    order = {
        str(_body(each)): (-int(str((each.message or {}).get("priority") or 4)), each.begin)
        for each in reversed(calls)
        if each.member in SENDS
    }
    return sorted(names, key=lambda name: order.get(name, (0, 0)))


def _body(call: Call) -> object:
    return (call.message or {}).get("body")


def _received(calls: Sequence[Call], maker: Call, what: str, wanted: Sequence[str]) -> Iterator[Found]:
    mine = [each for each in calls if each.on == maker.value and each.member in RECEIVES]
    for at, (call, name) in enumerate(zip(mine, wanted, strict=False), 1):
        yield call, f"{what}, message {at}", Text(name)


def _browsed(
    calls: Sequence[Call], recorded: Recorded, maker: Call, what: str, wanted: Sequence[str]
) -> Iterator[Found]:
    seen = {label for label, call in recorded.makers.items() if call.on == maker.value and label.startswith("enum")}
    mine = [each for each in calls if each.on in seen and each.op == NEXT]
    answers: list[Answer] = [*map(Text, wanted), End()]
    for at, (call, answer) in enumerate(zip(mine, answers, strict=False), 1):
        yield call, f"{what}, message {at}", answer
