"""The text of one row of the lanes: the object, the call, its messages and its result, as short as possible.

Messages and destinations get short names, since message ids and the names of temporary queues are long: a letter for each
message, `Q1` or `T1` for each destination. Produces no markup.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from tck.reports import show
from tck.reports.read import Event

TEXT = 60
"""The most characters of one value."""

_SETTERS = ("set_", "write_", "read_", "get_", "send", "receive", "create_", "append")
_ANSWERS = ("receive", "get_", "read_", "lookup", "has_", "is_")
_CODES = {
    "session_mode": {0: "transacted", 1: "auto", 2: "client", 3: "dups-ok"},
    "acknowledge_mode": {0: "transacted", 1: "auto", 2: "client", 3: "dups-ok"},
    "delivery_mode": {1: "non-persistent", 2: "persistent"},
    "jms_delivery_mode": {1: "non-persistent", 2: "persistent"},
}
_KINDS = {"queue": "Q", "topic": "T", "temporary-queue": "TQ", "temporary-topic": "TT"}
_NO_ARGUMENTS: Mapping[str, Any] = {}


class MessageToken(NamedTuple):
    """The short name of a message: one letter and one hue for each JMSMessageID."""

    letter: str
    hue: int
    body: str
    id: str


class DestinationName(NamedTuple):
    """The short name of a destination."""

    short: str
    label: str


class RowText(NamedTuple):
    """The parts of a row's text.

    `subject` is the called object, and `about` is it as a message, if it is one; `given` is the message argument, `got` the
    returned message; `returned` marks the end of a call that began in an earlier row.
    """

    subject: str
    about: MessageToken | None
    member: str
    given: MessageToken | None
    arguments: str
    returned: bool
    got: MessageToken | None
    answer: str
    failed: bool
    tags: tuple[str, ...]
    cited: bool


class RowWriter:
    """Writes the rows of one case; call it in the order of the events, so that letters are assigned in that order."""

    def __init__(self, events: Sequence[Event], cites: frozenset[int]) -> None:
        self.tokens: dict[str, MessageToken] = {}
        self.places: dict[str, DestinationName] = {}
        self._cites = cites
        self._named: dict[str, list[tuple[int, str, Mapping[str, Any]]]] = {}
        for event in events:
            facts = event.get("message")
            if isinstance(facts, dict) and facts.get("label") and facts.get("id"):
                self._named.setdefault(facts["label"], []).append((int(event["seq"]), str(facts["id"]), facts))

    def row_text(self, kind: str, first: Event, last: Event | None) -> RowText:
        """Return the text of a row from its first event and, if it is a whole call, its last."""
        begins, ends = (None, first) if kind == "return" else (first, last)
        args: Mapping[str, Any] = (begins.get("args") or _NO_ARGUMENTS) if begins else _NO_ARGUMENTS
        subject = str(first.get("on") or "")
        member, shown = _member(str(first["op"]))
        about = given = got = None
        carried = self._carried(first, last)
        if carried or self._named:  # most rows only set up connections and sessions, before there is a message
            at = int((last or first)["seq"])
            given = self._message_in(args, at) if args else None
            answer = ends.get("value") if ends else None
            got = self._message(answer, at) if answer else None
            if carried and not given and not got and str(first.get("on")) != carried[0]:
                given, got = (carried[1], None) if begins else (None, carried[1])
            about = self._message(subject, at) if subject in self._named else None
        return RowText(
            subject=self.name(subject),
            about=about,
            member=shown,
            given=given,
            arguments=self._arguments(member, args) if args else "",
            returned=begins is None,
            got=got,
            answer=self._answer(member, ends, args) if ends and not got else "",
            failed=ends is not None and ends["phase"] == "fail",
            tags=_tags(first, last),
            cited=bool(self._cites) and any(int(event["seq"]) in self._cites for event in (first, last) if event),
        )

    def name(self, label: str) -> str:
        """Return the text for a label: for a destination its short name."""
        kind, colon, _ = label.partition(":")
        if not colon or kind not in _KINDS:
            return show.one_line(label, TEXT)
        if label not in self.places:
            number = 1 + sum(1 for known in self.places if known.startswith(f"{kind}:"))
            self.places[label] = DestinationName(f"{_KINDS[kind]}{number}", show.one_line(label, 2 * TEXT))
        return self.places[label].short

    def value(self, item: object, key: str = "") -> str:
        """Return the text for a value: labels by their names, codes with their meaning."""
        if isinstance(item, str):
            return self.name(item) if show.is_label(item) else show.value(item, TEXT)
        meant = meaning(key, item)
        return f"{item} ({meant})" if meant else show.value(item, TEXT)

    def _carried(self, first: Event, last: Event | None) -> tuple[str, MessageToken] | None:
        """Return label and short name of the message that the row recorded, preferring the later event."""
        for event in (last, first):
            facts = event.get("message") if event else None
            if facts and isinstance(facts, dict) and (facts.get("label") or facts.get("id")):
                return str(facts.get("label")), self._token(str(facts.get("id") or facts["label"]), facts)
        return None

    def _message_in(self, args: Mapping[str, Any], at: int) -> MessageToken | None:
        """Return the first message among the arguments of a call."""
        for item in args.values():
            if isinstance(item, str) and item in self._named:
                return self._message(item, at)
        return None

    def _message(self, label: object, at: int) -> MessageToken | None:
        """Return the message that a label refers to at an event: an object that is sent twice has two ids."""
        meant = self._named.get(label) if isinstance(label, str) else None
        if not meant:
            return None
        _, key, facts = next((each for each in reversed(meant) if each[0] <= at), meant[0])
        return self._token(key, facts)

    def _token(self, key: str, facts: Mapping[str, Any]) -> MessageToken:
        known = self.tokens.get(key)
        if known is None:
            number = len(self.tokens)
            letter = chr(ord("A") + number % 26) + (str(number // 26) if number >= 26 else "")
            body = facts.get("body")
            meant = f"{facts.get('kind', '')} message" if body is None else show.value(body, 40)
            known = self.tokens[key] = MessageToken(letter, number % 8, meant, show.one_line(key, 80))
        return known

    def _arguments(self, member: str, args: Mapping[str, Any]) -> str:
        if len(args) == 1 and "value" in args and not member.startswith(_SETTERS):
            return f" = {self.value(args['value'], member)}"
        shown = [f"{key}={self.value(item, key)}" for key, item in args.items() if not self._is_message(item)]
        return f"({show.one_line(', '.join(shown), 4 * TEXT)})" if shown else ""

    def _is_message(self, item: object) -> bool:
        return isinstance(item, str) and item in self._named

    def _answer(self, member: str, event: Event, args: Mapping[str, Any]) -> str:
        if event["phase"] == "fail":
            return show.error(event.get("error"), 4 * TEXT)
        if event["phase"] == "unknown":
            return "outcome unknown"
        answer = event.get("value")
        if answer is None:
            return "null" if member.startswith(_ANSWERS) and not event.get("message") else ""
        written = len(args) == 1 and "value" in args and answer == args["value"]
        return "" if written or answer == event.get("on") else self.value(answer, member)


def meaning(key: str, code: object) -> str:
    """Return the name of a numeric constant of the API, such as `client` for session mode 2; empty for other values."""
    return _CODES.get(key, {}).get(code, "") if isinstance(code, int) else ""


@functools.lru_cache(maxsize=1024)
def _member(op: str) -> tuple[str, str]:
    """Return the member of an operation such as `Session.create_producer`, and its text."""
    member = op.rpartition(".")[2]
    return member, show.one_line(member, TEXT)


def _tags(first: Event, last: Event | None) -> tuple[str, ...]:
    thread = first.get("thread")
    tags = () if thread is None or thread == "main" else (show.one_line(f"thread {thread}", TEXT),)
    facts = last.get("message") if last else None
    if not isinstance(facts, dict):
        facts = first.get("message")
    if isinstance(facts, dict) and facts.get("redelivered") is True:
        count = facts.get("count")
        return (*tags, f"redelivered, delivery {count}" if isinstance(count, int) else "redelivered")
    return tags
