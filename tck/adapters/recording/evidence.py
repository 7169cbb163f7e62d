"""Turns the log of a recorder into events: labels, actors, destinations, settings; on request, not at the call.

Events are made once, in the order of the log; a further request adds only new ones. The context of an event
(destination, subscription, settings of a session) comes from the calls before it.
"""

from __future__ import annotations

import threading
from collections.abc import Hashable, Mapping
from functools import cache
from operator import itemgetter
from typing import Any, NamedTuple, TypeAlias, cast

from tck import api
from tck.adapters.recording.argument_kinds import kinds_of
from tck.adapters.recording.facts import BodyFacts, Failed, Frozen, HeadersAgain, Late, MessageFacts, late_body
from tck.adapters.recording.iteration import END
from tck.adapters.recording.kinds import DESTINATIONS
from tck.adapters.recording.labels import Labels, Place
from tck.adapters.recording.log import (
    CALL,
    DELIVERED,
    FACTS,
    FAIL,
    INVOKE,
    KIND,
    MEMBER,
    NOW,
    OK,
    ON,
    SEQ,
    THREAD,
    UNKNOWN,
    VALUE,
    Logged,
    Recording,
)
from tck.adapters.recording.settings import settings_of
from tck.adapters.recording.shapes import Member
from tck.adapters.recording.source import Outward
from tck.record.calls import Call, made_by
from tck.record.events import INLINE, Phase, body_facts, exception_facts, render
from tck.record.lines import line
from tck.record.short_events import Shortener, Where

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
_BEGINNINGS = (INVOKE, DELIVERED)
_SEQ = itemgetter("seq")
_FIRST = itemgetter(0)
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
    given: tuple[object, ...] = ()


