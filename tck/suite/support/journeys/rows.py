"""The rows that a journey judges: each with the conditions without which it has nothing to judge."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from tck.suite.support.journeys.model import IN_ONE_SESSION, Journey
from tck.suite.support.journeys.owners import arrival_rows, arrivals


def _messages(journey: Journey) -> bool:
    return journey.receipt != "receive body"


def _seen(journey: Journey) -> bool:
    return _messages(journey) or journey.look == "browser"


def _selected(journey: Journey) -> bool:
    return journey.selector != "none"


def _bodies(journey: Journey) -> bool:
    return journey.receipt == "receive body"


def _again(journey: Journey) -> bool:
    return _messages(journey) and journey.repeats


def _lost_and_found(journey: Journey) -> bool:
    return _again(journey) and journey.delivery not in IN_ONE_SESSION


def _counted(journey: Journey) -> bool:
    return _messages(journey) and not journey.broken


def _flagged(journey: Journey) -> bool:
    # without a consumer nobody can have had the message when the link or the provider failed
    untouched = _messages(journey) and journey.consumer != "before"
    return _counted(journey) or untouched or (_again(journey) and journey.delivery == "after a severed link")


def _with(more: Callable[[Journey], bool] = _messages, **values: str) -> Callable[[Journey], bool]:
    return lambda journey: more(journey) and all(getattr(journey, axis) == value for axis, value in values.items())


def _any(_journey: Journey) -> bool:
    return True


def _ids(journey: Journey) -> bool:
    return journey.ids == "enabled"


def _own_groups(journey: Journey) -> bool:
    return _seen(journey) and journey.provenance in {"fresh", "sent twice", "filled again"}


def _ordered(journey: Journey) -> bool:
    return _messages(journey) and journey.delay == "none"


_ON_QUEUE: Final = "queue"


def _both(one: Callable[[Journey], bool], other: Callable[[Journey], bool]) -> Callable[[Journey], bool]:
    return lambda journey: one(journey) and other(journey)


def _sent_on(journey: Journey) -> bool:
    return journey.sent_on


JUDGED: Final[Mapping[str, Callable[[Journey], bool]]] = {
    "3.4-1": _any,
    "3.4.1-1": _sent_on,
    "3.4.1-2": _any,
    "3.4.1-3": _messages,
    "3.4.2-1": _sent_on,
    "3.4.2-2": _any,
    "3.4.2-3": _messages,
    "3.4.3-1": lambda journey: journey.sent_on and journey.ids == "enabled",
    "3.4.3-2": _ids,
    "3.4.3-3": _ids,
    "3.4.3-4": _ids,
    "3.4.3-7": _messages,
    "3.4.3-9": _with(_any, ids="disabled"),
    "3.4.4-1": _sent_on,
    "3.4.4-2": _with(_any, timestamps="enabled"),
    "3.4.4-4": _messages,
    "3.4.4-6": _with(_any, timestamps="disabled"),
    "3.4.5-2": _messages,
    "3.4.5-3": _messages,
    "3.4.6-1": _messages,
    "3.4.6-3": _messages,
    "3.4.7-1": lambda journey: _again(journey) and not _lost_and_found(journey),
    "3.4.7-2": _lost_and_found,
    "3.4.7-4": _any,
    "3.4.8-1": _messages,
    "3.4.8-2": _messages,
    "3.4.9-1": _with(_any, ttl="long"),
    "3.4.9-4": _messages,
    "3.4.9-5": lambda journey: journey.ttl != "long",
    "3.4.9-7": _with(_any, ttl="some expire"),
    "3.4.10-1": _sent_on,
    "3.4.10-2": _any,
    "3.4.11-3": _sent_on,
    "3.4.11-4": _sent_on,
    "3.4.11-5": _with(_messages, provenance="sent on after redelivery"),
    "3.4.11-6": _any,
    "3.4.11-9": _with(_any, provenance="foreign"),
    "3.4.13-1": _with(_any, delay="short"),
    "3.4.13-2": _any,
    "3.4.13-5": _messages,
    "3.4.13-6": _with(delay="short"),
    "3.4.13-7": _with(_any, delay="short", look="browser"),
    "3.5.3-1": _seen,
    "3.5.3-2": _messages,
    "3.5.4-9": _seen,
    "3.5.6-3": _seen,
    "3.5.9-1": _seen,
    "3.5.9-2": _seen,
    "3.5.9-3": _seen,
    "3.5.9-4": _own_groups,
    "3.5.9-5": _own_groups,
    "3.5.9-14": _seen,
    "3.5.10-1": _seen,
    "3.5.11-1": _messages,
    "3.5.11-2": _both(_again, _counted),
    "3.5.11-3": _flagged,
    "3.5.11-4": _flagged,
    "3.7-1": _messages,
    "3.8.1-1": _selected,
    "3.9-1": _messages,
    "3.9-2": _messages,
    "3.9-4": _with(provenance="sent twice"),
    "3.11-11": _again,
    "3.10-4": _again,
    "3.10-5": _again,
    "3.10-6": _again,
    "3.11-1": _seen,
    "3.11-2": _seen,
    "3.11-5": _seen,
    "3.11-6": _seen,
    "3.11-7": _seen,
    "3.11.2-1": _messages,
    "3.11.2-2": _messages,
    "3.11.2-3": _messages,
    "3.11.2-4": _messages,
    "3.11.2-5": _messages,
    "3.12-2": _with(_seen, provenance="foreign"),
    "3.12-3": _with(_seen, provenance="foreign"),
    "3.12-12": _seen,
    "4.1.6-4": _with(_any, look="browser"),
    "4.2.2-29": _with(_any, no_local="yes"),
    "6.2.9.1-2": _with(_ordered, place=_ON_QUEUE),
    "6.2.9.1-3": lambda journey: _ordered(journey) and journey.place != _ON_QUEUE,
    "8.7-2": _with(delivery="after a failed listener"),
    "8.6-10": _bodies,
    "8.6-12": _bodies,
    "8.6-13": _bodies,
    "8.6-14": _bodies,
}
"""The rows, each with whether a journey judges it."""


def judged(journey: Journey) -> frozenset[str]:
    """Return the rows that a journey judges: those above, and the owners of what can be missing or extra."""
    looked_at = {row for row, judges in JUDGED.items() if judges(journey)}
    return frozenset(looked_at.union(*(arrival_rows(journey, *each) for each in arrivals(journey))))
