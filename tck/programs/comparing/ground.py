"""What a comparison stands on: both runs, the differences so far, and what of the program has become open by them.

A difference in which messages come opens its endpoint: from there on, what comes there may follow from it. What was made of
those messages is changed, and not compared; the endpoints that it is sent to are open as well. The rest stays strict.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from tck.catalogue.versions import DELIVERY_DELAYS, offers
from tck.programs.comparing.content import Known
from tck.programs.comparing.differences import Allowed, Difference
from tck.programs.comparing.history import CONSUMING, FAILURES, SENDING, History
from tck.programs.comparing.outcomes import (
    again,
    delivered,
    disabled_by_send,
    identity,
    renumbered,
    sends_by_step,
    unnumbered,
    views,
)
from tck.programs.comparing.receipts import settled
from tck.programs.expectation import Execution, Expectation
from tck.programs.operations import OPERATIONS, Compared
from tck.programs.program import Json, Observation

FLOW = frozenset(name for name, each in OPERATIONS.items() if each.compared is Compared.MESSAGES)
TIMES = frozenset({"header JMSDeliveryTime", "header JMSExpiration"})
"""Headers that are shown by how they relate to the sender's."""
_ORDERING = ("header JMSPriority", "header JMSDeliveryMode", "header JMSDeliveryTime")
"""Headers that decide which message comes first."""


@dataclass(slots=True)
class Comparison:
    """What a comparison came to."""

    differences: list[Difference] = field(default_factory=list)
    allowed: list[Allowed] = field(default_factory=list)
    seen: Sequence[Observation] = ()
    """What the provider showed, with the sends numbered as on the reference provider."""


