"""Turns the log of a recorder into events: labels, actors, destinations, settings; on request, not at the call.

Events are made once, in the order of the log; a further request adds only new ones. The context of an event
(destination, subscription, settings of a session) comes from the calls before it.
"""

from __future__ import annotations

import builtins
import threading
from collections.abc import Mapping
from operator import itemgetter
from typing import Any, NamedTuple, cast

import orjson

from tck import api
from tck.adapters.recording.facts import BodyFacts, Failed, Frozen, HeadersAgain, Late, MessageFacts, late_body
from tck.adapters.recording.iteration import END
from tck.adapters.recording.kinds import DESTINATIONS
from tck.adapters.recording.labels import Labels, Place
from tck.adapters.recording.log import DELIVERED, FAIL, INVOKE, OK, SEQ, VALUE, Logged, Recording
from tck.adapters.recording.settings import settings_of
from tck.adapters.recording.shapes import Member
from tck.adapters.recording.source import Outward
from tck.record.events import INLINE, Phase, body_facts, render
from tck.record.lines import line, lines

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
_SEQ = itemgetter("seq")
_FIRST = itemgetter(0)
_WHERE = b',"thread":%b,"actor":%b,"on":%b,"op":%b,'
_WHITHER = b',"destination":%b,"subscription":%b,"message_id":%b}\n'
_SHORT = INLINE // 3
"""Characters that always fit into an event without a digest."""
_CREATED = frozenset({"connection", "session", "context", "producer", "consumer", "browser", "resource"})
_UNREAD = {"unread": "changed after this event, or never wrapped"}


class _Seen(NamedTuple):
    """The context of an object: the destination of a consumer or producer; of a message also its receiver and its id."""

    destination: str | None = None
    subscription: str | None = None
    id: str | None = None


class _Begun(NamedTuple):
    """The parts that the end of a call shares with its beginning."""

    args: Mapping[str, Any]
    shown: dict[str, Any] | None
    destination: str | None


_PATIENCE = 2.0
"""Seconds to wait for another thread that is making events: it may hang in the provider."""
_NOWHERE = _Seen()
_NOT_BEGUN = _Begun({}, None, None)


