"""From the log of a recorder to events: labels, actors, destinations, settings; made when asked for, not at the call.

Events are made once, in the order of the log; asking again adds only what is new. What an event says of its
surroundings (destination, subscription, settings of a session) is gathered from the calls before it.
"""

from __future__ import annotations

import builtins
import threading
from collections.abc import Mapping
from operator import itemgetter
from typing import TYPE_CHECKING, Any, NamedTuple

from tck import api
from tck.adapters.recording.clock import RecordedClock
from tck.adapters.recording.facts import BodyFacts, Failed, Frozen, HeadersAgain, Late, MessageFacts, late_body
from tck.adapters.recording.iteration import END, RecordedIterator
from tck.adapters.recording.kinds import DESTINATIONS
from tck.adapters.recording.settings import settings_of
from tck.adapters.recording.shapes import Member
from tck.adapters.recording.source import DELIVERED, FAIL, INVOKE, OK, Inward, Outward
from tck.record.events import Phase, body_facts, render

if TYPE_CHECKING:
    from tck.adapters.recording.recorder import Recorder

_PHASES = (Phase.INVOKE.value, Phase.OK.value, Phase.FAIL.value, Phase.UNKNOWN.value, Phase.DELIVERED.value)
_HEADERS = (
    "id",
    "timestamp",
    "correlation",
    "reply_to",
    "destination",
    "mode",
    "redelivered",
    "type",
    "expiration",
    "delivery_time",
    "priority",
)
_SIMPLE = frozenset({type(None), bool, int})
_PLACES = ("destination", "queue", "topic")
_SEQ = itemgetter("seq")
_CREATED = frozenset({"connection", "session", "context", "producer", "consumer", "browser", "resource"})
_UNREAD = {"unread": "changed after this event, or never wrapped"}


class _Seen(NamedTuple):
    """Where an object stands: of a consumer or producer its destination, of a message also who got it, and its id."""

    destination: str | None = None
    subscription: str | None = None
    id: str | None = None


_NOWHERE = _Seen()
_RECEIVING = frozenset({"consumer", "browser"})


