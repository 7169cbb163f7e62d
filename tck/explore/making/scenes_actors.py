"""Scenes about exception listeners, and about programs of which a second thread does a part."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from tck.explore.making.draft import Draft, Move
from tck.explore.making.stage import (
    MODES,
    connect,
    consumer,
    domain_of,
    ends,
    listen,
    message,
    owner_of,
    place,
    reader,
    receive,
    root,
    send,
    session,
    settle,
)
from tck.programs.program import Json
from tck.programs.state.objects import Session

# -- exception listeners -----------------------------------------------------------------------------------------------


def reporting(draft: Draft) -> None:
    """Set exception listeners, now and then another or none in their place; then have a call refused, or a link broken."""
    interface = draft.one(draft.capabilities.apis)
    domain = interface if interface in {"queue", "topic"} else draft.one(("queue", "topic"))
    on = connect(draft, interface, draft.one(MODES))
    if on is None:
        return
    draft.do("start", on=root(on))
    sibling = draft.made("session", "s", on=root(on), mode=draft.one(MODES)) if draft.chance(0.4) else None
    names = [root(on), *([sibling] if sibling and on.connection.simplified else [])]
    for value in draft.one(((True,), (True,), (True, True), (True, False), (False, True), (True, False, True))):
        draft.do("on_exception", on=draft.one(names), value=value)
        if draft.chance(0.3):
            draft.do("stop", on=root(on))
        if draft.chance(0.3):
            draft.do("start", on=root(on))
    _used(draft, on, domain)
    if draft.chance(0.4):
        _has_refused(draft, on)
        draft.do("problems", on=draft.one(names))
        if draft.chance(0.3):
            for name in names:
                draft.do("close", on=name)
            draft.do("problems", on=root(on))
    if "sever" in draft.capabilities.hooks and draft.chance(0.6):
        _breaks(draft, on, domain)
        draft.do("problems", on=draft.one(names))


def _used(draft: Draft, on: Session, domain: str) -> None:
    """Send and receive with a session; now and then settle what was received."""
    of = place(draft, domain)
    found = reader(draft, on, of)
    send(draft, of, draft.one((0, 1, 2)))
    if found is None or not on.connection.started:
        return
    receive(draft, found, 1)
    if draft.chance(0.4):
        settle(draft, on)
    if draft.chance(0.3):
        listen(draft, found, "take")


def _has_refused(draft: Draft, on: Session) -> None:
    for _ in range(draft.one((1, 2))):
        match draft.one(("mode", "selector", "destination", "closed")):
            case "mode":
                draft.do("recover" if on.mode == "transacted" else "commit", on=on.name)
            case "selector":
                of = place(draft, "topic" if on.connection.api == "topic" else "queue")
                draft.do("consumer", draft.fresh("z"), on=on.name, of=of, selector="a = = 1")
            case "destination":
                draft.do("consumer", draft.fresh("z"), on=on.name, of=None)
            case _:
                closed = draft.made("session", "s", on=root(on), mode="auto")
                if closed is not None:
                    draft.do("close", on=closed)
                    draft.do("message", draft.fresh("z"), on=closed, kind="text")


def _breaks(draft: Draft, on: Session, domain: str) -> None:
    """Break the link of another connection, or of this one."""
    if draft.chance(0.25):
        other = session(draft, "auto", domain, apart=[on])
        if other is not None and other.connection is not on.connection:
            draft.do("sever", on=root(other))
            draft.do("problems", on=root(on))
    draft.do("sever", on=root(on))


# -- a receive that waits ----------------------------------------------------------------------------------------------


def blocking(draft: Draft) -> None:
    """Have a receive wait until a message comes, the second of two, or one that was sent while its connection was stopped."""
    kind, mode = draft.one([*ends(draft), "queue"]), draft.one(MODES)
    of = place(draft, domain_of(kind))
    on = _waiting_session(draft, kind, mode)
    second = draft.chance(0.35)
    terms: dict[str, Json] = {"selector": "n = 2"} if second else {}
    found = on and consumer(draft, on, kind, of, **terms)
    sender = on and _other_sender(draft, on, domain_of(kind))
    if not on or not found or not sender or draft.do("await", on=found.name) is None:
        return
    stops = draft.chance(0.6) and draft.do("stop", on=root(on)) is not None
    _numbered(draft, sender, of, 2 if second else draft.one((1, 1, 2)), waits=found.name if stops else None)
    if stops:
        draft.do("waits", on=found.name)
        draft.do("start", on=root(on))
    name = draft.fresh("m")
    seen = draft.do("collect", name, on=found.name)
    if seen is None or not (seen.get("ok") or {}).get("got"):
        draft.do("close", on=root(on))
        return
    if draft.chance(0.4):
        draft.do("rollback" if mode == "transacted" else "recover", on=on.name)
    elif draft.chance(0.6):
        settle(draft, on)
    draft.do("drain", on=found.name)


def _waiting_session(draft: Draft, kind: str, mode: str) -> Session | None:
    """Return a session of a new connection, so that stopping it concerns no other one."""
    domain, owner = domain_of(kind), owner_of(draft, kind)
    if owner is not None and any(
        each.client_id == owner and each.state == "open" for each in draft.rules.connections.values()
    ):
        return None
    interface = draft.one([each for each in draft.capabilities.apis if each in {"classic", "simplified", domain}])
    return connect(draft, interface, mode, owner)


def _other_sender(draft: Draft, on: Session, domain: str) -> Session | None:
    """Return a session that sends while the other one waits: of another connection, or of the same one."""
    mode = draft.one(("auto", "client", "transacted", "transacted"))
    if draft.chance(0.3):
        name = draft.made("session", "s", on=root(on), mode=mode)
        return None if name is None else draft.rules.sessions[name]
    return session(draft, mode, domain, apart=[on])


def _numbered(draft: Draft, sender: Session, of: str, count: int, *, waits: str | None = None) -> None:
    """Send texts with numbers from 1 on, and commit; look between whether a consumer goes on waiting."""
    bound: dict[str, Json] = {} if sender.connection.simplified else {"to": of}
    target: dict[str, Json] = {"to": of} if sender.connection.simplified else {}
    through = draft.made("producer", "p", on=sender.name, **bound)
    if through is None:
        return
    draft.do("send_many", on=through, of=sender.name, count=count, first=1, **target)
    if waits is not None and draft.chance(0.3):
        draft.do("waits", on=waits)
    if sender.mode == "transacted":
        draft.do("commit", on=sender.name)


# -- two threads at the same time --------------------------------------------------------------------------------------


class _Side:
    """What one of two threads works with: a session, a producer, a consumer of a destination of its own."""

    def __init__(self, draft: Draft, on: Session, common: str, **marks: Json) -> None:
        self.draft, self.on, self.marks = draft, on, marks
        kinds = [each for each in ("queue", "topic") if on.connection.api in {"classic", "simplified", each}]
        self.of = place(draft, draft.one(kinds))
        self.consumer = reader(draft, on, self.of)
        # A producer of the domain-specific interfaces may name a destination of its domain only.
        self.targets = [self.of, common] if "queue" in kinds else [self.of]
        self.producer = draft.made("producer", "p", on=on.name)
        self.messages = [message(draft, on) for _ in range(draft.one((2, 3, 4)))]

    def works(self) -> None:
        """Send, receive and settle."""
        for name in self.messages:
            if self.producer is None or name is None:
                continue
            self.do("send", on=self.producer, message=name, to=self.draft.one(self.targets))
            if self.draft.chance(0.4):
                self._takes()
        self._takes()
        if self.consumer is not None and self.draft.chance(0.3):
            self.do("close", on=self.consumer.name)
            self.do("consumer", self.draft.fresh("k"), on=self.on.name, of=self.of)

    def do(self, call: str, name: str | None = None, **args: Json) -> Json:
        """Do a step in the thread."""
        seen = self.draft.do(call, name, **args, **self.marks)
        return None if seen is None else seen.get("ok")

    def _takes(self) -> None:
        draft, on = self.draft, self.on
        if on.mode == "transacted" and draft.chance(0.7):
            self.do("commit", on=on.name)
        if self.consumer is None or self.consumer.state != "open" or not on.connection.started:
            return
        name = draft.fresh("m")
        got = (self.do("receive", name, on=self.consumer.name) or {}).get("got")
        if on.mode == "transacted" and draft.chance(0.5):
            self.do(draft.one(("commit", "rollback")), on=on.name)
        elif on.mode == "client" and got and draft.chance(0.6):
            self.do("acknowledge", on=on.name if on.connection.simplified else name)
        elif on.mode != "transacted" and draft.chance(0.2):
            self.do("recover", on=on.name)


def at_once(draft: Draft) -> None:
    """Have two threads work at the same time, on two sessions of one connection or of two; or one stops or closes meanwhile."""
    common, modes = place(draft, "queue"), [draft.one(MODES) for _ in range(2)]
    interfaces = [each for each in draft.capabilities.apis if each != "topic" or draft.chance(0.3)]
    on = connect(draft, draft.one(interfaces or draft.capabilities.apis), modes[0])
    other = on and _beside(draft, on, modes[1])
    if not on or not other:
        return
    for each in (on, other):
        draft.do("start", on=root(each))
    number = int(draft.fresh("together").removeprefix("together"))
    sides = [_Side(draft, on, common, together=number), _Side(draft, other, common, together=number, by="second")]
    if draft.chance(0.3) and other.connection is not on.connection:
        send(draft, sides[1].of, 1)
        sides[0].works()
        _leaves(draft, sides[1])
    else:
        for side in sides:
            side.works()
    for side in sides:
        if side.consumer is not None and side.consumer.state == "open":
            draft.do("drain", on=side.consumer.name)


def _beside(draft: Draft, on: Session, mode: str) -> Session | None:
    """Return another session of the same connection, or of another one."""
    if draft.chance(0.5):
        name = draft.made("session", "s", on=root(on), mode=mode)
        return None if name is None else draft.rules.sessions[name]
    return connect(draft, draft.one(draft.capabilities.apis), mode)


def _leaves(draft: Draft, side: _Side) -> None:
    """Stop a connection and start it again, or close it, while the other thread works."""
    if draft.chance(0.5):
        side.do("stop", on=root(side.on))
        side.do("start", on=root(side.on))
    else:
        side.do("close", on=root(side.on))


SCENES: Final[Mapping[str, tuple[Move, float]]] = {
    "reporting": (reporting, 3.5), "blocking": (blocking, 4), "at_once": (at_once, 3),
}  # fmt: skip
"""Each scene, and how often it comes."""
