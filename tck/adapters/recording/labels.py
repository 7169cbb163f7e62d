"""Labels of API objects, and the place of each object: its actor, and its holder in an event.

Labels are made on request: `session-2` from the recorder's number, `queue:NAME` from the provider's own name.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from tck.adapters.recording.clock import RecordedClock
from tck.adapters.recording.iteration import RecordedIterator
from tck.adapters.recording.kinds import DESTINATIONS
from tck.adapters.recording.log import Recording
from tck.adapters.recording.source import Inward, Outward

_RECEIVING = frozenset({"consumer", "browser"})


class Place(NamedTuple):
    """The place of a called object.

    `holder` labels the object whose destination and subscription an event shares: for a listener or an iterator its
    owner. `destination` and `subscription` are set where the holder itself is one, or has one.
    """

    label: str
    actor: str
    holder: str | None
    destination: str | None
    subscription: str | None


class Labels:
    """The labels of one recorder."""

    def __init__(self, recorder: Recording) -> None:
        self._recorder = recorder
        self._labels: dict[int, tuple[object, str]] = {}
        self._places: dict[int, Place] = {}

    def label(self, value: object) -> str:
        """Return the label of an API object or of a wrapper."""
        known = self._labels.get(id(value))
        if known is not None:
            return known[1]
        label = self._make(value)
        # Holding the value keeps its id from being reused.
        self._labels[id(value)] = (value, label)
        return label

    def place(self, on: object) -> Place:
        """Return the place of the object of an event; the log holds the object, so its id is not reused."""
        known = self._places.get(id(on))
        if known is None:
            known = self._places[id(on)] = self._find(on)
        return known

    def _find(self, on: Any) -> Place:  # noqa: ANN401 - a wrapper of any kind
        holder = on
        if isinstance(on, Inward):
            holder = on.owner_
        elif type(on) is RecordedIterator:
            holder = on.parent_
        kind = getattr(holder, "kind", None)
        label = None if holder is None else self.label(holder)
        return Place(
            label=self.label(on),
            actor=self._actor(on),
            holder=label,
            destination=label if kind in DESTINATIONS else None,
            subscription=label if kind in _RECEIVING else None,
        )

    def _actor(self, value: object) -> str:
        """Return the label of the session or context an object belongs to, else of its connection, else "suite"."""
        connection = "suite"
        at: Any = value
        while at is not None:
            kind = getattr(at, "kind", None)
            if kind in ("session", "context"):
                return self.label(at)
            if kind == "connection" and connection == "suite":
                connection = self.label(at)
            at = getattr(at, "owner_", None) or getattr(at, "parent_", None)
        return connection

    def _make(self, value: object) -> str:
        if type(value) is RecordedClock:
            return "clock"
        kind, number = self._recorder.number_of(value)
        if kind == "provider":
            return "provider" if number == 1 else f"provider-{number}"
        if kind in DESTINATIONS:
            name = _destination_name(value.raw_ if isinstance(value, Outward) else value)
            return f"{kind}:{name}" if name is not None else f"{kind}-{number}"
        return f"{kind}-{number}"


def _destination_name(raw: Any) -> str | None:  # noqa: ANN401 - whatever the provider gave
    for name in ("queue_name", "topic_name"):
        try:
            found = getattr(raw, name, None)
        except Exception:  # noqa: BLE001, S112 - a provider may raise anything; the label then has a number
            continue
        if isinstance(found, str):
            return found
    return None