class Evidence:
    """The events of one recorder."""

    def __init__(self, recorder: Recorder) -> None:
        self._recorder = recorder
        self._events: list[dict[str, Any]] = []
        self._taken = 0
        self._open: dict[int, tuple[dict[str, Any], Mapping[str, Any]]] = {}
        self._labels: dict[int, tuple[object, str]] = {}
        self._actors: dict[int, str] = {}
        self._known: set[str] = set()
        self._seen: dict[str, _Seen] = {}
        self._late: list[tuple[dict[str, Any], MessageFacts]] = []
        # Guards everything above: the watchdog's thread asks too. Taken alone.
        self._lock = threading.Lock()

    def events(self) -> list[dict[str, Any]]:
        """Give all events so far, by number."""
        with self._lock:
            log = self._recorder.log
            upto = len(log)
            for entry in log[self._taken : upto]:
                self._events.append(self._event(entry))
            self._taken = upto
            self._events.sort(key=_SEQ)
            return list(self._events)

    def finish(self) -> list[dict[str, Any]]:
        """Give all events, with the bodies that had to wait for the end of the case."""
        events = self.events()
        bodies: dict[int, object] = {}
        with self._lock:
            for shown, facts in self._late:
                if not isinstance(facts.body, Late) or facts.body.changes != self._recorder.changes_of(facts.raw):
                    continue
                key = id(facts.raw)
                if key not in bodies:
                    bodies[key] = late_body(facts.raw, facts.kind)
                shown.update(self._body(facts.kind, bodies[key]))
            self._late.clear()
        return events

    # -- one event -----------------------------------------------------------------------------------------------

    def _event(self, entry: tuple[Any, ...]) -> dict[str, Any]:
        seq, now, thread, kind, on, member, third, *rest = entry
        event: dict[str, Any] = {
            "case": self._recorder.case,
            "seq": seq,
            "t_ns": now + self._recorder.shift,
            "thread": thread,
            "actor": self.actor(on),
            "on": self.label(on),
            "op": member.op,
            "phase": _PHASES[kind],
            "call": None,
        }
        facts = rest[-1]
        shown = None if facts is None else self._facts(facts)
        if kind in (INVOKE, DELIVERED):
            self._begin(event, member, third, shown)
        else:
            event["call"] = third
            self._end(event, kind, member, rest[0], on)
        if shown is not None:
            event["message"] = shown
        self._place(event, on, shown)
        return event

    def _begin(
        self, event: dict[str, Any], member: Member, given: tuple[object, ...], shown: dict[str, Any] | None
    ) -> None:
        args = {
            name: value if type(value) in _SIMPLE else self._render(value)
            for name, value in zip(member.names, given, strict=True)
            if value is not api.OMITTED
        }
        event["args"] = args
        self._open[event["seq"]] = (event, {} if shown is None else shown)

    def _end(self, event: dict[str, Any], kind: int, member: Member, value: object, on: object) -> None:
        if kind != OK:
            event["error"] = self._error(value, kind)
            return
        if value is END:
            event["value"] = None
            event["end"] = True
            return
        event["value"] = value if type(value) in _SIMPLE else self._render(value)
        if isinstance(value, Outward):
            self._created(event, member, value, on)

    def _created(self, event: dict[str, Any], member: Member, value: Outward, on: object) -> None:
        label = event["value"]
        if label in self._known:
            return
        self._known.add(label)
        if not member.creates and value.kind not in _CREATED:
            return
        begun, _ = self._open.get(event["call"], ({}, {}))
        args = begun.get("args", {})
        created = {
            "label": label,
            "type": "+".join(each.__name__ for each in type(value).__bases__[1:]),
            "parent": self.label(value.parent_ if value.parent_ is not None else on),
            **settings_of(value.kind, member.name, args),
        }
        event["created"] = created
        if "destination" in created:
            place = created["destination"]
            self._seen[label] = _Seen(place if isinstance(place, str) else None)

    def _place(self, event: dict[str, Any], on: object, shown: dict[str, Any] | None) -> None:
        """Fill in destination, subscription and message id, as far as they are known."""
        begun, before = self._open.get(event["call"] or event["seq"], (event, {}))
        holder = _holder(on)
        label = None if holder is None else self.label(holder)
        known = self._seen.get(label or "", _NOWHERE)
        destination = self._destination(event, begun.get("args", {}), label) or known.destination
        subscription = label if getattr(holder, "kind", None) in _RECEIVING else known.subscription
        message = shown if shown is not None else before
        id_ = message.get("id", known.id)
        id_ = id_ if isinstance(id_, str) else None
        if message:
            sent_to = message.get("destination")
            destination = destination or (sent_to if isinstance(sent_to, str) else None)
            self._seen[message["label"] or ""] = _Seen(destination, subscription, id_)
        event["destination"] = destination
        event["subscription"] = subscription
        event["message_id"] = id_
        if event["call"] is not None:
            self._open.pop(event["call"], None)

    def _destination(self, event: dict[str, Any], args: Mapping[str, object], label: str | None) -> str | None:
        for name in _PLACES:
            given = args.get(name)
            if isinstance(given, str):
                return given
        if label is not None and label.partition(":")[0] in DESTINATIONS:
            return label
        value = event.get("value")
        if "created" in event and isinstance(value, str) and value.partition(":")[0] in DESTINATIONS:
            return value
        return None

    # -- values --------------------------------------------------------------------------------------------------

    def _render(self, value: object) -> object:
        return value.rendered if isinstance(value, Frozen) else render(value, self._recorder.label_of)

    def _error(self, error: object, kind: int) -> dict[str, object]:
        assert isinstance(error, BaseException)  # noqa: S101 - for the type checker; the log holds nothing else here
        linked = getattr(error, "linked_exception", None) or error.__cause__
        code = getattr(error, "error_code", None)
        return {
            "type": _type_name(error),
            "text": _text(error),
            "code": None if code is None or kind != FAIL else str(code),
            "linked": None if linked is None else f"{_type_name(linked)}: {_text(linked)}",
        }

    def _facts(self, facts: MessageFacts | HeadersAgain | BodyFacts) -> dict[str, Any]:
        if isinstance(facts, BodyFacts):
            body = facts.body.rendered if isinstance(facts.body, Frozen) else body_facts(facts.kind, facts.body)
            return {"label": None, "kind": facts.kind, **body}  # type: ignore[dict-item]  # rendered body facts are a dict
        if isinstance(facts, HeadersAgain):
            before = self._facts(facts.before)
            return {**before, **self._headers(facts.head)}
        shown = {
            "label": self.label(facts.raw),
            "kind": facts.kind,
            **self._headers(facts.head),
            "count": getattr(facts.deliveries, "value", facts.deliveries),
            "properties": {},
            **self._body(facts.kind, facts.body),
        }
        if isinstance(facts.properties, Failed):
            shown["properties"] = {"error": facts.properties.error}
        elif facts.properties:
            shown["properties"] = {str(name): self._header(value) for name, value in facts.properties.items()}
        if isinstance(facts.body, Late):
            self._late.append((shown, facts))
        return shown

    def _headers(self, head: tuple[object, ...]) -> dict[str, Any]:
        return {name: self._header(value) for name, value in zip(_HEADERS, head, strict=True)}

    def _header(self, value: object) -> object:
        if type(value) in _SIMPLE:
            return value
        return {"error": value.error} if isinstance(value, Failed) else render(value, self._recorder.label_of)

    @staticmethod
    def _body(kind: str, body: object) -> dict[str, object]:
        if isinstance(body, Late):
            return {"digest": None, "body": _UNREAD}
        if isinstance(body, Failed):
            return {"digest": None, "body": {"error": body.error}}
        return body_facts(kind, body)

    # -- labels --------------------------------------------------------------------------------------------------

    def label(self, value: object) -> str:
        """Give the label of an API object or of a wrapper."""
        known = self._labels.get(id(value))
        if known is not None:
            return known[1]
        label = self._make_label(value)
        self._labels[id(value)] = (value, label)
        return label

    def _make_label(self, value: object) -> str:
        if isinstance(value, RecordedClock):
            return "clock"
        kind, number = self._recorder.number_of(value)
        if kind == "provider":
            return "provider" if number == 1 else f"provider-{number}"
        if kind in DESTINATIONS:
            name = _destination_name(value.raw_ if isinstance(value, Outward) else value)
            return f"{kind}:{name}" if name is not None else f"{kind}-{number}"
        return f"{kind}-{number}"

    def actor(self, value: object) -> str:
        """Give the label of the session or context an object belongs to, else of its connection, else "suite"."""
        known = self._actors.get(id(value))
        if known is None:
            known = self._actors[id(value)] = self._find_actor(value)
        return known

    def _find_actor(self, value: object) -> str:
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


def _holder(on: object) -> object:
    """Give the object whose destination and subscription an event shares: listener and iterator stand for their owner."""
    if isinstance(on, Inward):
        return on.owner_
    return on.parent_ if isinstance(on, RecordedIterator) else on


def _destination_name(raw: Any) -> str | None:  # noqa: ANN401 - whatever the provider gave
    for name in ("queue_name", "topic_name"):
        try:
            found = getattr(raw, name, None)
        except Exception:  # noqa: BLE001, S112 - a provider may raise anything; the label then has a number
            continue
        if isinstance(found, str):
            return found
    return None


def _type_name(error: BaseException) -> str:
    kind = type(error)
    ours = kind.__module__.startswith(api.__name__) or kind.__module__ == builtins.__name__
    return kind.__name__ if ours else f"{kind.__module__}.{kind.__qualname__}"


def _text(error: BaseException) -> str:
    try:
        return str(error)
    except Exception as other:  # noqa: BLE001 - foreign code; evidence must be written all the same
        return f"<str raised {type(other).__name__}>"