class Evidence:
    """The events of one recorder."""

    def __init__(self, recorder: Recording) -> None:
        self._recorder = recorder
        self._labels = Labels(recorder)
        self.label = self._labels.label
        self._events: list[dict[str, Any]] = []
        self._open: dict[int, _Begun] = {}
        self._known: set[str] = set()
        self._seen: dict[str, _Seen] = {}
        self._late: list[tuple[dict[str, Any], MessageFacts]] = []
        self._head: bytes | None = None
        self._parts: dict[tuple[str | None, ...], bytes] = {}
        # Guards everything above, which the watchdog's thread uses too; no other lock is taken with it. A thread that cannot get it takes the events made so far.
        self._lock = threading.Lock()

    def events(self) -> list[dict[str, Any]]:
        """Return all events so far, by number."""
        if not self._lock.acquire(timeout=_PATIENCE):
            return self._events.copy()
        try:
            for row in self._recorder.log[len(self._events) :]:
                self._events.append(self._event(row))
            self._events.sort(key=_SEQ)
            return self._events.copy()
        finally:
            self._lock.release()

    def finish(self) -> list[dict[str, Any]]:
        """Return all events, with the bodies that are read at the end of the case."""
        events = self.events()
        self._read_late_bodies()
        return events

    def finish_as_lines(self) -> tuple[bytes, int]:
        """Return what `finish` returns as lines of JSON, and their number; afterwards no event can be asked for.

        Most calls have plain arguments and results, and no message; their lines are put together from parts that are
        rendered once, which takes a third of the time.
        """
        if not self._lock.acquire(timeout=_PATIENCE):
            return lines(self._events), len(self._events)
        try:
            made: list[tuple[int, bytes | dict[str, Any]]] = [(event["seq"], event) for event in self._events]
            fresh = self._recorder.log[len(self._events) :]
            made += [(row[SEQ], self._plain_line(row) or self._event(row)) for row in fresh]
            made.sort(key=_FIRST)
        finally:
            self._lock.release()
        self._read_late_bodies()
        return b"".join(each if type(each) is bytes else line(each) for _, each in made), len(made)

    def _read_late_bodies(self) -> None:
        bodies: dict[int, object] = {}
        late, self._late = self._late, []
        for shown, facts in late:
            if not isinstance(facts.body, Late) or facts.body.changes != self._recorder.changes_of(facts.raw):
                continue
            key = id(facts.raw)
            if key not in bodies:
                bodies[key] = late_body(facts.raw, facts.kind)
            shown.update(self._body(facts.kind, bodies[key]))

    # -- one event -----------------------------------------------------------------------------------------------

    def _event(self, row: Logged) -> dict[str, Any]:
        seq, now, thread, kind, on, member, third = row[:VALUE]
        place = self._labels.place(on)
        event: dict[str, Any] = {
            "case": self._recorder.case,
            "seq": seq,
            "t_ns": now + self._recorder.shift,
            "thread": thread,
            "actor": place.actor,
            "on": place.label,
            "op": member.op,
            "phase": _PHASES[kind],
        }
        facts = row[-1]
        shown = None if facts is None else self._facts(facts, third)
        if kind in (INVOKE, DELIVERED):
            event["call"] = None
            event["args"] = args = self._args(member, third) if third else {}
            destination = next((args[name] for name in member.places if isinstance(args.get(name), str)), None)
            begun = self._open[seq] = _Begun(args, shown, destination or place.destination)
        else:
            event["call"] = third
            begun = self._open.pop(third, _NOT_BEGUN)
            self._end(event, kind, member, row[VALUE], begun.args)
        if shown is not None:
            event["message"] = shown
        self._place(event, place, begun, shown)
        return event

    def _plain_line(self, row: Logged) -> bytes | None:
        """Return the line of an event without a message and with plain values, as `_event` would make it; None for others."""
        seq, now, thread, kind, on, member, third = row[:VALUE]
        if kind == INVOKE and row[VALUE] is None:
            args = self._args(member, third) if third else {}
            content = _json(args) if args else b"{}"
            if content is None:
                return None
            place = self._labels.place(on)
            given = next((args[name] for name in member.places if isinstance(args.get(name), str)), None)
            begun = self._open[seq] = _Begun(args, None, given or place.destination)
            middle = b'"phase":"invoke","call":null,"args":%b' % content
        elif kind == OK and row[-1] is None and (begun := self._open.get(third, _NOT_BEGUN)).shown is None:
            content = self._plain_value(row[VALUE])
            if content is None:
                return None
            place = self._labels.place(on)
            self._open.pop(third, None)
            middle = b'"phase":"ok","call":%d,"value":%b' % (third, content)
        else:
            return None
        known = self._seen.get(place.holder or "", _NOWHERE)
        ends = (begun.destination or known.destination, place.subscription or known.subscription, known.id)
        return b'%b%d,"t_ns":%d%b%b%b' % (
            self._case_head(),
            seq,
            now + self._recorder.shift,
            self._part((thread, place.actor, place.label, member.op), _WHERE),
            middle,
            self._part(ends, _WHITHER),
        )

    def _plain_value(self, value: object) -> bytes | None:
        """Return a result as JSON, with the mark of an iteration's end; None if its event needs more than that."""
        if value is END:
            return b'null,"end":true'
        if type(value) is str and len(value) > _SHORT:
            return None
        if isinstance(value, Outward):
            label = self.label(value)
            return _json(label) if label in self._known else None
        return _json(value) if type(value) in _SIMPLE or type(value) is str else None

    def _case_head(self) -> bytes:
        if self._head is None:
            self._head = b'{"case":%b,"seq":' % line(self._recorder.case)[:-1]
        return self._head

    def _part(self, values: tuple[str | None, ...], form: bytes) -> bytes:
        """Return a part that many lines have, rendered once."""
        known = self._parts.get(values)
        if known is None:
            known = self._parts[values] = form % tuple(line(value)[:-1] for value in values)
        return known

    def _args(self, member: Member, given: tuple[object, ...]) -> dict[str, Any]:
        return {
            name: value if type(value) in _SIMPLE else self._render(value)
            for name, value in zip(member.names, given, strict=True)
            if value is not api.OMITTED
        }

    def _end(self, event: dict[str, Any], kind: int, member: Member, value: object, args: Mapping[str, Any]) -> None:
        if kind != OK:
            event["error"] = _error(cast("BaseException", value), kind)
        elif value is END:
            event["value"] = None
            event["end"] = True
        elif type(value) in _SIMPLE:
            event["value"] = value
        else:
            event["value"] = label = self._render(value)
            if isinstance(value, Outward) and label not in self._known:
                self._created(event, member, value, args)

    def _created(self, event: dict[str, Any], member: Member, value: Outward, args: Mapping[str, Any]) -> None:
        label = event["value"]
        self._known.add(label)
        if not member.creates and value.kind not in _CREATED:
            return
        created = {
            "label": label,
            "type": "+".join(each.__name__ for each in type(value).__bases__[1:]),
            "parent": event["on"] if value.parent_ is None else self.label(value.parent_),
            **settings_of(value.kind, member.name, args),
        }
        event["created"] = created
        destination = label if value.kind in DESTINATIONS else created.get("destination")
        self._seen[label] = _Seen(destination if isinstance(destination, str) else None)

    def _place(self, event: dict[str, Any], place: Place, begun: _Begun, shown: dict[str, Any] | None) -> None:
        """Fill in destination, subscription and message id, as far as they are known."""
        known = self._seen.get(place.holder or "", _NOWHERE)
        destination = begun.destination or known.destination
        if destination is None and "created" in event:
            destination = self._seen[event["value"]].destination
        subscription = place.subscription or known.subscription
        message = begun.shown if shown is None else shown
        id_ = known.id
        if message is not None:
            id_ = message.get("id")
            id_ = id_ if isinstance(id_, str) else None
            sent_to = message.get("destination")
            destination = destination or (sent_to if isinstance(sent_to, str) else None)
            self._seen[message["label"] or ""] = _Seen(destination, subscription, id_)
        event["destination"] = destination
        event["subscription"] = subscription
        event["message_id"] = id_

    # -- values --------------------------------------------------------------------------------------------------

    def _render(self, value: object) -> object:
        if type(value) is str and len(value) <= _SHORT:
            return value
        if isinstance(value, Outward):
            return self.label(value)
        return value.rendered if isinstance(value, Frozen) else render(value, self._recorder.label_of)

    def _facts(self, facts: MessageFacts | HeadersAgain | BodyFacts, call: int) -> dict[str, Any]:
        if isinstance(facts, BodyFacts):
            body = facts.body.rendered if isinstance(facts.body, Frozen) else body_facts(facts.kind, facts.body)
            return {"label": None, "kind": facts.kind, **body}  # type: ignore[dict-item]  # rendered body facts are a dict
        if isinstance(facts, HeadersAgain):
            begun = self._open[call].shown or {}
            again = {**begun, **self._headers(facts.head)}
            if isinstance(facts.before.body, Late):
                self._late.append((again, facts.before))
            return again
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
        if type(value) in _SIMPLE or (type(value) is str and len(value) <= _SHORT):
            return value
        return {"error": value.error} if isinstance(value, Failed) else render(value, self._recorder.label_of)

    @staticmethod
    def _body(kind: str, body: object) -> dict[str, object]:
        if isinstance(body, Late):
            return {"digest": None, "body": _UNREAD}
        if isinstance(body, Failed):
            return {"digest": None, "body": {"error": body.error}}
        return body_facts(kind, body)


def _json(value: object) -> bytes | None:
    """Return a value as JSON; None if a line that holds it is written in another way (see `record.lines`)."""
    try:
        return orjson.dumps(value)
    except TypeError:
        return None


def _error(error: BaseException, kind: int) -> dict[str, object]:
    linked = getattr(error, "linked_exception", None) or error.__cause__
    code = getattr(error, "error_code", None)
    return {
        "type": _type_name(error),
        "text": _text(error),
        "code": None if code is None or kind != FAIL else str(code),
        "linked": None if linked is None else f"{_type_name(linked)}: {_text(linked)}",
    }


def _type_name(error: BaseException) -> str:
    kind = type(error)
    ours = kind.__module__.startswith(api.__name__) or kind.__module__ == builtins.__name__
    return kind.__name__ if ours else f"{kind.__module__}.{kind.__qualname__}"


def _text(error: BaseException) -> str:
    try:
        return str(error)
    except Exception as other:  # noqa: BLE001 - foreign code; evidence must be written all the same
        return f"<str raised {type(other).__name__}>"
