"""Converts events to calls: both ends of each call in one object, times relative to the start of the trace.

Imports nothing of ours: an event is a plain mapping (its keys are described in `tck.record.events`). Must not judge.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, TypeAlias

Event: TypeAlias = Mapping[str, Any]
Facts: TypeAlias = Mapping[str, Any]

OK: Final = "ok"
FAIL: Final = "fail"
UNKNOWN: Final = "unknown"

_NEVER: Final = 2**62
_NOTHING: Final[Facts] = {}


@dataclass(slots=True)
class Call:
    """A call of the provider, or a callback by it.

    `seq` is the number of the event that began it and `end_seq` of the one that ended it (0 if none did). `t1` is far in the
    future for a call without a known end. `before` and `after` are the facts of the message, at both ends.
    """

    seq: int
    t0: int
    on: str
    actor: str
    type: str
    name: str
    args: Facts
    callback: bool
    before: Facts | None
    destination: str | None
    subscription: str | None
    end_seq: int = 0
    t1: int = _NEVER
    out: str = UNKNOWN
    value: object = None
    after: Facts | None = None
    created: Facts | None = None
    error: str = ""
    code: str | None = None
    facts: Facts = field(default_factory=dict)

    @property
    def kind(self) -> str:
        """The kind of object it is called on: the first part of its label."""
        return kind_of(self.on)

    @property
    def refused(self) -> bool:
        """Whether it failed because the object's state does not allow it: nothing happened."""
        return self.out == FAIL and self._error in _REFUSALS

    @property
    def removed_nothing(self) -> bool:
        """Whether a removal failed before it could take effect. Any other failure may have come after it."""
        return self.refused or (self.out == FAIL and self._error in _NOT_TO_REMOVE)

    @property
    def returned(self) -> int:
        """When it had taken effect for certain."""
        return self.t1 if self.out == OK else _NEVER

    @property
    def _error(self) -> str:
        return self.error.rpartition(".")[2].replace("RuntimeException", "Exception")

    def argument(self, *names: str) -> Any:  # noqa: ANN401 - a rendered value of any kind
        """Return the first of these arguments that is present."""
        return next((self.args[name] for name in names if name in self.args), None)


_REFUSALS: Final = frozenset(
    {
        "IllegalStateException",
        "TransactionInProgressException",
        "UnsupportedOperationException",
    }
)
_NOT_TO_REMOVE: Final = frozenset({"InvalidDestinationException", "JMSSecurityException"})


def kind_of(label: str) -> str:
    """Return the kind of a label's object: `session` of `session-3`, `queue` of `queue:x`."""
    if ":" in label:
        return label.partition(":")[0]
    head, _, number = label.rpartition("-")
    return head if number.isdigit() else label


def calls_of(events: Iterable[Event]) -> tuple[list[Call], int]:
    """Pair the ends of calls, in order of their beginnings; also return the time of the first event."""
    calls: dict[int, Call] = {}
    origin: int | None = None
    for event in events:
        time = event["t_ns"]
        if origin is None:
            origin = time
        phase = event["phase"]
        if phase in ("invoke", "delivered"):
            type_, _, name = event["op"].partition(".")
            calls[event["seq"]] = Call(
                event["seq"],
                time - origin,
                event["on"],
                event["actor"],
                type_,
                name,
                event.get("args") or _NOTHING,
                phase == "delivered",
                event.get("message"),
                event.get("destination"),
                event.get("subscription"),
            )
            continue
        call = calls.get(event["call"])
        if call is not None:
            _end(call, event, phase, time - origin)
    return list(calls.values()), origin or 0


def _end(call: Call, event: Event, phase: str, time: int) -> None:
    call.end_seq = event["seq"]
    call.out = phase
    if phase != UNKNOWN:
        call.t1 = time
    call.value = event.get("value")
    call.after = event.get("message")
    call.created = event.get("created")
    call.destination = event.get("destination") or call.destination
    call.subscription = event.get("subscription") or call.subscription
    error = event.get("error")
    if error:
        call.error, call.code = error["type"], error["code"]