class Ground:
    """Both runs, what differed so far, and what is open by that.

    Attributes:
        opened: Endpoints at which what comes may follow from an earlier difference.
        doubtful: Endpoints at which it may follow from what a listener was given.
        changed: Names of objects that may be others, or hold something else, than on the reference provider.
        changed_sends: Numbers of the sends that were made with them.
        sent_otherwise: By send and header, the wrong value that the sender's message had after the send.
        shown_otherwise: By name of a received message and header, the wrong value that it had.
        uncertain: Subscriptions that a consumer was refused, or wrongly given, or that a failed close may have left in use, and the
            client identifiers that it may have left so: what they are is not known from then on.
        contended: Endpoints at which consumers compete.
        failed: Whether provider or link has failed so far.
        listener: The consumer whose listener is looked at; None in a step.
    """

    def __init__(
        self,
        expectation: Expectation,
        ran: Execution,
        claimed: tuple[str, ...],
        *,
        prefetches: bool,
        history: History | None,
    ) -> None:
        self.expected = expectation
        self.steps = expectation.program.steps
        self.hung = ran.hung
        self.virtual = ran.virtual
        self.known = Known(disabled_by_send(expectation), claimed, not offers(expectation.version, DELIVERY_DELAYS))
        self.seen = unnumbered(expectation, renumbered(expectation, ran), self.known.disabled)
        self.sends = {each["number"]: each for each in expectation.sends}
        self.verdict = Comparison(seen=self.seen)
        self.prefetches = prefetches
        self.opened: set[str] = set()
        self.doubtful: set[str] = set()
        self.changed: set[str] = set()
        self.changed_sends: set[int] = set()
        self.sent_otherwise: dict[tuple[int, str], str] = {}
        self.shown_otherwise: dict[tuple[str, str], str] = {}
        self.uncertain: set[str] = set()
        self.contended: set[str] = {each["end"] for each in expectation.ends.values() if each["contended"]}
        self.failed = False
        self.listener: str | None = None
        self._history = history

    @property
    def history(self) -> History:
        """What the steps reach; found out at the first difference."""
        if self._history is None:
            self._history = History(self.expected)
        return self._history

    # -- endpoints -------------------------------------------------------------------------------------------------

    def end(self, number: int) -> str | None:
        """Return the endpoint of a step on a consumer."""
        found = self.expected.ends.get(self.steps[number].args.get("on", ""))
        return None if found is None else found["end"]

    def subject(self, number: int) -> dict[str, Json] | None:
        """Return the endpoint of the listener that is looked at, or else of a step on a consumer."""
        name = self.listener
        if name is None:
            name = self.steps[number].args.get("on", "") if number < len(self.steps) else ""
        return self.expected.ends.get(name)

    def origin(self, number: int, message: Json) -> tuple[int, str | None, Json]:
        """Return where a message that a step shows came from: step, endpoint, and what came; None where the sender made it."""
        found = self.subject(number)
        if found is None and "send" not in message:
            name = self.steps[number].args.get("on")
            for at in range(number - 1, -1, -1):
                if self.steps[at].name == name and self.steps[at].do in FLOW:
                    came = views(self.expected.seen[at].get("ok") or {})
                    return at, self.end(at), came[0] if came else None
        return number, None if found is None else found["end"], message if "send" in message else None

    def place(self, number: int) -> str | None:
        """Return the endpoint at which a step receives or browses."""
        return self.history.place(self.steps[number])

    def is_open(self, number: int) -> bool:
        """Return whether what a step receives or browses may follow from an earlier difference."""
        if not self.opened and not self.doubtful:
            return False
        place = self.place(number)
        if place is None:  # a browser that no step makes
            return self.steps[number].do in FLOW
        return place in self.opened | self.doubtful

    def is_uncertain(self, number: int) -> bool:
        """Return whether a connection, a consumer or the end of a subscription may be refused for what failed before."""
        step = self.steps[number]
        if step.do == "connect":
            return f"client {step.args.get('client_id')}" in self.uncertain
        return step.do in {"consumer", "unsubscribe"} and bool(self.history.touched[number] & self.uncertain)

    def is_undecided(self, number: int) -> bool:
        """Return whether which messages a step receives or browses is left open."""
        return self.end(number) in self.contended or self.is_open(number)

    def follow(self, number: int) -> None:
        """Open what a step reaches that did not happen, or happened otherwise."""
        if self.listener is not None:
            self.opened |= self.history.others(self.listener)
            return
        step, reached = self.steps[number], self.history.touched[number]
        self.opened |= reached
        place = self.place(number)
        if place is not None and step.do in FLOW:
            self.opened.add(place)
        if step.do == "branch":
            self.changed.add(step.name or str(step.args.get("of")))
        if OPERATIONS[step.do].changes:
            self.changed.add(str(step.args.get("on")))
        if step.do in {"consumer", "close"}:
            self.uncertain |= {each for each in reached if each.startswith("durable ")}
        if step.do == "close":
            self.uncertain |= {
                f"client {each.args.get('client_id')}"
                for each in self.steps[:number]
                if each.do == "connect" and each.name == step.args["on"]
            } - {"client None"}
        if step.do in SENDING:
            self.changed.add(str(step.args.get("message")))
            self.changed_sends.update(sends_by_step(self.steps, self.expected.seen)[number])

    def comes_otherwise(self, number: int, end: str | None) -> bool:
        """Return whether messages of an endpoint come to a listener, or as bodies alone, from a step on: which they are is not known then."""
        bodies = any(
            self.steps[at].do == "receive_body" and self.end(at) == end for at in range(number, len(self.steps))
        )
        listening = {str(step.args.get("on")) for step in self.steps if step.do == "listen"}
        listening |= {str(step.name) for step in self.steps if step.do == "pool"}
        return bodies or any(self.expected.ends.get(name, {}).get("end") == end for name in listening)

    # -- which messages come ---------------------------------------------------------------------------------------

    def later(self, seen: Sequence[Observation], number: int, end: str | None) -> Iterator[object]:
        """Yield which messages come at an endpoint from a step on."""
        for at in range(number, min(len(seen), len(self.steps))):
            if self.end(at) == end and self.steps[at].do in FLOW and isinstance(seen[at].get("ok"), dict):
                yield from (identity(each) for each in views(seen[at]["ok"]))

    def all_shown(self, seen: Sequence[Observation], end: str) -> dict[object, Json]:
        """Return the messages that came at an endpoint, in any step or to a listener, by which each is."""
        found: dict[object, Json] = {}
        for number, each in enumerate(seen):
            if self.end(number) == end and self.steps[number].do in FLOW and isinstance(each.get("ok"), dict):
                found |= {identity(view): view for view in views(each["ok"])}
        for name, given in delivered(seen).items():
            if self.expected.ends.get(name, {}).get("end") == end:
                found |= {identity(view): view for view in given}
        return found

    def may_be_left(self, seen: Sequence[Observation], number: int, message: Json) -> bool:
        """Return whether a provider may still hold a message that it did not give.

        Args:
            seen: What the provider showed.
            number: Number of the step in which the message could have come.
            message: The message.
        """
        send, end = self.sends.get(message["send"]), self.expected.ends.get(self.steps[number].args.get("on", ""))
        if send is None or end is None or send["destination"] != end["of"]:
            return False
        return not self._emptied(seen, number, end, send) and not self._taken(seen, number, end["end"], message)

    def _emptied(self, seen: Sequence[Observation], number: int, end: Json, send: Json) -> bool:
        """Return whether a step has shown that a message is not left at an endpoint, before it may have gone otherwise."""
        for at in range(number, min(len(seen), len(self.steps))):
            if self._removes(at, end, send):
                return False
            drained = self.steps[at].do == "drain" or (
                self.steps[at].do in FLOW and not views(seen[at].get("ok") or {})
            )
            blind = self.steps[at].args.get("on") in self.history.blind[at]
            if self.end(at) == end["end"] and isinstance(seen[at].get("ok"), dict) and drained and not blind:
                return True
        return False

    def _removes(self, number: int, end: Json, send: Json) -> bool:
        """Return whether a step may lawfully remove a message that waits at an endpoint."""
        step = self.steps[number]
        if step.do in CONSUMING:  # with another selector it begins a subscription anew
            return bool(end["kind"] != "queue" and self.expected.ends.get(step.name or "", {}).get("end") == end["end"])
        lost = OPERATIONS[step.do].restarts and send["mode"] == 1
        return bool(lost or step.do == "unsubscribe" or (step.do == "advance" and send["ttl"] > 0))

    def _taken(self, seen: Sequence[Observation], number: int, end: str, message: Json) -> bool:
        """Return whether a message was given before, and nothing has given it back."""
        key = identity(message)
        given = [at for at in range(number) if key in [identity(each) for each in self._given(seen, at, end)]]
        if not given:
            return False
        back = any(self.history.backs(end, given[-1], number))
        return not back or settled(self.history, seen, end, message, number)

    def _given(self, seen: Sequence[Observation], number: int, end: str) -> Sequence[Json]:
        if self.end(number) != end or self.steps[number].do not in FLOW or not isinstance(seen[number].get("ok"), dict):
            return ()
        return views(seen[number]["ok"])

    def must_precede(self, first: Json, second: Json) -> bool:
        """Return whether one message must come before another (6.2.9)."""
        if again(first) or again(second):
            return False
        one, two = self.sends.get(first["send"]), self.sends.get(second["send"])
        if one is None or two is None or one["number"] >= two["number"]:
            return False
        if any((each["number"], header) in self.sent_otherwise for each in (one, two) for header in _ORDERING):
            return False
        same = all(one.get(name) == two.get(name) for name in ("producer", "destination", "mode", "delay", "asked"))
        return same and bool(one["priority"] >= two["priority"])

    def overtaken(self, first: Json, second: Json, given: Sequence[Json]) -> bool:
        """Return whether one message must come before another, and what came later of it is not given once more (6.2.9).

        Args:
            first: The message that comes later.
            second: The message that comes before it.
            given: All that were given, in their order.
        """
        once = next((each for each in given if identity(each) == identity(first)), first)
        return once is first and self.must_precede(first, second)

    def single(self, number: int) -> bool:
        """Return whether all that a consumer can get must come in one order."""
        of = self.expected.ends.get(self.steps[number].args.get("on", ""), {}).get("of")
        sends = [each for each in self.expected.sends if each["destination"] == of]
        streams = {
            (each["producer"], each["mode"], each["delay"], each["priority"], *each.get("asked", ())) for each in sends
        }
        return len(streams) <= 1 and not self.failed and not any(self.history.backs(self.end(number), 0, number))

    def may_be_another(self, number: int, raised: str) -> bool:
        """Return whether `receiveBody` may have met another message than on the reference provider, and refuse its body.

        Args:
            number: Number of the step.
            raised: The exception; any will do after an earlier difference, else that of a body of another type.
        """
        other = self.end(number) in self.contended or not self.single(number)
        return self.is_open(number) or (other and raised.startswith("MessageFormat"))

    def timely(self, number: int, got: Json) -> set[str]:
        """Return ``early`` for a message before its delivery time, ``expired`` for one whose time to live is over."""
        send = self.sends.get(got["send"])
        if send is None:  # which one it is, is unknown: any of its destination that has expired will do
            of = (self.subject(number) or {}).get("of")
            waited = sum(each.args["units"] for each in self.steps[:number] if each.do == "advance")
            lives = [each["ttl"] for each in self.sends.values() if each["destination"] == of]
            return {"expired"} if any(0 < ttl <= waited + 1 for ttl in lives) else set()
        until = number if self.listener is None else number + 1
        since = self.history.sent_at.get(got["send"], 0)
        passed = sum(each.args["units"] for each in self.steps[since:until] if each.do == "advance")
        # The clocks may be off by less than a unit.
        flags = {"expired"} if 0 < send["ttl"] <= passed + 1 else set()
        return flags | ({"early"} if send["delay"] > passed else set())

    def given_at(self, seen: Sequence[Observation], number: int, message: Json) -> int:
        """Return the step that gave a message: this one, or the last in which the listener that is looked at received it."""
        if self.listener is None:
            return number
        key = identity(message)
        given = [at for at, each in enumerate(seen) if key in map(identity, delivered([each]).get(self.listener, ()))]
        return given[-1] if given else number

    def chances(self, number: int, end: str | None, message: Json) -> int:
        """Return how often a message can have been delivered before a step, unseen by the program.

        Args:
            number: Number of the step.
            end: The endpoint from which it came.
            message: The message; None where nobody received it.
        """
        if message is None:
            return 0
        shown = None if self.prefetches else self._shown(end, identity(message))
        found = self.history.chances(end, message["send"], number, shown)
        throwing = any(
            self.end(at) == end and self.steps[at].do == "listen" and self.steps[at].args.get("does") == "throw"
            for at in range(min(number, len(self.steps)))
        )
        return found + (1 if found and throwing else 0)

    def unseen(self, number: int, end: str | None, message: Json) -> bool:
        """Return whether a message has JMSRedelivered that nobody was shown before: after a failure a provider may know no better."""
        flagged = message is not None and message["headers"].get("JMSRedelivered") is True
        return flagged and not any(at < number for at in self._shown(end, identity(message)))

    def _shown(self, end: str | None, key: object) -> list[int]:
        """Return the steps that showed a message at an endpoint, or may have shown it."""
        found: list[int] = []
        for seen in (self.expected.seen, self.seen):
            for at, each in enumerate(seen[: len(self.steps)]):
                ok = each.get("ok")
                given = views(ok) if isinstance(ok, dict) and self.end(at) == end and self.steps[at].do in FLOW else []
                for name, more in delivered([each]).items():
                    given = [*given, *(more if self.expected.ends.get(name, {}).get("end") == end else ())]
                bodies = (
                    self.steps[at].do == "receive_body" and self.end(at) == end and (ok or {}).get("got") is not None
                )
                if bodies or key in [identity(view) for view in given]:
                    found.append(at)
        return found

    # -- what the sender saw ---------------------------------------------------------------------------------------

    def note_sent(self, number: int, what: str, seen: str) -> None:
        """Note a header that differs on the sender's message, or on a received one: who gets it from there sees no other defect."""
        name = self.steps[number].name
        if name is not None and self.steps[number].do in FLOW:
            self.shown_otherwise[(name, what)] = seen
        if what.startswith("header ") and self.steps[number].do in SENDING:
            for send in sends_by_step(self.steps, self.expected.seen)[number]:
                self.sent_otherwise.setdefault((send, what), seen)

    def as_sent(self, number: int, send: Json, what: str, seen: str) -> bool:
        """Return whether a header is the wrong one that the sender's message had already, or relates to it.

        The sender's message had it before the send where it was received so.
        """
        wrong = self.sent_otherwise.get((send, what))
        if wrong is not None and (wrong == seen or what in TIMES):
            return True
        step = self.steps[number]
        if step.do not in SENDING or self.shown_otherwise.get((str(step.args.get("message")), what)) != seen:
            return False
        self.note_sent(number, what, seen)
        return True

    def is_timed_otherwise(self, message: Json) -> bool:
        """Return whether a message had a wrong delivery time or expiration when it was sent: when it comes follows from that."""
        return any((message["send"], header) in self.sent_otherwise for header in TIMES)

    # -- verdicts --------------------------------------------------------------------------------------------------

    def differ(
        self, number: int, what: str, expected: str, seen: str, flags: Iterable[str] = (), message: Json = None
    ) -> None:
        """Record a difference; of a message, with what happened to it before."""
        found = set(flags)
        end = self.subject(number)
        if end is not None:
            found.add(end["kind"])
        found |= {f"after {each}" for each in self._before(number, None if end is None else end["end"])}
        do = self.steps[number].do
        if message is None or message.get("send") is None:
            message = None
        consumer = None if message is None or end is None else self.listener or str(self.steps[number].args.get("on"))
        self.verdict.differences.append(
            Difference(number, do, what, expected, seen, frozenset(found), consumer, message)
        )

    def _before(self, number: int, end: str | None) -> set[str]:
        """Return the calls before a step that give back messages of its queue or subscription."""
        failures = {step.do for step in self.steps[:number] if step.do in FAILURES}
        return failures | {each.do for each in self.history.backs(end, 0, number)}

    def allow(self, number: int, what: str, rule: str) -> None:
        """Record a difference that the specification leaves open."""
        self.verdict.allowed.append(Allowed(number, what, rule))

    def leave_open(self, number: int, what: str, rule: str) -> None:
        """Allow a difference, and compare no more step by step what comes at its endpoint: all of that may follow from it."""
        self.allow(number, what, rule)
        self.follow(number)
