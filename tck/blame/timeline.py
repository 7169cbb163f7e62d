"""The events of one message before it came, or failed to come, and the state of its consumer.

The events are values of the field `had` in `owners.toml`: what gave the message the duty to arrive, or took the right from it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from operator import itemgetter
from typing import Final

from tck.blame.values import Facts
from tck.programs.comparing.history import CONSUMING, FAILURES, History
from tck.programs.comparing.receipts import receipts, settling
from tck.programs.operations import OPERATIONS
from tck.programs.program import Json, Observation
from tck.programs.state.objects import Session

Event = tuple[int, str]
"""The number of a step, and what it did to the message."""

_ENDINGS: Final = {
    "commit": "sender committed", "rollback": "sender rolled back", "close": "sender's session closed", "fail_commit": "sender's commit failed",
}  # fmt: skip
"""What the end of a transaction does to what was sent in it."""
_LAST: Final = {
    "in_hand": {f"in hand {mode}": mode for mode in ("client", "transacted", "branch")},
    "settled": {
        "received": "received", "taken by a listener": "by a listener", "committed": "committed", "acknowledged": "acknowledged",
    },
    "asked": {
        each: each for each in ("body received", *(f"body refused {mode}" for mode in ("auto", "dups_ok", "client", "transacted")))
    },
}  # fmt: skip
"""Of which events the last one is a field of its own."""
_SELECTED: Final = ("JMSDeliveryMode", "JMSPriority", "JMSMessageID", "JMSTimestamp")
"""Headers with which a selector may let a first delivery fail."""


class Timeline:
    """What happened to one message at one endpoint before a step.

    Args:
        history: What the steps of the program reach.
        consumer: The consumer that received it, or should have.
        message: The message, as it was shown.
        until: Number of the step.
        seen: What the provider showed: a message that it has never given cannot have been given back.
    """

    def __init__(self, history: History, consumer: str, message: Json, until: int, seen: Sequence[Observation]) -> None:
        self.history, self.expectation, self.rules = history, history.expectation, history.rules
        self.steps, self.message, self.until = history.expectation.program.steps, message, until
        self.consumer = consumer
        self.seen = seen
        self.end = self.expectation.ends[consumer]["end"]
        self.send = message.get("send")
        self.record = next((each for each in self.expectation.sends if each["number"] == self.send), None)
        self.shown = list(receipts(history, seen, self.end, message, until))
        self.start = history.sent_at.get(self.send, 0) if self.send is not None else 0

    def facts(self) -> Facts:
        """Return the events, and the facts of the message and of its consumer."""
        found = Facts()
        self._of_consumer(found)
        if self.record is None:
            return found
        sender = self.rules.producers.get(self.record["producer"])
        if sender is not None and sender.session.xa and sender.session.connection.simplified:
            found.add("xa", "context")
        destination = self.record["destination"]
        if destination != self.expectation.ends[self.consumer]["of"]:
            found.add("sent_to", "another destination")
        elif not any(each.do in CONSUMING and each.args.get("of") == destination for each in self.steps[: self.start]):
            found.add("sent_to", "an unattended queue")
        found.add("mode", "persistent" if self.record["mode"] == 2 else "non-persistent")
        had = [event for at, event in sorted(self._events(self.record), key=itemgetter(0)) if at < self.until]
        if "consumer" in found:  # the server has it then, and settles it
            had = [each for each in had if each in {"started", "stopped"}]
        elif "in a pool" in had:
            had = ["in a pool"]
        if not self.shown:
            found.add("is", "never given")
        found.add("had", *had)
        for field, words in _LAST.items():
            found.add(field, *[words[each] for each in had if each in words][-1:])
        return found

    def _events(self, record: Json) -> Iterator[Event]:
        yield from self._sent(record)
        yield from self._time(record)
        yield from self._others()
        yield from self._received()

    def _sent(self, record: Json) -> Iterator[Event]:
        step = self.steps[self.start]
        yield (
            self.start,
            "sent asynchronously" if step.args.get("async") else "body sent" if step.do == "send_body" else "sent",
        )
        if self._collected():
            yield self.start, "collected"
        producer = self.rules.producers.get(record["producer"])
        if producer is None or producer.session.mode != "transacted":
            return
        if producer.session.xa:
            end = self._decided(self.start, producer.session.name)
            words = {"rollback": "rolled back", "undo": "rolled back", "commit": "committed", "one_phase": "committed"}
            done = "open" if end is None else words[self.steps[end].args["what"]]
            yield self.start if end is None else end, f"sender's branch {done}"
            return
        session = producer.session
        for at in range(self.start + 1, self.until):
            each = self.steps[at]
            if each.do in _ENDINGS and each.args["on"] == session.name:
                yield at, _ENDINGS[each.do]
                return
            if each.do in FAILURES or (each.do == "close" and each.args["on"] == session.connection.name):
                yield at, "sender's link failed" if each.do in FAILURES else "sender's connection closed"
                return
        yield self.start, "not committed"

    def _collected(self) -> bool:
        """Return whether no consumer of a durable subscription was open when it was sent."""
        ends = {name for name, each in self.expectation.ends.items() if each["end"] == self.end}
        made = {str(each.name) for each in self.steps[: self.start] if each.do in CONSUMING and each.name in ends}
        return "durable" in self.expectation.ends[self.consumer]["kind"] and not made - self.history.gone[self.start]

    def _decided(self, at: int, session: str) -> int | None:
        """Return the step that decides on the branch in which an XA session works at a step; None where none has."""
        begun = [each for each in self.steps[:at] if each.do == "branch" and each.args["on"] == session]
        name = next(
            (
                each.name or each.args["of"]
                for each in reversed(begun)
                if each.args["what"] in {"start", "resume", "join"}
            ),
            None,
        )
        for number in range(at + 1, self.until):
            step = self.steps[number]
            decides = step.do == "branch" and step.args["what"] in {"commit", "one_phase", "rollback", "undo"}
            # A failed branch refuses its commit.
            if decides and "ok" in self.expectation.seen[number] and step.args.get("of") == name:
                return number
        return None

    def _time(self, record: Json) -> Iterator[Event]:
        """Yield when it became due and when it expired."""
        passed = 0
        marks = {"due": record["delay"], "expired": record["ttl"]}
        for at in range(self.start + 1, self.until):
            step = self.steps[at]
            if step.do == "advance":
                before, passed = passed, passed + step.args["units"]
                yield from ((at, name) for name, mark in marks.items() if mark and before < mark <= passed)

    def _received(self) -> Iterator[Event]:
        """Yield receipts, what settled them, and what gave it back."""
        shown = self.shown
        settled: list[int] = []
        for at, name in shown:
            consumer = self.rules.consumers.get(name)
            if consumer is None:
                continue
            mode = consumer.session.mode
            if consumer.pooled:
                yield at, "in a pool"
            if self.steps[at].do == "receive_body":
                yield at, "body received"
            if mode in {"auto", "dups_ok"}:
                received = "taken by a listener" if self.steps[at].args.get("on") != name else "received"
                yield at, received if mode == "auto" else "in hand dups_ok"  # which is acknowledged at some time
                settled.append(at)
                continue
            yield at, f"in hand {'branch' if consumer.session.xa else mode}"
            end, word = (self._in_branch if consumer.session.xa else self._settled)(at, consumer.session)
            if end is not None:
                yield end, word
                settled.append(end)
        returned = -1
        for back in self.history.backs(self.end, self.start, self.until):
            held = [at for at, _ in shown if returned < at < back.step]
            kept = bool(held) and not any(held[-1] <= at < back.step for at in settled)
            what = f"{back.closed or 'provider'} closed" if back.do == "close" else back.do
            yield back.step, f"{what} {'held' if kept else 'unseen'}"
            returned = back.step if kept else returned

    def _in_branch(self, at: int, session: Session) -> tuple[int | None, str]:
        """Return the step that commits the branch in which a message was received; None where none does."""
        end = self._decided(at, session.name)
        committed = end is not None and self.steps[end].args["what"] not in {"rollback", "undo"}
        return end if committed else None, "branch committed"

    def _settled(self, at: int, session: Session) -> tuple[int | None, str]:
        """Return the step that settles what was received at a step, and how; None where none does."""
        end = settling(self.history, session, at, self.until)
        word = "committed" if session.mode == "transacted" else "acknowledged"
        return end, "acknowledged once more" if end is not None and self._again(end) else word

    def _again(self, number: int) -> bool:
        """Return whether a step acknowledges by a message that was acknowledged by itself before."""
        return self.steps[number].do == "acknowledge" and self.steps[number] in self.steps[:number]

    def _others(self) -> Iterator[Event]:
        """Yield what happened to the subscription, to the connection and to the queue meanwhile."""
        consumer = self.rules.consumers.get(self.consumer)
        mine = {self.consumer} if consumer is None else {consumer.session.name, consumer.session.connection.name}
        kind = self.expectation.ends[self.consumer]["kind"]
        for at in range(self.until):
            step = self.steps[at]
            if step.do == "stop" and step.args["on"] in mine:
                yield at, "stopped"
            elif at <= self.start:
                continue
            elif (
                step.do in CONSUMING
                and kind != "queue"
                and self.expectation.ends.get(step.name or "", {}).get("end") == self.end
            ):
                yield at, "subscribed"
            elif step.do == "unsubscribe" and str(self.end).endswith(f"/{step.args.get('name')}"):
                yield at, "unsubscribed"
            elif step.do == "start" and step.args["on"] in mine:
                yield self.start, "started"  # whatever gave it back since then has the later word
            elif OPERATIONS[step.do].restarts:
                yield at, step.do
            elif step.do == "browse" and self.history.place(step) == self.end:
                yield at, "browsed"
            elif step.do == "receive_body" and self._refused(at):
                yield at, f"body refused {self.rules.consumers[str(step.args['on'])].session.mode}"

    def _refused(self, at: int) -> bool:
        """Return whether a message of the endpoint was not received, since its body is not of the type that was asked for."""
        wrong = str(self.expectation.seen[at].get("raises")).startswith("MessageFormat")
        return wrong and self.expectation.ends.get(str(self.steps[at].args["on"]), {}).get("end") == self.end

    def _of_consumer(self, found: Facts) -> None:
        """Add the state of the consumer."""
        made = next((each for each in self.steps if each.do in CONSUMING and each.name == self.consumer), None)
        consumer = self.rules.consumers.get(self.consumer)
        if made is not None and made.do == "pool":
            closed = any(each.do == "close" and each.args["on"] == self.consumer for each in self.steps[: self.until])
            special = consumer is not None and consumer.session.connection.api != "classic"
            found.add("consumer", "closed pool" if closed else "pool of a domain" if special else "pool")
        if made is not None and made.args.get("selector"):
            found.add("chooses", *(self._selecting(str(made.args["selector"])) or ["by a selector"]))
        elif made is not None and made.args.get("no_local"):
            found.add("chooses", "no_local")
        listening = [
            each for each in self.steps[: self.until + 1] if each.do == "listen" and each.args["on"] == self.consumer
        ]
        if any(str(each.args.get("does")).endswith("throw") for each in listening):
            found.add("listener", "throws")
        if consumer is not None and (state := self._stopped(consumer.session)):
            found.add("state", state)

    def _selecting(self, text: str) -> list[str]:
        """Return the headers that the selector of a subscription names, with which its first delivery stands or falls."""
        words = re.findall(r"\w+", re.sub(r"'[^']*'", "''", text))
        queue = self.expectation.ends[self.consumer]["kind"] == "queue"
        return [] if queue else [f"by {name}" for name in _SELECTED if name in words]

    def _stopped(self, session: Session) -> str | None:
        """Return ``not started`` or ``stopped`` where a consumer's connection is so; None where it runs."""
        for step in reversed(self.steps[: self.until]):
            if step.args.get("on") in {session.name, session.connection.name} and step.do in {"start", "stop"}:
                return None if step.do == "start" else "stopped"
        return None if session.connection.simplified else "not started"
