"""Steps that two threads make at the same time: each has sessions of its own, and destinations of its own but for sends.

So the outcome of each step is laid down, whichever thread is first (6.1-11, 6.2.5-7, 2.8.2-7). Knows no operation but those
that may be made so.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Final

from tck.programs.program import Json, Step
from tck.programs.state.objects import OpenOutcome, Session
from tck.programs.state.state import State


@dataclass(slots=True)
class Reach:
    """What steps of one thread use: `sessions` and `messages`, `taken` destinations, and `sent`, those it only sends to."""

    sessions: set[str] = field(default_factory=set)
    messages: set[str] = field(default_factory=set)
    taken: set[str] = field(default_factory=set)
    sent: set[str] = field(default_factory=set)

    def add(self, other: Reach) -> None:
        """Use what other steps use as well."""
        self.sessions |= other.sessions
        self.messages |= other.messages
        self.taken |= other.taken
        self.sent |= other.sent

    def meets(self, other: Reach) -> bool:
        """Return whether the order of the steps of two threads could decide about an outcome."""
        shared = self.sessions & other.sessions or self.messages & other.messages or self.taken & other.taken
        return bool(shared or self.taken & other.sent or self.sent & other.taken)


@dataclass(slots=True)
class Block:
    """The steps with one number that are made at the same time, as far as they are known: what each thread reaches."""

    number: int
    reached: dict[bool, Reach] = field(default_factory=lambda: {False: Reach(), True: Reach()})


def check_together(state: State, step: Step, block: Block | None) -> None:
    """Refuse a step whose outcome depends on what the other thread does at the same time.

    Raises:
        OpenOutcome: It does, or it may.
    """
    if step.do not in _REACHES:
        raise OpenOutcome(f"{step.do} is not made at the same time as other calls")
    if state.listening() or any(each.waiting for each in state.sessions.values()):
        raise OpenOutcome("what a listener or a receive that waits is given meanwhile has no order")
    reached = reach(state, step)
    same = block if block is not None and block.number == step.args["together"] else Block(0)
    if reached.meets(same.reached[not step.args.get("by")]):
        raise OpenOutcome("two threads use the same session or destination, so that their order decides")


def reach(state: State, step: Step) -> Reach:
    """Return what a step uses, before it is made; nothing of one that is not made at the same time as others."""
    found = _REACHES.get(step.do)
    return Reach() if found is None else found(state, step.args)


def _sends(state: State, args: Mapping[str, Json]) -> Reach:
    producer = state.producers[args["on"]]
    if args.get("async") or producer.ttl or producer.delay or args.get("ttl"):
        raise OpenOutcome("when its message is there, or still is, depends on the time")
    to = args.get("to") or (producer.destination.name if producer.destination else "")
    found = Reach({producer.session.name, str(args.get("of", producer.session.name))}, set(), set(), {to})
    message = state.messages.get(str(args.get("message")))
    if message is not None:
        found.messages.add(message.name)
        found.sessions |= {message.receiver.name} if message.receiver else set()
    return found


def _receives(state: State, args: Mapping[str, Json]) -> Reach:
    consumer = state.consumers[args["on"]]
    return Reach({consumer.session.name}, set(), {consumer.end.destination.name})


def _consumes(_: State, args: Mapping[str, Json]) -> Reach:
    if args.get("kind", "plain") != "plain":
        raise OpenOutcome("the subscription may be that of the other thread")
    return Reach({args["on"]}, set(), {args["of"]} if args.get("of") else set())


def _settles(state: State, args: Mapping[str, Json]) -> Reach:
    message = state.messages.get(args["on"])
    session = state.sessions.get(args["on"]) or (message.receiver if message is not None else None)
    if session is None:
        raise OpenOutcome("whose message it is, is not known")
    found = _of_session(state, session)
    found.messages |= {args["on"]} if message is not None else set()
    return found


def _of_session(state: State, session: Session) -> Reach:
    """Return what may change when a session settles or gives back."""
    ends = [*session.held.values(), *(each.end for each in session.consumers_of(state.consumers))]
    return Reach({session.name}, set(), {each.destination.name for each in ends}, set(session.unsent))


def _ends(state: State, args: Mapping[str, Json]) -> Reach:
    """Return what changes when a client starts, stops or closes a connection, a session, a consumer or a producer."""
    name = args["on"]
    if name in state.consumers:
        return _receives(state, args)
    if name in state.producers or name in state.browsers:
        return Reach({state.closable(name).session.name})
    connection = state.connection_of(name)
    found = Reach(set(), set(), {each.name for each in state.destinations.values() if each.owner is connection})
    for session in state.sessions.values():
        if session.connection is connection:
            found.add(_of_session(state, session))
    return found


_REACHES: Final[Mapping[str, Callable[[State, Mapping[str, Json]], Reach]]] = {
    "send": _sends, "send_many": _sends, "receive": _receives, "drain": _receives, "consumer": _consumes,
    "commit": _settles, "rollback": _settles, "recover": _settles, "acknowledge": _settles,
    "start": _ends, "stop": _ends, "close": _ends,
}  # fmt: skip
"""The operations that two threads make at the same time, with what each reaches."""
