"""Outcomes of calls: the messages that they show, which message each is, and how they are written in findings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tck import api
from tck.programs.expectation import Expectation
from tck.programs.program import Json, Observation


def hinted_sends(told: Expectation) -> dict[int | None, frozenset[str]]:
    """Return the hints to leave out identifiers or timestamps, by send; under None those of any."""
    found: dict[int | None, frozenset[str]] = {}
    everything: frozenset[str] = frozenset()
    number = 0
    for step, seen in zip(told.program.steps, told.seen, strict=False):
        if step.do not in {"send", "send_body"} or "ok" not in seen:
            continue
        hints = seen["ok"] or {}
        callback = hints.get("callback")
        if callback and "completed" in callback:
            hints = callback["completed"]
        found[number] = frozenset(hints.get("hints", ()))
        everything |= found[number]
        number += 1
    found[None] = everything
    return found


def views(ok: Json) -> list[Json]:
    """Return the messages that a step showed."""
    found = ok.get("shown") if "shown" in ok else ok.get("got")
    if found is None:
        return []
    return found if isinstance(found, list) else [found]


def delivered(seen: Sequence[Observation]) -> dict[str, list[Json]]:
    """Return what listeners were given, by consumer."""
    found: dict[str, list[Json]] = {}
    for each in seen:
        for name, given in each.get("delivered", {}).get("by", {}).items():
            found.setdefault(name, []).extend(given)
    return found


def identity(view: Json) -> object:
    """Return which message it is: by its send, or else by what it holds."""
    if view["send"] is not None:
        return view["send"]
    return repr((view["kind"], view.get("body"), view["properties"] if isinstance(view["properties"], str) else ""))


def again(view: Json) -> bool:
    """Return whether a message was delivered before."""
    return view["headers"].get("JMSRedelivered") is True


def named(view: Json) -> str:
    """Name a message."""
    if view["send"] is not None:
        return f"the message of send {view['send'] + 1}"
    return f"a {view['kind']} message {str(view.get('body'))[:60]}"


def told_result(seen: Mapping[str, Json]) -> str:
    """Return in words what a step showed."""
    if "raises" in seen:
        return f"raises {seen['raises']}"
    return f"returns {shown(seen['ok'])}" if seen.get("ok") is not None else "returns"


def shown(value: Json) -> str:
    """Return a value in words, not too many."""
    text = repr(value)
    return text if len(text) <= 160 else f"{text[:157]}..."


def is_a(name: str, wanted: str) -> bool:
    """Return whether an exception of the API, by its name, is one of the wanted class."""
    one, two = getattr(api, name, None), getattr(api, wanted, None)
    return isinstance(one, type) and isinstance(two, type) and issubclass(one, two)
