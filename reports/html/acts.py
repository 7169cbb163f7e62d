"""What one row of the lanes says: who did what to which message, in as few words as a reader needs.

Messages and destinations get short names, since a JMSMessageID or the name of a fresh queue hides what happened: a
letter for each message, `Q1` or `T1` for each destination. Knows no markup.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from reports import show
from reports.read import Event

TEXT = 60
"""Longest text shown of one value, in characters."""

_SETTERS = ("set_", "write_", "read_", "get_", "send", "receive", "create_", "append")
_ANSWERS = ("receive", "get_", "read_", "lookup", "has_", "is_")
_CODES = {
    "session_mode": {0: "transacted", 1: "auto", 2: "client", 3: "dups-ok"},
    "acknowledge_mode": {0: "transacted", 1: "auto", 2: "client", 3: "dups-ok"},
    "delivery_mode": {1: "non-persistent", 2: "persistent"},
    "jms_delivery_mode": {1: "non-persistent", 2: "persistent"},
}
_KINDS = {"queue": "Q", "topic": "T", "temporary-queue": "TQ", "temporary-topic": "TT"}


class Token(NamedTuple):
    """A message as the eye follows it: one letter and one hue for one JMSMessageID."""

    letter: str
    hue: int
    body: str
    id: str


class Place(NamedTuple):
    """A destination by its short name."""

    short: str
    label: str


class Act(NamedTuple):
    """What a row says.

    `subject` is the object called, `about` its message if it is one; `given` is the message that went into the call,
    `got` the one that came out of it; `returned` marks the end of a call that began in an earlier row.
    """

    subject: str
    about: Token | None
    member: str
    given: Token | None
    arguments: str
    returned: bool
    got: Token | None
    answer: str
    failed: bool
    tags: tuple[str, ...]
    cited: bool


class Teller:
    """Puts the events of one case into words; ask it in the order of the events, so that letters follow the story."""

    def __init__(self, events: Sequence[Event], cites: frozenset[int]) -> None:
        self.tokens: dict[str, Token] = {}
        self.places: dict[str, Place] = {}
        self._cites = cites
        self._named: dict[str, list[tuple[int, str, Mapping[str, Any]]]] = {}
        for event in events:
            facts = event.get("message")
            if isinstance(facts, dict) and facts.get("label") and facts.get("id"):
                self._named.setdefault(facts["label"], []).append((int(event["seq"]), str(facts["id"]), facts))

    def act(self, kind: str, first: Event, last: Event | None) -> Act:
        """Tell a row that begins with one event and, where it holds a whole call, ends with another."""
        begins, ends = (None, first) if kind == "return" else (first, last)
        args: Mapping[str, Any] = (begins.get("args") or {}) if begins else {}
        at = int((last or first)["seq"])
        answer = ends.get("value") if ends else None
        carried = self._carried(first, last)
        given = next((token for item in args.values() if (token := self._message(item, at))), None)
        got = self._message(answer, at)
        if carried and not given and not got and str(first.get("on")) != carried[0]:
            given, got = (carried[1], None) if begins else (None, carried[1])
        subject = str(first.get("on") or "")
        return Act(
            subject=self.name(subject),
            about=self._message(subject, at),
            member=show.one_line(str(first["op"]).rpartition(".")[2], TEXT),
            given=given,
            arguments=self._arguments(first, args) if begins else "",
            returned=begins is None,
            got=got,
            answer=self._answer(ends, args) if ends and not got else "",
            failed=bool(ends and ends["phase"] == "fail"),
            tags=tuple(_tags(first, last)),
            cited=not self._cites.isdisjoint(int(event["seq"]) for event in (first, last) if event),
        )

    def name(self, label: str) -> str:
        """Return a label as it is shown: a destination by its short name."""
        kind, colon, _ = label.partition(":")
        if not colon or kind not in _KINDS:
            return show.one_line(label, TEXT)
        if label not in self.places:
            number = 1 + sum(1 for known in self.places if known.startswith(f"{kind}:"))
            self.places[label] = Place(f"{_KINDS[kind]}{number}", show.one_line(label, 2 * TEXT))
        return self.places[label].short

    def value(self, item: object, key: str = "") -> str:
        """Return a value as it is shown: labels by their names, codes with their meaning."""
        if isinstance(item, str) and show.is_label(item):
            return self.name(item)
        told = meaning(key, item)
        return f"{item} ({told})" if told else show.value(item, TEXT)

    def _carried(self, first: Event, last: Event | None) -> tuple[str, Token] | None:
        """Return label and token of the message whose facts the row carries, the later facts first."""
        for event in (last, first):
            facts = event.get("message") if event else None
            if isinstance(facts, dict) and (facts.get("label") or facts.get("id")):
                return str(facts.get("label")), self._token(str(facts.get("id") or facts["label"]), facts)
        return None

    def _message(self, label: object, at: int) -> Token | None:
        """Return the message that an object's label means at an event: an object that is sent twice carries two ids."""
        told = self._named.get(label) if isinstance(label, str) else None
        if not told:
            return None
        before = [each for each in told if each[0] <= at]
        _, key, facts = before[-1] if before else told[0]
        return self._token(key, facts)

    def _token(self, key: str, facts: Mapping[str, Any]) -> Token:
        known = self.tokens.get(key)
        if known is None:
            number = len(self.tokens)
            letter = chr(ord("A") + number % 26) + (str(number // 26) if number >= 26 else "")
            body = facts.get("body")
            told = f"{facts.get('kind', '')} message" if body is None else show.value(body, 40)
            known = self.tokens[key] = Token(letter, number % 8, told, show.one_line(key, 80))
        return known

    def _arguments(self, event: Event, args: Mapping[str, Any]) -> str:
        member = str(event["op"]).rpartition(".")[2]
        if set(args) == {"value"} and not member.startswith(_SETTERS):
            return f" = {self.value(args['value'], member)}"
        shown = [f"{key}={self.value(item, key)}" for key, item in args.items() if not self._is_message(item)]
        return f"({show.one_line(', '.join(shown), 4 * TEXT)})" if shown else ""

    def _is_message(self, item: object) -> bool:
        return isinstance(item, str) and item in self._named

    def _answer(self, event: Event, args: Mapping[str, Any]) -> str:
        if event["phase"] == "fail":
            return show.error(event.get("error"), 4 * TEXT)
        if event["phase"] == "unknown":
            return "outcome unknown"
        member, answer = str(event["op"]).rpartition(".")[2], event.get("value")
        if answer is None:
            return "null" if member.startswith(_ANSWERS) and not event.get("message") else ""
        written = set(args) == {"value"} and answer == args["value"]
        return "" if written or answer == event.get("on") else self.value(answer, member)


def meaning(key: str, code: object) -> str:
    """Return what a number of the API stands for, such as `client` for session mode 2; empty if it is no such number."""
    return _CODES.get(key, {}).get(code, "") if isinstance(code, int) else ""


def _tags(*events: Event | None) -> Iterator[str]:
    first = next(event for event in events if event)
    if first.get("thread") not in {None, "main"}:
        yield show.one_line(f"thread {first['thread']}", TEXT)
    facts = [event["message"] for event in events if event and isinstance(event.get("message"), Mapping)]
    if facts and facts[-1].get("redelivered") is True:
        count = facts[-1].get("count")
        yield f"redelivered, delivery {count}" if isinstance(count, int) else "redelivered"
