"""The options of each send: the settings of its producer at that time, overridden by arguments.

May import `calls`; must not judge.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from tck.check.from_events.calls import OK, Call, Facts

_SETTINGS: Final = {
    "delivery_mode": "mode",
    "priority": "priority",
    "time_to_live": "ttl",
    "delivery_delay": "delay",
}
_CLIENT_FIELDS: Final = {
    "set_jms_correlation_id": "correlation",
    "set_jms_correlation_id_as_bytes": "correlation",
    "set_jms_type": "type",
    "set_jms_reply_to": "reply_to",
}


@dataclass(slots=True)
class Producer:
    """The settings of one producer; `set_by_producer` names the fields that a JMSProducer sets in messages at the send."""

    mode: object = 2
    priority: object = 4
    ttl: object = 0
    delay: object = 0
    asynchronous: bool = False
    set_by_producer: set[str] = field(default_factory=set)

    def note(self, call: Call) -> None:
        """Record a call that may have changed a setting."""
        if call.out != OK or not call.args:
            return
        value = next(iter(call.args.values()))
        name = call.name.removeprefix("set_")
        if name in _SETTINGS:
            setattr(self, _SETTINGS[name], value)
        elif call.name == "set_async":
            self.asynchronous = value is not None
        elif call.name in _CLIENT_FIELDS:
            self.set_by_producer.add(_CLIENT_FIELDS[call.name])
        elif call.name in ("set_property", "set_object_property"):
            self.set_by_producer.add(f"property {value}")


@dataclass(slots=True)
class Sent:
    """One send: the call, and its options. `facts` are the message as sent, `head` the fields read afterwards."""

    call: Call
    msg: int
    session: int
    unit: int
    destination: str
    asynchronous: bool
    mode: int
    priority: int
    ttl: int
    delay: int
    set_by_producer: frozenset[str]
    facts: Facts
    head: Facts | None
    claimed: dict[int, int] = field(default_factory=dict)
    """Number of deliveries at each endpoint that were matched with this send."""
    completed: int = 0

    @property
    def id(self) -> str | None:
        """The JMSMessageID as read after the send, or None."""
        value = (self.head or {}).get("id")
        return value if isinstance(value, str) else None


def send_options(call: Call, producer: Producer, overridden: bool) -> tuple[int, int, int, int]:
    """Return mode, priority, time-to-live and delay of a send; NONE where unknown."""
    head = call.after or {}
    mode = _number(head.get("mode"), call.args.get("delivery_mode", producer.mode))
    priority = _number(head.get("priority"), call.args.get("priority", producer.priority))
    if overridden:
        return mode, priority, -1, -1
    ttl = _milliseconds(call.args.get("time_to_live", producer.ttl))
    return mode, priority, ttl, _milliseconds(producer.delay)


def _number(*candidates: object) -> int:
    return next((value for value in candidates if isinstance(value, int) and -128 <= value < 128), 0)


def _milliseconds(value: object) -> int:
    return value if isinstance(value, int) and 0 <= value < 2**31 else -1
