"""Scenes of what application servers use: connection consumers, and branches of distributed transactions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from tck.explore.making.draft import Draft, Move
from tck.explore.making.stage import (
    MODES,
    connect,
    consumer,
    domain_of,
    ends,
    owner_of,
    place,
    reader,
    receive,
    root,
    send,
    session,
    watcher,
)
from tck.programs.program import Json
from tck.programs.state.objects import Consumer, Session

_KINDS: Final = ("text", "bytes", "map", "stream", "object", "message")
_DOES: Final[Mapping[str, tuple[str, ...]]] = {
    "client": ("take", "throw", "throw", "acknowledge", "acknowledge"), "transacted": ("take", "throw", "throw", "commit", "commit"),
}  # fmt: skip


def pooling(draft: Draft) -> None:
    """Have a connection consumer feed one server session, in one of many circumstances, and look what it leaves."""
    if "asf" not in draft.capabilities.features:
        return
    kind, mode = draft.one([*ends(draft), "queue", "queue", "plain"]), draft.one((*MODES, "client", "transacted"))
    owner = owner_of(draft, kind)
    on = _server_session(draft, kind, mode, owner)
    of = None if on is None else _place(draft, on, kind)
    if on is None or of is None:
        return
    selector: dict[str, Json] = (
        {"selector": draft.one(("", *(draft.selector() for _ in range(4))))} if draft.chance(0.5) else {}
    )
    if draft.chance(0.5):
        _backlog(draft, on, kind, of, selector)
    stopped = draft.chance(0.25) and draft.do("stop", on=root(on)) is not None
    found = _pool(draft, on, kind, of, selector)
    if found is None:
        return
    sets: dict[str, Json] = {"mode": 1, "priority": 0} if draft.chance(0.2) else {}
    count = draft.one((1, 2, 3, 6) if stopped else (1, 2, 3))
    send(draft, of, count, kind=draft.one((None, *_KINDS)), selected=bool(selector), sets=sets)
    if stopped and draft.chance(0.8):
        draft.do("start", on=root(on))
        draft.do("advance", units=0)
    _afterwards(draft, found, kind, owner, selector)


def _place(draft: Draft, on: Session, kind: str) -> str | None:
    """Make a destination; now and then a temporary one of the connection."""
    if kind in {"queue", "plain"} and draft.chance(0.25):
        return draft.made("temporary", "d", on=on.name, kind=domain_of(kind))
    return place(draft, domain_of(kind))


def _server_session(draft: Draft, kind: str, mode: str, owner: str | None) -> Session | None:
    """Return a session of its own, of the classic or a domain-specific interface."""
    domain = domain_of(kind)
    interfaces = [each for each in draft.capabilities.apis if each in {"classic", domain}]
    open_ = [each for each in draft.rules.connections.values() if each.state == "open" and each.client_id == owner]
    if owner is not None and open_:
        return None if open_[0].api not in interfaces else session(draft, mode, domain, client_id=owner)
    return connect(draft, draft.one(interfaces), mode, owner) if interfaces else None


def _backlog(draft: Draft, on: Session, kind: str, of: str, selector: Mapping[str, Json]) -> None:
    """Have messages wait: in a queue, or in a durable subscription that an ordinary consumer has left."""
    if kind in {"durable", "shared_durable"}:
        found = consumer(draft, on, kind, of, **selector)
        if found is None:
            return
        draft.do("close", on=found.name)
    send(draft, of, draft.one((1, 2, 3)), kind=draft.one((None, *_KINDS)), selected=bool(selector))


def _pool(draft: Draft, on: Session, kind: str, of: str, selector: Mapping[str, Json]) -> Consumer | None:
    named: dict[str, Json] = {} if kind in {"queue", "plain"} else {"kind": kind, "name": "sub"}
    does = draft.one(_DOES.get(on.mode, ("take",)))
    name = draft.made(
        "pool", "k", on=on.connection.name, session=on.name, of=of, does=does, most=draft.one((1, 1, 2, 3, 4, 5, 10)),
        **named, **selector,
    )  # fmt: skip
    if name is not None and draft.chance(0.5):
        draft.do("advance", units=0)
    return None if name is None else draft.rules.consumers[name]


def _afterwards(draft: Draft, found: Consumer, kind: str, owner: str | None, selector: Mapping[str, Json]) -> None:
    """Close it, or what it belongs to, or have a consumer compete; then look what is left."""
    on, of = found.session, found.end.destination.name
    match draft.one(("close", "close", "close", "close session", "close all", "fail", "stop", "rival")):
        case "stop":
            draft.do("stop", on=root(on))
            send(draft, of, 1, selected=bool(selector))
            if draft.chance(0.5):
                draft.do("start", on=root(on))
                return
            draft.do("close", on=found.name)
        case "rival":
            other = session(draft, draft.one(MODES), domain_of(kind), client_id=owner, apart=[on])
            rival = other and consumer(draft, other, kind, of, **(selector if kind != "queue" else {}))
            send(draft, of, draft.one((2, 3)), selected=bool(selector))
            if rival:
                draft.do("drain", on=rival.name)
            return
        case "close all":
            draft.do("close", on=root(on))
        case "fail" if draft.capabilities.failures:
            cause = draft.one(list(draft.capabilities.failures))
            draft.do(cause, **({"on": root(on)} if cause == "sever" else {}))
        case how:
            draft.do("close", on=found.name)
            if how == "close session":
                draft.do("close", on=on.name)
    _come_back(draft, kind, of, owner, selector)


def _come_back(draft: Draft, kind: str, of: str, owner: str | None, selector: Mapping[str, Json]) -> None:
    """Send once more, and have an ordinary consumer receive what the connection consumer left."""
    if draft.chance(0.5):
        send(draft, of, 1, selected=bool(selector))
    back = session(draft, draft.one(MODES), domain_of(kind), client_id=owner)
    again = back and consumer(draft, back, kind, of, **(selector if kind != "queue" else {}))
    if again:
        draft.do("drain", on=again.name)


# -- branches ----------------------------------------------------------------------------------------------------------


def branching(draft: Draft) -> None:
    """Receive and send in branches, decide on them in one of many ways, and look what came of it."""
    if "xa" not in draft.capabilities.features:
        return
    kind = draft.one([*ends(draft), "queue", "queue", "queue"])
    domain, owner = domain_of(kind), owner_of(draft, kind)
    if any(each.client_id == owner and each.state == "open" for each in draft.rules.connections.values() if owner):
        return
    interface = draft.one([each for each in draft.capabilities.apis if each in {"classic", "simplified", domain}])
    on = _xa_session(draft, interface, owner)
    wide = draft.chance(0.4)
    of, to = place(draft, domain), [place(draft, domain) for _ in range(3 if wide else 1)]
    seen = watcher(draft, to[0])
    found = on and consumer(draft, on, kind, of)
    if not on or not found:
        return
    send(draft, of, draft.one((1, 2, 3)), sets={"mode": 1} if draft.chance(0.2) else {})
    sources = [found, *(_second(draft, on) if wide and domain == "queue" else ())]
    for _ in range(draft.one((1, 2, 2, 3))):
        name = draft.made("branch", "b", on=on.name, what="start")
        if name is None:
            break
        _work(draft, on, sources, to)
        for _ in range(draft.one((0, 0, 0, 1, 2))):
            leave, back = draft.one((("suspend", "resume"), ("suspend", "resume"), ("end", "join")))
            draft.do("branch", on=on.name, of=name, what=leave)
            draft.do("branch", on=on.name, of=name, what=back)
            _work(draft, on, sources, to[:1])
        _end(draft, on, name, interface, seen)
        if on.state != "open" or draft.chance(0.5):
            _look(draft, seen)
    finish(draft)
    if on.state == "open":
        draft.do("close", on=root(on))
    back = session(draft, draft.one(("auto", "client")), domain, client_id=owner)
    again = back and consumer(draft, back, kind, of)
    if again:
        draft.do("drain", on=again.name)
    _look(draft, seen)


def _xa_session(draft: Draft, interface: str, owner: str | None = None) -> Session | None:
    """Return an XA session of a new connection, started."""
    named = {} if owner is None else {"client_id": owner}
    name = draft.made("connect", "c", api=interface, xa=True, **named)
    if name is None or interface == "simplified":
        return None if name is None else draft.rules.sessions[name]
    draft.do("start", on=name)
    made = draft.made("session", "s", on=name, mode="transacted", xa=True)
    return None if made is None else draft.rules.sessions[made]


def _second(draft: Draft, on: Session) -> list[Consumer]:
    """Return a consumer of a second queue, with a message in it."""
    of = place(draft, "queue")
    send(draft, of, 1)
    found = reader(draft, on, of)
    return [] if found is None else [found]


def _work(draft: Draft, on: Session, sources: Sequence[Consumer], to: Sequence[str]) -> None:
    if draft.chance(0.7):
        for found in sources:
            receive(draft, found, draft.one((1, 1, 2)))
    if draft.chance(0.7):
        for each in to:
            send(draft, each, draft.one((1, 1, 2)), on=on, sets={"mode": 1} if draft.chance(0.2) else {})


def _end(draft: Draft, on: Session, name: str, interface: str, seen: Consumer | None) -> None:
    """End a branch and decide on it; or end it as failed, mostly try to commit it, and roll it back."""
    if draft.chance(0.2):
        for what in ("fail", *draft.one((("prepare",), ("one_phase",), ())), "undo"):
            draft.do("branch", on=on.name, of=name, what=what)
        return
    draft.do("branch", on=on.name, of=name, what="end")
    _look(draft, seen)
    _decide(draft, on, name, interface)


def _look(draft: Draft, seen: Consumer | None) -> None:
    """See what has arrived so far."""
    if seen is not None and seen.state == "open" and draft.chance(0.6):
        draft.do("drain", on=seen.name)


def _decide(draft: Draft, on: Session, name: str, interface: str) -> None:
    """Commit or roll back a branch; one that is prepared now and then by another resource, after a loss."""
    by = on.name
    ways = ("one_phase", "rollback", "commit", "commit", "commit", "prepared rollback", "prepared rollback")
    what = draft.one(ways)
    if what in {"commit", "prepared rollback"}:
        if draft.do("branch", on=by, of=name, what="prepare") is None:
            what = "one_phase"  # a branch without work
        elif draft.chance(0.4):
            _lose(draft, on)
    if on.state != "open" or draft.chance(0.2):
        other = _xa_session(draft, interface)
        by = by if other is None else other.name
    _ask(draft, by, name)
    draft.do("branch", on=by, of=name, what=what.removeprefix("prepared "))
    if draft.chance(0.15):
        draft.do("branch", on=by, of=name, what=draft.one(("commit", "forget")))
    _ask(draft, by, name)
    if by != on.name:
        draft.do("close", on=root(draft.rules.sessions[by]))


def _ask(draft: Draft, by: str, name: str) -> None:
    if draft.chance(0.3):
        draft.do("branch", on=by, what="recover")
    if draft.chance(0.05):
        draft.do("branch", on=by, of=name, what="forget")


def _lose(draft: Draft, on: Session) -> None:
    """Close the session or its connection, or have something fail."""
    cause = draft.one(("close session", "close", *draft.capabilities.failures, *draft.capabilities.failures))
    if cause.startswith("close"):
        draft.do("close", on=on.name if cause == "close session" else root(on))
    else:
        draft.do(cause, **({"on": root(on)} if cause == "sever" else {}))


def finish(draft: Draft) -> None:
    """Roll back all branches that are not decided."""
    for each in list(draft.rules.branches.values()):
        if each.state == "suspended":
            draft.do("branch", on=each.session.name, of=each.name, what="resume")
        if each.state == "active":
            draft.do("branch", on=each.session.name, of=each.name, what="end")
        if each.state != "finished":
            open_ = [one for one in draft.rules.sessions.values() if one.xa and one.state == "open" and not one.branch]
            by = open_[0] if open_ else _xa_session(draft, each.session.connection.api)
            if by is not None:
                draft.do("branch", on=by.name, of=each.name, what="rollback")


SCENES: Final[Mapping[str, tuple[Move, float]]] = {"pooling": (pooling, 7), "branching": (branching, 6)}
"""Each scene, and how often it comes."""