_Parts: TypeAlias = tuple[Place, dict[str, Any] | None, Where, dict[str, Any]]
_Head: TypeAlias = tuple[bytes, dict[str, Any] | None]

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
        self.calls: dict[Hashable, Call] = {}
        """A call of each kind among the events made so far; equal keys mean the same overload and the same end."""
        self._late: list[tuple[dict[str, Any], MessageFacts]] = []
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
        """Return what `finish` returns as short lines, and their number; afterwards no event can be asked for.

        Most calls have plain arguments and results, and no message; their lines are put together without an event.
        """
        short = Shortener(self._recorder.case)
        if not self._lock.acquire(timeout=_PATIENCE):
            return short.lines(self._events), len(self._events)
        try:
            made, count = self._heads(short)
        finally:
            self._lock.release()
        self._read_late_bodies()
        finish = short.finish
        return b"".join([each if type(each) is bytes else finish(*each) for each in made]), count

    def _heads(self, short: Shortener) -> tuple[list[bytes | _Head], int]:
        """Return lines, and heads of lines with their messages, whose bodies may still be unread; and how many lines."""
        fresh = self._recorder.log[len(self._events) :]
        if self._events:
            events = sorted([*self._events, *map(self._event, fresh)], key=_SEQ)
            return [(short.head(event), event.get("message")) for event in events], len(events)
        # The order of the log is that of the numbers, but for calls of several threads within microseconds.
        rows = sorted(fresh, key=_FIRST)
        made: list[bytes | _Head] = []
        number = 0
        while number < len(rows):
            both = self._plain_call(rows[number], rows[number + 1], short) if 0 < number < len(rows) - 1 else None
            if both is not None:
                made.append(both)
                number += 2
            else:
                made.append(self._head(rows[number], short))
                number += 1
        return made, len(rows)

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

    # -- one row -------------------------------------------------------------------------------------------------

    def _event(self, row: Logged) -> dict[str, Any]:
        return self._event_of(row, self._parts(row))

    def _event_of(self, row: Logged, parts: _Parts) -> dict[str, Any]:
        place, shown, where, rest = parts
        event: dict[str, Any] = {
            "case": self._recorder.case,
            "seq": row[SEQ],
            "t_ns": row[NOW] + self._recorder.shift,
            "thread": row[THREAD],
            "actor": place.actor,
            "on": place.label,
            "op": row[MEMBER].op,
            "phase": _PHASES[row[KIND]],
            "call": None if row[KIND] in _BEGINNINGS else row[CALL],
            **rest,
        }
        if shown is not None:
            event["message"] = shown
        _, event["destination"], event["subscription"], event["message_id"] = where
        return event

    def _head(self, row: Logged, short: Shortener) -> _Head:
        """Return the head of a row's line, and its message."""
        place, shown, where, rest = parts = self._parts(row)
        kind, call, now = row[KIND], row[CALL], row[NOW] + self._recorder.shift
        if short.fresh or (kind not in _BEGINNINGS and not short.is_open(call)):
            return short.head(self._event_of(row, parts)), shown
        if kind in _BEGINNINGS:
            head = short.begin(row[SEQ], now, row[THREAD], place.label, row[MEMBER].op, where)
            if not rest["args"]:
                rest = {}
        else:
            head = short.end(row[SEQ], now, call, where)
            if rest.get("value", 0) is None:
                del rest["value"]
        if kind not in (INVOKE, OK):
            head += b'"phase":%b,' % line(_PHASES[kind])[:-1]
        return (b"%b%b," % (head, line(rest)[1:-2]) if rest else head), shown

    def _parts(self, row: Logged) -> _Parts:
        """Return the place of a row, its message, actor and so on, and the keys that only its kind of event has."""
        kind, member, third, facts = row[KIND], row[MEMBER], row[CALL], row[-1]
        place = self._labels.place(row[ON])
        shown = None if facts is None else self._facts(facts, third)
        if kind in _BEGINNINGS:
            args = self._args(member, third) if third else {}
            begun = self._open[row[SEQ]] = _Begun(args, shown, _destination(member, args) or place.destination, third)
            return place, shown, self._where(place, begun, shown, None), {"args": args}
        begun = self._open.pop(third, _NOT_BEGUN)
        rest = self._end(kind, member, place, row[VALUE], begun.args)
        if kind != UNKNOWN and begun is not _NOT_BEGUN:
            self._note(member, begun, type(row[VALUE]) if kind == FAIL else None, rest)
        return place, shown, self._where(place, begun, shown, rest if "created" in rest else None), rest

    def _plain_call(self, row: Logged, end: Logged, short: Shortener) -> bytes | None:
        """Return the lines of a call without a message and with plain values, as of `_event`; None for other rows."""
        seq, now, thread, kind, on, member, given = row[:VALUE]
        if kind != INVOKE or row[VALUE] is not None or end[CALL] != seq or end[KIND] != OK or end[FACTS] is not None:
            return None
        value = self._plain_value(end[VALUE])
        if value is None or end[SEQ] != seq + 1:
            return None
        args = self._args(member, given) if given else {}
        if (key := (member, kinds_of(given) if given else given)) not in self.calls:
            self.calls[key] = Call(member.op, args)
        place = self._labels.place(on)
        where = self._where(place, _Begun(args, None, _destination(member, args) or place.destination), None, None)
        content = b'"args":%b,' % line(args)[:-1] if args else b""
        shift = self._recorder.shift
        return short.call(seq, now + shift, end[NOW] + shift, thread, place.label, member.op, where, content, value)

    def _note(self, member: Member, begun: _Begun, raised: type | None, rest: Mapping[str, Any]) -> None:
        """Note a call with its end among the kinds of calls."""
        label = None if begun.shown is None else begun.shown["label"]
        made = made_by(rest.get("value"))
        key = (member, kinds_of(begun.given), raised, made, label is None)
        if key not in self.calls:
            error = rest["error"]["type"] if raised is not None else None
            self.calls[key] = Call(member.op, begun.args, label, error, made)

    def _plain_value(self, value: object) -> bytes | None:
        """Return a result as keys of a line; None if its event needs more than that."""
        if value is None:
            return b""
        if value is END:
            return b'"end":true'
        if type(value) is str and len(value) > _SHORT:
            return None
        if isinstance(value, Outward):
            label = self.label(value)
            return b'"value":%b' % line(label)[:-1] if label in self._known else None
        return b'"value":%b' % line(value)[:-1] if type(value) in _SIMPLE or type(value) is str else None

    def _args(self, member: Member, given: tuple[object, ...]) -> dict[str, Any]:
        return {
            name: value if type(value) in _SIMPLE else self._render(value)
            for name, value in zip(member.names, given, strict=True)
            if value is not api.OMITTED
        }

    def _end(self, kind: int, member: Member, place: Place, value: object, args: Mapping[str, Any]) -> dict[str, Any]:
        if kind != OK:
            return {"error": _error(cast("BaseException", value), kind)}
        if value is END:
            return {"value": None, "end": True}
        if type(value) in _SIMPLE:
            return {"value": value}
        label = self._render(value)
        if isinstance(value, Outward) and label not in self._known:
            return {"value": label, **self._created(member, place, value, args)}
        return {"value": label}

    def _created(self, member: Member, place: Place, value: Outward, args: Mapping[str, Any]) -> dict[str, Any]:
        label = self.label(value)
        self._known.add(label)
        if not member.creates and value.kind not in _CREATED:
            return {}
        created = {
            "label": label,
            "type": _type_name(type(value).__bases__[1:]),
            "parent": place.label if value.parent_ is None else self.label(value.parent_),
            **settings_of(value.kind, member.name, args),
        }
        destination = label if value.kind in DESTINATIONS else created.get("destination")
        self._seen[label] = _Seen(destination if isinstance(destination, str) else None)
        return {"created": created}

    def _where(
        self, place: Place, begun: _Begun, shown: dict[str, Any] | None, created: Mapping[str, Any] | None
    ) -> Where:
        """Return actor, destination, subscription and message id, as far as they are known."""
        known = self._seen.get(place.holder, _NOWHERE) if place.holder else _NOWHERE
        destination = begun.destination or known.destination
        if destination is None and created is not None:
            destination = self._seen[created["value"]].destination
        subscription = place.subscription or known.subscription
        message = begun.shown if shown is None else shown
        id_ = known.id
        if message is not None:
            id_ = message.get("id")
            id_ = id_ if isinstance(id_, str) else None
            sent_to = message.get("destination")
            destination = destination or (sent_to if isinstance(sent_to, str) else None)
            self._seen[message["label"] or ""] = _Seen(destination, subscription, id_)
        return place.actor, destination, subscription, id_

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
        return {
            name: value if type(value) in _SIMPLE else self._header(value)
            for name, value in zip(_HEADERS, head, strict=True)
        }

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


def _destination(member: Member, args: Mapping[str, Any]) -> str | None:
    """Return the destination among the arguments of a call, if it has one."""
    for name in member.places:
        if isinstance(found := args.get(name), str):
            return found
    return None


@cache
def _type_name(types: tuple[type, ...]) -> str:
    return "+".join(each.__name__ for each in types)


def _error(error: BaseException, kind: int) -> dict[str, object]:
    return {**exception_facts(error), **({} if kind == FAIL else {"code": None})}
