"""Short lines of events: keys that the lines before imply are left out, which makes a bundle a quarter as large.

A line with the key `case` is a whole event (events.py), and nothing before it counts any more. In the others:

    seq            left out: one more than the line before
    after          nanoseconds since the line before, in place of `t_ns`; left out: 1
    op             the line is the beginning of a call or delivery; a line without `op` is the end of one
    thread, on     of a beginning, left out: as in the beginning before, or the whole event before
    actor, destination, subscription, message_id    of a beginning, left out: as in the last beginning with the same `on`,
                   else null
    phase          left out: "invoke" of a beginning, "ok" of an end
    args           left out: {}
    call           left out: the line before is the beginning of this call
    value          of an end with phase "ok", left out: null
    thread, actor, on, op     of an end: those of the beginning
    destination, subscription, message_id    of an end, left out: as in the beginning
    again          in place of `message`: the facts that differ from the message shown before

`Shortener` writes such lines, `restore` returns the events. An event that does not fit this is written whole.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final, NamedTuple

from tck.record.lines import line

_SCALARS: Final = frozenset({str, int, bool, type(None)})
_ALWAYS: Final = frozenset(
    {
        "case", "seq", "t_ns", "thread", "actor", "on", "op", "phase", "call", "destination", "subscription", "message_id",
    }
)  # fmt: skip
_BEGINNING: Final = _ALWAYS | {"args"}
_END: Final = _ALWAYS | {"value", "error", "created", "end"}
_WHERE: Final = ("actor", "destination", "subscription", "message_id")
_WHITHER: Final = ("destination", "subscription", "message_id")

Where = tuple[str | None, str | None, str | None, str | None]
"""Actor, destination, subscription and message id of an event."""

_NOWHERE: Final[Where] = (None, None, None, None)
_NOTHING: Final[Mapping[str, None]] = dict.fromkeys(_WHERE)
_MORE: Final = ("error", "created", "end")


class _Begun(NamedTuple):
    thread: str
    on: str
    op: str
    where: Where


class Shortener:
    """Writes the events of one attempt as short lines, in the order of their numbers.

    Args:
        case: The name of the case.
    """

    def __init__(self, case: str) -> None:
        self._case = case
        self._texts: dict[str | None, bytes] = {}
        self._message: Mapping[str, Any] | None = None
        self._restart()
        self._seq = self._t_ns = 0

    def _restart(self) -> None:
        self._thread = self._on = ""
        self._places: dict[str, Where] = {}
        self._calls: dict[int, _Begun] = {}

    @property
    def fresh(self) -> bool:
        """Whether no line was written yet: the first one is whole."""
        return self._seq == 0

    def is_open(self, call: int) -> bool:
        """Return whether the beginning of a call is among the lines, and not its end."""
        return call in self._calls

    def lines(self, events: Iterable[Mapping[str, Any]]) -> bytes:
        """Return the lines of further events."""
        return b"".join(self.finish(self.head(event), event.get("message")) for event in events)

    def head(self, event: Mapping[str, Any]) -> bytes:
        """Return the line of an event up to its message, which `finish` adds: some bodies are read after the case."""
        beginning = event.get("call") is None
        keys = event.keys() - {"message"}
        fits = keys == _BEGINNING if beginning else keys >= _ALWAYS and keys <= _END and event["call"] in self._calls
        if not fits or self.fresh or event["case"] != self._case or (event["phase"] == "ok") != ("value" in keys):
            return self._whole(event, fits=keys >= _ALWAYS)
        where = (event["actor"], event["destination"], event["subscription"], event["message_id"])
        if beginning:
            head = self.begin(event["seq"], event["t_ns"], event["thread"], event["on"], event["op"], where)
            if event["phase"] != "invoke":
                head += b'"phase":%b,' % self._text(event["phase"])
            return head + (b'"args":%b,' % line(event["args"])[:-1] if event["args"] else b"")
        begun = self._calls[event["call"]]
        if (event["thread"], event["on"], event["op"], event["actor"]) != (*begun[:3], begun.where[0]):
            return self._whole(event, fits=True)
        head = self.end(event["seq"], event["t_ns"], event["call"], where)
        if event["phase"] != "ok":
            head += b'"phase":%b,' % self._text(event["phase"])
        rest = {name: event[name] for name in event.keys() & {"value", "error", "created", "end"}}
        if rest.get("value", 0) is None:
            del rest["value"]
        return head + (line(rest)[1:-2] + b"," if rest else b"")

    def _whole(self, event: Mapping[str, Any], *, fits: bool) -> bytes:
        self._restart()
        self._message = None
        self._seq, self._t_ns = (event["seq"], event["t_ns"]) if fits else (0, 0)
        if fits:
            where = (event["actor"], event["destination"], event["subscription"], event["message_id"])
            self._remember(event["seq"], _Begun(event["thread"], event["on"], event["op"], where), event["call"])
        return (
            line({"case": self._case, **{key: value for key, value in event.items() if key != "message"}})[:-2] + b","
        )

    def _remember(self, seq: int, begun: _Begun, call: int | None) -> None:
        self._thread, self._on = begun.thread, begun.on
        if call is None:
            self._places[begun.on] = begun.where
            self._calls[seq] = begun

    def begin(self, seq: int, t_ns: int, thread: str, on: str, op: str, where: Where) -> bytes:
        """Return the head of a beginning, with a comma at its end."""
        head = self._open(seq, t_ns, thread, on, where)
        self._calls[seq] = _Begun(thread, on, op, where)
        return head + b'"op":%b,' % self._text(op)

    def call(
        self, seq: int, t_ns: int, ended_ns: int, thread: str, on: str, op: str, where: Where, args: bytes, value: bytes
    ) -> bytes:
        """Return both lines of a call that ended well before anything else happened.

        Args:
            seq: The number of its beginning; that of its end is the next.
            t_ns: When it began.
            ended_ns: When it ended.
            thread: The thread of both.
            on: The object called.
            op: The call.
            where: Actor and so on, the same of both.
            args: The arguments as JSON with their key and a comma, if there are any.
            value: The result as JSON with its key, if there is one.
        """
        head = self._open(seq, t_ns, thread, on, where)
        self._seq, self._t_ns = seq + 1, ended_ns
        if ended_ns != t_ns + 1:
            value = b'"after":%d%b%b' % (ended_ns - t_ns, b"," if value else b"", value)
        return b'%b%b"op":%b}\n{%b}\n' % (head, args, self._texts.get(op) or self._text(op), value)

    def _open(self, seq: int, t_ns: int, thread: str, on: str, where: Where) -> bytes:
        head = b"{" if seq == self._seq + 1 and t_ns == self._t_ns + 1 else self._step(seq, t_ns)
        self._seq, self._t_ns = seq, t_ns
        if thread != self._thread:
            self._thread = thread
            head += b'"thread":%b,' % self._text(thread)
        if on != self._on:
            self._on = on
            head += b'"on":%b,' % self._text(on)
        known = self._places.get(on, _NOWHERE)
        if known != where:
            self._places[on] = where
            for name, before, now in zip(_WHERE, known, where, strict=True):
                if before != now:
                    head += b'"%b":%b,' % (name.encode(), self._text(now))
        return head

    def end(self, seq: int, t_ns: int, call: int, where: Where) -> bytes:
        """Return the head of an end of a call that `begin` wrote, with a comma or a brace at its end."""
        head = b"{" if seq == self._seq + 1 and t_ns == self._t_ns + 1 else self._step(seq, t_ns)
        if call != self._seq:
            head += b'"call":%d,' % call
        self._seq, self._t_ns = seq, t_ns
        begun = self._calls.pop(call).where
        if begun != where:
            for name, before, now in zip(_WHITHER, begun[1:], where[1:], strict=True):
                if before != now:
                    head += b'"%b":%b,' % (name.encode(), self._text(now))
        return head

    def _step(self, seq: int, t_ns: int) -> bytes:
        head = b"{" if seq == self._seq + 1 else b'{"seq":%d,' % seq
        passed = t_ns - self._t_ns
        return head if passed == 1 else head + b'"after":%d,' % passed

    def _text(self, text: str | None) -> bytes:
        known = self._texts.get(text)
        if known is None:
            known = self._texts[text] = line(text)[:-1]
        return known

    def finish(self, head: bytes, message: Mapping[str, Any] | None) -> bytes:
        """Return the whole line, with the message of the event if it has one."""
        if message is None:
            return b"{}\n" if head == b"{" else head[:-1] + b"}\n"
        before, self._message = self._message, message
        if before is None or before.keys() != message.keys():
            return b'%b"message":%b}\n' % (head, line(message)[:-1])
        changed = {
            name: value
            for name, value in message.items()
            if value is not before[name] and not _same(value, before[name])
        }
        return b'%b"again":%b}\n' % (head, line(changed)[:-1])


def _same(one: object, other: object) -> bool:
    """Compare as JSON: True is not 1, and 0.0 is not -0.0."""
    if type(one) is not type(other):
        return False
    return one == other if type(one) in _SCALARS else line(one) == line(other)


def restore(rows: Iterable[Mapping[str, Any]]) -> Iterator[dict[str, Any]]:
    """Return the events of lines.

    Raises:
        ValueError: A line does not follow from those before it.
    """
    before = _Before()
    for row in rows:
        try:
            yield before.event(row)
        except (KeyError, TypeError) as error:
            raise ValueError(f"a line that does not follow from those before it ({error!r})") from None


class _Before:
    """The lines before: the part that `Shortener` leaves out of a line."""

    def __init__(self) -> None:
        self._restart()

    def _restart(self) -> None:
        self._line: Mapping[str, Any] = {}
        self._beginning: Mapping[str, Any] = {}
        self._places: dict[str, Mapping[str, Any]] = {}
        self._calls: dict[int, Mapping[str, Any]] = {}
        self._message: Mapping[str, Any] = {}

    def event(self, row: Mapping[str, Any]) -> dict[str, Any]:
        """Return the event of the next line."""
        if "case" in row:
            self._restart()
            self._beginning = event = dict(row)
        elif "op" in row:
            event = self._begin(row)
        else:
            event = self._end(row)
        self._line = event
        if event.get("call") is None and event.keys() >= _ALWAYS:
            self._beginning = self._places[event["on"]] = self._calls[event["seq"]] = event
        if "message" in event:
            self._message = event["message"]
        return event

    def _begin(self, row: Mapping[str, Any]) -> dict[str, Any]:
        line, get = self._line, row.get
        on = get("on", self._beginning["on"])
        known = self._places.get(on, _NOTHING)
        event = {
            "case": line["case"],
            "seq": get("seq", line["seq"] + 1),
            "t_ns": line["t_ns"] + get("after", 1),
            "thread": get("thread", self._beginning["thread"]),
            "actor": get("actor", known["actor"]),
            "on": on,
            "op": row["op"],
            "phase": get("phase", "invoke"),
            "call": None,
            "args": get("args", {}),
        }
        return self._with_message(event, row, known)

    def _end(self, row: Mapping[str, Any]) -> dict[str, Any]:
        line, get = self._line, row.get
        call = get("call", line["seq"])
        begun = self._calls.pop(call)
        phase = get("phase", "ok")
        event = {
            "case": line["case"],
            "seq": get("seq", line["seq"] + 1),
            "t_ns": line["t_ns"] + get("after", 1),
            "thread": begun["thread"],
            "actor": begun["actor"],
            "on": begun["on"],
            "op": begun["op"],
            "phase": phase,
            "call": call,
        }
        if phase == "ok":
            event["value"] = get("value")
        event.update((name, row[name]) for name in _MORE if name in row)
        return self._with_message(event, row, begun)

    def _with_message(self, event: dict[str, Any], row: Mapping[str, Any], known: Mapping[str, Any]) -> dict[str, Any]:
        if "message" in row:
            event["message"] = row["message"]
        elif "again" in row:
            event["message"] = {**self._message, **row["again"]}
        for name in _WHITHER:
            event[name] = row[name] if name in row else known[name]
        return event
