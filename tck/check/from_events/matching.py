"""Matches deliveries with sends, when messages carry no number of ours.

By JMSMessageID; where that is absent, unknown or not unique, by body, destination and order. A guess always avoids a
finding: the first send not delivered there yet, or for a flagged delivery one that was. May import `calls` and `senders`;
must not judge.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from tck.check.from_events.calls import OK, Facts
from tck.check.from_events.senders import Sent


class Matcher:
    """The sends of a trace, indexed."""

    def __init__(self, sends: Iterable[Sent]) -> None:
        self._by_id: defaultdict[str, list[Sent]] = defaultdict(list)
        self._by_destination: defaultdict[str, list[Sent]] = defaultdict(list)
        for sent in sends:
            if sent.id is not None:
                self._by_id[sent.id].append(sent)
            self._by_destination[sent.destination].append(sent)

    def send_of(self, facts: Facts, destination: str, end: int, time: int) -> Sent | None:
        """Find the send of a delivered message.

        Args:
            facts: The message as delivered.
            destination: The destination of the consumer.
            end: The endpoint.
            time: The time of the delivery.
        """
        id_ = facts.get("id")
        named = self._by_id.get(id_, []) if isinstance(id_, str) else []
        if len(named) == 1:
            sent = named[0]
        else:
            here = self._by_destination.get(destination, ())
            candidates = named or [each for each in here if _possible(each, facts, id_)]
            # An unknown id: the same message under another id, unless it was delivered already.
            candidates = candidates or [
                each for each in here if _same_body(each.facts, facts) and end not in each.claimed
            ]
            chosen = self._choose(candidates, facts, destination, end, time)
            if chosen is None:
                return None
            sent = chosen
        sent.claimed[end] = sent.claimed.get(end, 0) + 1
        return sent

    @staticmethod
    def _choose(candidates: list[Sent], facts: Facts, destination: str, end: int, time: int) -> Sent | None:
        flagged = facts.get("redelivered") is True

        def rank(sent: Sent) -> tuple[bool, bool, bool, bool, bool]:
            return (
                sent.call.t0 > time,
                sent.destination != destination,
                not _same_body(sent.facts, facts),
                bool(sent.claimed.get(end)) != flagged,
                sent.call.out != OK,
            )

        return min(candidates, key=rank, default=None)


def _possible(sent: Sent, facts: Facts, id_: object) -> bool:
    """Whether a send without a usable id may be that of a delivery."""
    if sent.id is not None and isinstance(id_, str) and sent.id != id_:
        return False
    return _same_body(sent.facts, facts) or not (sent.facts.get("digest") and facts.get("digest"))


def _same_body(sent: Facts, seen: Facts) -> bool:
    return sent.get("digest") is not None and sent.get("digest") == seen.get("digest")


def differences(sent: Sent, seen: Facts) -> tuple[list[str], list[str]]:
    """List the differences of a delivery from its send: in body and client fields, and in the header fields set by a send."""
    return [*_content(sent, seen)], [*_header(sent, seen)]


def _content(sent: Sent, seen: Facts) -> Iterable[str]:
    was, set_by_producer = sent.facts, sent.set_by_producer
    if "label" in was and "label" in seen and was.get("kind") != seen.get("kind"):
        yield f"a {was.get('kind')} message became a {seen.get('kind')} message"
    elif was.get("digest") and seen.get("digest") and was["digest"] != seen["digest"]:
        yield f"the body was {was.get('body')!r} and became {seen.get('body')!r}"
    for name in ("correlation", "type", "reply_to"):
        if name in set_by_producer or not _readable(was, name) or not _readable(seen, name):
            continue
        if _comparable(was[name]) != _comparable(seen[name]):
            yield f"{name} was {was[name]!r} and became {seen[name]!r}"
    before, after = was.get("properties"), seen.get("properties")
    if isinstance(before, dict) and isinstance(after, dict) and "error" not in before and "error" not in after:
        yield from _properties(before, after, set_by_producer)


def _properties(before: Facts, after: Facts, set_by_producer: frozenset[str]) -> Iterable[str]:
    for name, value in before.items():
        if name.startswith("JMS") or f"property {name}" in set_by_producer:
            continue
        if name not in after:
            yield f"property {name} was {value!r} and is gone"
        elif after[name] != value:
            yield f"property {name} was {value!r} and became {after[name]!r}"


def _header(sent: Sent, seen: Facts) -> Iterable[str]:
    head = sent.head or {}
    for name in ("id", "timestamp", "mode", "expiration", "delivery_time"):
        if head.get(name) is not None and _readable(head, name) and _readable(seen, name) and head[name] != seen[name]:
            yield f"{name} was {head[name]!r} and became {seen[name]!r}"


def _readable(facts: Facts, name: str) -> bool:
    return name in facts and not (isinstance(facts[name], dict) and "error" in facts[name])


def _comparable(value: object) -> object:
    """Return a value for comparison; a temporary destination may be shown as an ordinary one."""
    return value.removeprefix("temporary-") if isinstance(value, str) else value
