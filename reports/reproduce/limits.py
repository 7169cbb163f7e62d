"""Calls that no program without the kit can make, and the reason for each."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from tck.reports.reproduce.recorded import FACTORIES, Call, Recorded
from tck.reports.reproduce.slicing import Slice

_SHOWN: Final = 2
_MADE: Final = frozenset({*FACTORIES, "create_queue", "create_topic"})
_HOOKS: Final = frozenset({"restart", "kill", "sever", "pending", "administer", "lookup", "bind"})
_SERVER: Final = frozenset({"ServerSession", "ServerSessionPool", "ConnectionConsumer"})
_LISTENERS: Final = frozenset({"MessageListener", "CompletionListener", "ExceptionListener"})


class CannotReproduce(Exception):  # noqa: N818 - the name says what happens
    """The case cannot be written as a program; the text says which call it is and why."""


class Unwritable(CannotReproduce):
    """A value cannot be written in the language of the program."""


def check(recorded: Recorded, part: Slice) -> None:
    """Check that a program can make these calls.

    Raises:
        CannotReproduce: It cannot; with the first reasons.
    """
    reasons = [*_reasons(recorded, part)]
    if reasons:
        more = f"; and {len(reasons) - _SHOWN} more" if len(reasons) > _SHOWN else ""
        raise CannotReproduce("; ".join(reasons[:_SHOWN]) + more)


def _reasons(recorded: Recorded, part: Slice) -> Iterator[str]:
    foreign = recorded.foreign()
    for call in part.calls:
        reason = _reason(call)
        if reason:
            yield f"event {call.begin}, {call.op}, {reason}"
        for value in [call.on, *call.args.values()]:
            if isinstance(value, str) and value in foreign:
                yield f"event {call.begin}, {call.op}: {value} is a message of the suite's own class, not of the provider"
    for delivery in part.deliveries:
        if delivery.type not in _LISTENERS:
            yield f"event {delivery.begin}, {delivery.type}.{delivery.member}, is a call of an object of the suite"


def _reason(call: Call) -> str | None:
    """Return why a program cannot make a call."""
    if call.type == "Provider" and call.member in _HOOKS:
        return "is a hook of the adapter, by which the kit acts on the broker itself"
    if call.type == "Provider" and call.member not in _MADE:
        return "is a member of the adapter, which only the kit has"
    if call.on == "clock":
        return "moves the clock of the provider, which no broker offers"
    if call.type.startswith("XA") or call.on.startswith("resource-"):
        return "is part of a distributed transaction, whose manager is the kit"
    if call.type in _SERVER:
        return "is of an application server, which is the kit"
    if call.end is None:
        return "did not return while the case lasted"
    text = str((call.error or {}).get("text"))
    return f"cannot be compiled: {text}" if "is not in the provider's jars" in text else None
