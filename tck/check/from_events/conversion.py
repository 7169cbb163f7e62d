"""Converts the events of one case to operations: rows, side tables, and the material of stories.

The events of a suite case have no message numbers of ours, so messages are matched (`matching`), endpoints and units are
derived from the calls (`timeline`), and empty endpoints from fences and receives that timed out (`drain_evidence`). Where
the events leave something open, the row records that or is omitted: no finding rather than a false one.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from hashlib import blake2b
from typing import Final, TypeAlias

from tck.check.columns import MATCHES, NONE, OPERATIONS, RESTARTS, Op, Table
from tck.check.evidence import Evidence, Names, Trace
from tck.check.from_events.calls import Event, Facts, calls_of
from tck.check.from_events.drain_evidence import drain, fences_of
from tck.check.from_events.endpoints import UNREAD, destination_of
from tck.check.from_events.matching import Matcher, differences
from tck.check.from_events.senders import Sent
from tck.check.from_events.timeline import Timeline
from tck.check.from_events.walk import Delivery, Row, outcome
from tck.check.results import Margins
from tck.check.tables import Tables

Matches: TypeAlias = Callable[[str, Facts], bool | None]
"""Returns whether a selector matches a message, from its text and the facts of the message; None if unknown."""

_HEADERS: Final = ("id", "timestamp", "mode", "expiration", "delivery_time")
_SELECTABLE: Final = ("mode", "priority", "id", "timestamp", "correlation", "type", "properties")
_AS_SENT: Final = 1
_CHANGED: Final = 2
"""Values for the hash of a content: contents are compared here, so only equality matters later."""
_OF_SEND: Final = ("prio", "mode", "ttl", "delay", "klass")


def trace_of(events: Iterable[Event], margins: Margins, matches: Matches | None = None) -> Trace:
    """Make a trace of the events of one case, in order of their numbers.

    Args:
        events: As described in `tck.record.events`.
        margins: The margins; `patience` is the shortest timeout that shows an empty endpoint.
        matches: Our own evaluator of selectors; without it the effect of a selector is unknown.
    """
    calls, origin = calls_of(events)
    timeline = Timeline()
    timeline.walk(calls)
    classes = _PropertyClasses(timeline, matches)
    sent_rows = {sent.msg: _send_row(sent, timeline, classes) for sent in timeline.result.sends}
    differences_found = _match_deliveries(timeline, sent_rows)
    registry, clients = timeline.registry, timeline.clients
    drain(timeline, margins)
    rows = Table.from_rows(OPERATIONS, [*timeline.result.rows, *sent_rows.values()])
    tables = Tables(
        endpoints=registry.endpoint_table(timeline.result.destinations),
        consumers=registry.consumer_table(),
        sessions=clients.session_table(),
        restarts=Table.from_rows(RESTARTS, timeline.result.restarts),
        stops=clients.stop_table(),
        branches=clients.branch_table(),
        matches=classes.table(),
        fences=fences_of(timeline, sent_rows),
        origin=origin,
    )
    return Trace(rows, tables, Evidence(rows, tables, _names(timeline), timeline.result.events, differences_found))


class _PropertyClasses:
    """Numbers the classes of messages that selectors can distinguish, if there are selectors at all."""

    def __init__(self, timeline: Timeline, matches: Matches | None) -> None:
        self._selectors = timeline.registry.selectors
        self._matches = matches
        self._classes: dict[str, tuple[int, Facts]] = {}

    def number(self, facts: Facts) -> int:
        """Number the property class of a message."""
        if not self._selectors:
            return 0
        key = json.dumps([facts.get(name) for name in _SELECTABLE], sort_keys=True, default=str)
        return self._classes.setdefault(key, (len(self._classes), facts))[0]

    def table(self) -> Table:
        """Make the side table of answers."""
        if self._matches is None:
            return Table.empty(MATCHES)
        rows = []
        for selector, text in self._selectors.items():
            for klass, facts in self._classes.values():
                answer = None if text.startswith(UNREAD) else self._matches(text, facts)
                if answer is not None:
                    rows.append({"selector": selector, "klass": klass, "answer": int(answer)})
        return Table.from_rows(MATCHES, rows)


def _send_row(sent: Sent, timeline: Timeline, classes: _PropertyClasses) -> Row:
    call, head = sent.call, sent.head or {}
    session = timeline.clients.sessions[sent.session]
    timeline.result.events[sent.session, call.seq] = (call.seq, call.end_seq)
    row = {
        "seq": call.seq,
        "session": sent.session,
        "conn": session.conn,
        "op": Op.SEND,
        "out": outcome(call),
        "t0": call.t0,
        "t1": call.t1,
        "msg": sent.msg,
        "dest": timeline.result.destinations.setdefault(sent.destination, len(timeline.result.destinations)),
        "unit": sent.unit,
        "auto": sent.asynchronous,
        "prio": sent.priority,
        "mode": sent.mode,
        "ttl": sent.ttl,
        "delay": sent.delay,
        "klass": classes.number({**sent.facts, **head}),
        "digest": _AS_SENT,
        "head": _AS_SENT if any(head.get(name) is not None for name in _HEADERS) else 0,
        "jms": _hash(sent.id) if sent.id is not None else 0,
    }
    for column, name in (("stamp", "timestamp"), ("expires", "expiration"), ("due", "delivery_time")):
        value = head.get(name)
        row[column] = _long(value)
    return row


def _match_deliveries(timeline: Timeline, sent_rows: Mapping[int, Row]) -> dict[tuple[int, int], str]:
    """Match each delivery with its send; return the differences between the two, in words."""
    found: dict[tuple[int, int], str] = {}
    matcher = Matcher(timeline.result.sends)
    by_msg = {sent.msg: sent for sent in timeline.result.sends}
    for delivery in sorted(timeline.result.deliveries, key=lambda each: each.row["t0"]):
        facts, row = delivery.facts, delivery.row
        sent = matcher.send_of(facts, delivery.destination, row["end"], row["t0"])
        row["dest"] = _destination(delivery, timeline.result.destinations)
        for column, name in (("stamp", "timestamp"), ("expires", "expiration"), ("due", "delivery_time")):
            value = facts.get(name)
            row[column] = _long(value)
        if sent is None:
            row["msg"] = timeline.result.next_message("somebody unknown")
            row |= {
                "prio": _small(facts.get("priority")),
                "mode": _small(facts.get("mode")),
                "ttl": NONE,
                "delay": NONE,
            }
            continue
        origin = sent_rows[sent.msg]
        row |= {"msg": sent.msg, **{name: origin[name] for name in _OF_SEND}}
        if not delivery.browsed:
            found |= _compared(delivery, by_msg[sent.msg], origin)
    return found


def _destination(delivery: Delivery, numbers: dict[str, int]) -> int:
    """Return the number of the destination in JMSDestination; an unreadable one counts as right."""
    header = delivery.facts.get("destination", delivery.destination)
    if header is None:
        return numbers.setdefault("null", len(numbers))
    readable = isinstance(header, str) and ":" in header
    return numbers.setdefault(destination_of(header) if readable else delivery.destination, len(numbers))


def _compared(delivery: Delivery, sent: Sent, origin: Row) -> dict[tuple[int, int], str]:
    content, header = differences(sent, delivery.facts)
    row, facts = delivery.row, delivery.facts
    comparable = "properties" in facts or (sent.facts.get("digest") and facts.get("digest"))
    row["digest"] = (_CHANGED if content else origin["digest"]) if comparable else 0
    row["head"] = (_CHANGED if header else origin["head"]) if "timestamp" in facts else 0
    if not content and not header:
        return {}
    return {(row["session"], row["seq"]): f" Difference: {'; '.join((*content, *header))}."}


def _names(timeline: Timeline) -> Names:
    clients, registry = timeline.clients, timeline.registry
    times = Counter[str]()
    messages = {}
    for sent in timeline.result.sends:
        label = sent.facts.get("label")
        if isinstance(label, str):
            times[label] += 1
            messages[sent.msg] = label if times[label] == 1 else f"{label} (send {times[label]})"
    return Names(
        messages=messages,
        streams={number: label for (label, _), number in timeline.result.streams.items()},
        sessions={each.number: each.label for each in clients.sessions},
        connections={each.number: each.label for each in clients.connections},
        consumers={each.number: each.label for each in registry.consumers},
        endpoints={each.number: each.label for each in registry.endpoints},
        destinations={number: label for label, number in timeline.result.destinations.items()},
        selectors=registry.selectors,
    )


def _long(value: object) -> int:
    """Return a header number, limited to the range of long."""
    return min(max(value, -(2**63)), 2**63 - 1) if isinstance(value, int) else NONE


def _small(value: object) -> int:
    return value if isinstance(value, int) and -128 <= value < 128 else 0


def _hash(text: str) -> int:
    """Hash to a number that is the same in every process and never 0, which means none."""
    digest = blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return int.from_bytes(digest, "little", signed=True) or 1
