"""What the steps of a program reach: queues and subscriptions that they touch, and messages that they give back.

Read from the steps and the outcomes of the reference provider. Endpoints are named as in `Expectation.ends`.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from tck.programs.comparing.outcomes import sends_by_step
from tck.programs.expectation import Expectation
from tck.programs.legality import Rules
from tck.programs.operations import OPERATIONS
from tck.programs.program import Step
from tck.programs.state.objects import Capabilities, Consumer, Session

FAILURES: Final = frozenset(name for name, each in OPERATIONS.items() if each.fails)
CONSUMING: Final = frozenset(name for name, each in OPERATIONS.items() if each.consumes)
SENDING: Final = frozenset({*(name for name, each in OPERATIONS.items() if each.sends), "fail_sends"})
"""Operations that send, those among them of whose messages some are not delivered."""


@dataclass(slots=True)
class GivenBack:
    """A step that gives back what consumers had.

    Attributes:
        step: Its number.
        do: What it does; ``close`` for every step that closes.
        ends: By endpoint, how many consumers had or could have had a message of it.
        closed: What it closes: ``consumer``, ``session``, ``connection``, or an empty text.
    """

    step: int
    do: str
    ends: dict[str, int] = field(default_factory=dict)
    closed: str = ""


class History:
    """What each step of a program reaches.

    Args:
        expectation: The program and the outcomes of the reference provider.

    Attributes:
        given_back: The steps that give back messages.
        touched: By step, the endpoints that it touches.
        gone: By step, the consumers that were closed or dead before it.
        sent_at: By send, the step that made it.
        blind: By step, the consumers that can find nothing there though something waits.
    """

    def __init__(self, expectation: Expectation) -> None:
        self.expectation = expectation
        self.given_back: list[GivenBack] = []
        self.touched: list[frozenset[str]] = []
        self.gone: list[frozenset[str]] = []
        self.blind: list[frozenset[str]] = []
        self._selecting: set[str] = set()
        self.rules = Rules(Capabilities((), (), (), virtual=True))
        self.sent_at: dict[int, int] = {}
        self._ends_of: dict[str, set[str]] = {}
        self._targets: dict[str, set[str]] = {}
        for each in expectation.ends.values():
            self._ends_of.setdefault(each["of"], {each["of"]}).add(each["end"])
        for number, sends in enumerate(sends_by_step(expectation.program.steps, expectation.seen)):
            self.sent_at |= dict.fromkeys(sends, number)
        for number, (step, seen) in enumerate(zip(expectation.program.steps, expectation.seen, strict=False)):
            # A program written by hand may leave out what a note needs.
            with contextlib.suppress(KeyError, AttributeError, TypeError):
                self._give_back(number, step)
            self.touched.append(frozenset(self._touched(step)))
            self.gone.append(frozenset(name for name, each in self.rules.consumers.items() if each.state != "open"))
            self.blind.append(frozenset(self._blind()))
            if step.do in CONSUMING and step.name and step.args.get("selector"):
                self._selecting.add(step.name)
            with contextlib.suppress(KeyError, AttributeError, TypeError):
                self.rules.note(step, seen)

    # -- questions -------------------------------------------------------------------------------------------------

    def ends_of(self, destination: str) -> set[str]:
        """Return the endpoints of a destination, the destination itself among them."""
        return self._ends_of.get(destination, {destination})

    def backs(self, end: str | None, since: int, until: int) -> Iterator[GivenBack]:
        """Yield the steps that gave back messages of an endpoint.

        Args:
            end: The endpoint.
            since: Number of the first step that counts.
            until: Number of the first step that counts no more.
        """
        return (each for each in self.given_back if since <= each.step < until and end in each.ends)

    def chances(self, end: str | None, send: int | None, until: int, shown: Sequence[int] | None = None) -> int:
        """Return how often a message can have been delivered, unseen by the program, before a step.

        Args:
            end: The endpoint from which it came.
            send: Number of its send; None where it is unknown.
            until: Number of the step.
            shown: The steps that may have shown the message; None where a provider may hand out messages unasked.
        """
        since = -1 if send is None else self.sent_at.get(send, -1)
        found = self.backs(end, since, until)
        if shown is None:
            return sum(each.ends[end] for each in found if end is not None)
        return sum(1 for each in found if any(step <= each.step for step in shown))

    def failed(self, send: int | None, until: int, kinds: frozenset[str] = FAILURES) -> bool:
        """Return whether provider or link failed between a send and a step."""
        since = -1 if send is None else self.sent_at.get(send, -1)
        steps = self.expectation.program.steps
        return any(steps[at].do in kinds for at in range(max(since, 0), min(until, len(steps))))

    def place(self, step: Step) -> str | None:
        """Return the endpoint at which a step receives or browses."""
        on = step.args.get("on", "")
        found = self.expectation.ends.get(on)
        if found is not None:
            return str(found["end"])
        browser = self.rules.browsers.get(on)
        if browser is not None:
            return browser.queue.name
        return str(step.args["of"]) if step.do == "select" else None

    def others(self, consumer: str) -> set[str]:
        """Return the endpoints that the listener of a consumer reaches by what it settles."""
        found = self.rules.consumers.get(consumer)
        return set() if found is None else {found.end.key, *self._of_session(found.session)}

    def _blind(self) -> Iterator[str]:
        """Yield the consumers that can find nothing though something waits: of a stopped connection, or with a selector on a queue."""
        for name, each in self.rules.consumers.items():
            if not each.session.connection.started or (each.end.kind == "queue" and name in self._selecting):
                yield name

    # -- replay ----------------------------------------------------------------------------------------------------

    def _give_back(self, number: int, step: Step) -> None:
        if step.do == "branch":
            self._branch_back(number, step)
            return
        operation = OPERATIONS[step.do]
        closes = operation.closes
        what = step.args.get(closes or "on")
        if not closes and not operation.gives_back:
            return
        users, closed = self._users(step, str(what))
        found = GivenBack(number, "close" if closes else step.do, {}, closed if closes else "")
        for end in self._unknown(number, step, str(what)):
            found.ends[end] = 1
        for each in users:
            # Even where the connection was never started: a client library may have fetched messages by then (3.4.7-3).
            if each.session.state == "open":
                found.ends[each.end.key] = found.ends.get(each.end.key, 0) + 1
        self.given_back.append(found)

    def _branch_back(self, number: int, step: Step) -> None:
        """Record what the rollback of a branch gives back."""
        if step.args["what"] in {"rollback", "undo"}:
            ends = dict.fromkeys(self.rules.branches[step.args["of"]].held, 1)
            self.given_back.append(GivenBack(number, "branch_rollback", ends))

    def _unknown(self, number: int, step: Step, what: str) -> set[str]:
        """Return the endpoints of consumers of which a program, written by hand or cut, does not tell whose they are."""
        steps = self.expectation.program.steps
        known = {what} & {*self.rules.consumers, *self.rules.sessions, *self.rules.connections}
        found: set[str] = set()
        for name, end in self.expectation.ends.items():
            made = next((at for at, each in enumerate(steps) if each.do in CONSUMING and each.name == name), None)
            if name in self.rules.consumers or (made is not None and made >= number):
                continue
            owner = None if made is None else steps[made].args.get("on")
            if step.do in FAILURES or what == name or (not known and owner in {None, what}):
                found.add(str(end["end"]))
        return found

    def _users(self, step: Step, what: str) -> tuple[list[Consumer], str]:
        """Return the consumers that a step takes messages from, and what kind of object it is on."""
        rules = self.rules
        everyone = list(rules.consumers.values())
        if OPERATIONS[step.do].restarts:
            return everyone, "provider"
        if what in rules.consumers:
            return [rules.consumers[what]], "pool" if rules.consumers[what].pooled else "consumer"
        if what in rules.connections and (step.do == "sever" or not rules.connections[what].simplified):
            return [each for each in everyone if each.session.connection.name == what], "connection"
        if what in rules.sessions:
            if step.do == "sever":
                connection = rules.sessions[what].connection
                return [each for each in everyone if each.session.connection is connection], "connection"
            return [each for each in everyone if each.session.name == what], "session"
        return [], ""

    def _touched(self, step: Step) -> set[str]:
        """Return the endpoints that hold something else afterwards if a step did nothing, or did it otherwise."""
        args, rules = step.args, self.rules
        on, operation = str(args.get("on", "")), OPERATIONS[step.do]
        if operation.restarts:
            return {end for ends in self._ends_of.values() for end in ends}
        if step.do in SENDING:
            return self._send(on, args)
        if operation.consumes:
            made = self.expectation.ends.get(step.name or "")
            return {made["end"]} if made is not None else set(self.ends_of(str(args.get("of"))))
        if step.do == "unsubscribe":
            ends = {str(each["end"]) for each in self.expectation.ends.values()}
            return {end for end in ends if end.startswith("durable ") and end.endswith(f"/{args.get('name')}")}
        if step.do in {"delete", "override"}:
            return set(self.ends_of(on or str(args.get("of"))))
        if step.do == "close_waiting":
            return self._touched(Step("close", {"on": args["of"]})) | self._of_consumer(on)
        if step.do == "listen" and args.get("does", "take") in {"acknowledge", "commit"}:
            found = rules.consumers.get(on)
            return self._of_consumer(on) | (set() if found is None else self._of_session(found.session))
        if on in rules.consumers:
            return self._of_consumer(on)
        if operation.settles and on in rules.messages:
            receiver = rules.messages[on].receiver
            return set() if receiver is None else self._of_session(receiver)
        return self._client(step, on)

    def _branch(self, args: Mapping[str, Any]) -> set[str]:
        """Return what a call on a branch decides; where its work begins or ends, that is not known by now."""
        found = self.rules.branches.get(str(args.get("of")))
        if args["what"] == "recover":
            return set()
        if found is None or args["what"] in {"resume", "join", "end", "suspend", "fail"}:
            return {end for ends in self._ends_of.values() for end in ends}
        return {*found.held, *(end for each in found.unsent for end in self.ends_of(each))}

    def _client(self, step: Step, on: str) -> set[str]:
        if step.do == "branch":
            return self._branch(step.args)
        operation = OPERATIONS[step.do]
        if operation.settles and on in self.rules.sessions:
            return self._of_session(self.rules.sessions[on])
        ends = operation.settles or operation.closes or operation.fails
        if not ends and step.do not in {"start", "stop", "auto_start"}:
            return set()
        if on in {*self.rules.producers, *self.rules.browsers}:
            return set()
        if (
            on not in self.rules.connections and on not in self.rules.sessions
        ):  # a program that does not tell whose it is
            return {end for ends in self._ends_of.values() for end in ends}
        connection = self.rules.connection_of(on)
        found = [each for each in self.rules.sessions.values() if each.connection is connection]
        return {end for each in found for end in self._of_session(each)}

    def _send(self, producer: str, args: Mapping[str, object]) -> set[str]:
        found = self.rules.producers.get(producer)
        target = args.get("to") or (found.destination.name if found is not None and found.destination else None)
        if target is None:
            return set()
        ends = self.ends_of(str(target))
        if found is not None:
            self._targets.setdefault(found.session.name, set()).update(ends)
        return set(ends)

    def _of_consumer(self, name: str) -> set[str]:
        found = self.expectation.ends.get(name)
        return set() if found is None else {str(found["end"])}

    def _of_session(self, session: Session) -> set[str]:
        mine = {each.end.key for each in self.rules.consumers.values() if each.session is session}
        return mine | self._targets.get(session.name, set())
