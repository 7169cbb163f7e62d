"""Outcomes of calls: the messages that they show, which message each is, and how they are written in findings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from tck import api
from tck.programs.expectation import Execution, Expectation
from tck.programs.operations import OPERATIONS
from tck.programs.program import Json, Observation, Step

_UNKNOWN: Final = 1_000_000
"""The number of a send that the reference provider did not make, less its own."""
AS_SENT: Final = "as sent"
"""A time on a message that another provider does not know, and so cannot compare with that of its send."""
_TIMES: Final = ("JMSTimestamp", "JMSExpiration", "JMSDeliveryTime")
_ID_OF: Final = "the id of send "


def sends_by_step(steps: Sequence[Step], seen: Sequence[Observation]) -> list[range]:
    """Return by step the numbers of the messages that it has sent, counted from 0 over the program."""
    found: list[range] = []
    total = 0
    for step, outcome in zip(steps, seen, strict=False):
        count = _sent(step, outcome)
        found.append(range(total, total + count))
        total += count
    return found


def _sent(step: Step, outcome: Observation) -> int:
    if step.do == "fail_sends":
        return sum(not failed for failed in (outcome.get("ok") or {}).get("failed", ()))
    if "ok" not in outcome or not OPERATIONS[step.do].sends:
        return 0
    if step.do == "send_many":
        return int(step.args["count"])
    ok = outcome["ok"] or {}
    return 0 if "callback" in ok and "completed" not in (ok["callback"] or {}) else 1


def renumbered(expectation: Expectation, ran: Execution) -> list[Observation]:
    """Return what a provider showed, with the sends numbered as on the reference provider.

    Where one provider refuses a send that the other accepts, all later sends have other numbers.
    """
    steps = expectation.program.steps
    ours, theirs = sends_by_step(steps, expectation.seen), sends_by_step(steps, ran.seen)
    if ours[: len(theirs)] == theirs:
        return ran.seen
    numbers = {
        number: mine[at] if at < len(mine) else _UNKNOWN + number
        for mine, yours in zip(ours, theirs, strict=False)
        for at, number in enumerate(yours)
    }
    return [
        {**each, "ok": {text: _numbers(sends, numbers) for text, sends in each["ok"].items()}}
        if step.do == "select" and "ok" in each
        else _renumbered(each, numbers)
        for step, each in zip(steps, ran.seen, strict=False)
    ]


def _numbers(sends: Json, numbers: Mapping[int, int]) -> Json:
    return sorted(numbers.get(each, each) for each in sends) if isinstance(sends, list) else sends


def _renumbered(value: Json, numbers: Mapping[int, int]) -> Json:
    if isinstance(value, dict):
        return {
            key: numbers.get(inner, inner) if key == "send" else _renumbered(inner, numbers)
            for key, inner in value.items()
        }
    if isinstance(value, list):
        return [_renumbered(each, numbers) for each in value]
    if isinstance(value, str) and value.startswith(_ID_OF):
        number = value.removeprefix(_ID_OF)
        return f"{_ID_OF}{numbers.get(int(number), number)}" if number.isdecimal() else value
    return value


def disabled_by_send(expectation: Expectation) -> dict[int | None, frozenset[str]]:
    """Return the hints to leave out identifiers or timestamps, by send; under None those of any."""
    found: dict[int | None, frozenset[str]] = {}
    everything: frozenset[str] = frozenset()
    steps = expectation.program.steps
    disabled: dict[str, frozenset[str]] = {}
    for step, seen, numbers in zip(steps, expectation.seen, sends_by_step(steps, expectation.seen), strict=False):
        on = str(step.args.get("on"))
        if step.do == "set" and str(step.args["what"]).startswith("disable") and "ok" in seen:
            hint = frozenset({str(step.args["what"])})
            disabled[on] = disabled.get(on, frozenset()) - hint | (hint if step.args["value"] else frozenset())
        for number in numbers:
            hints: Json = seen["ok"] or {}
            hints = (hints.get("callback") or {}).get("completed", hints)
            # Of many sends, no outcome says so.
            many = disabled.get(on, frozenset()) if step.do == "send_many" else frozenset()
            found[number] = frozenset(hints.get("hints", ())) | many
            everything |= found[number]
    found[None] = everything
    return found


def unnumbered(
    expectation: Expectation, seen: list[Observation], disabled: Mapping[int | None, frozenset[str]]
) -> list[Observation]:
    """Return what a provider showed, without the numbers of messages that only their identifiers tell, where they need none.

    A provider that was asked to leave identifiers out may set them; the reference provider does not know these messages.
    """
    asked = {number for number, hints in disabled.items() if number is not None and "disable_id" in hints}
    if not asked:
        return seen
    given = [view for each in expectation.seen if isinstance(each.get("ok"), dict) for view in views(each["ok"])]
    given += [view for messages in delivered(expectation.seen).values() for view in messages]
    nobody = asked - {view["send"] for view in given if isinstance(view, dict) and "send" in view}
    looks = [isinstance(each.get("ok"), dict) and each["ok"].get("send", 0) is None for each in expectation.seen]
    return [_forgotten(each, asked if looked else nobody) for each, looked in zip(seen, looks, strict=False)]


def _forgotten(value: Json, numbers: set[int]) -> Json:
    if isinstance(value, dict):
        found = {key: _forgotten(inner, numbers) for key, inner in value.items()}
        if "headers" in value and value.get("send") in numbers:
            times = {name: AS_SENT for name in _TIMES if value["headers"].get(name) == "sent"}
            found |= {"send": None, "headers": value["headers"] | times}
        return found
    return [_forgotten(each, numbers) for each in value] if isinstance(value, list) else value


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


def result_text(seen: Mapping[str, Json]) -> str:
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
