"""Scenes of what application servers use: connection consumers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from tck.explore.making.draft import Draft, Move
from tck.explore.making.stage import MODES, connect, consumer, domain_of, ends, owner_of, place, root, send, session
from tck.programs.program import Json
from tck.programs.state.objects import Consumer, Session

_KINDS: Final = ("text", "bytes", "map", "stream", "object", "message")
_DOES: Final[Mapping[str, tuple[str, ...]]] = {
    "client": ("take", "acknowledge", "acknowledge"), "transacted": ("take", "commit", "commit"),
}  # fmt: skip


def pooling(draft: Draft) -> None:
    """Have a connection consumer feed one server session, in one of many circumstances, and look what it leaves."""
    if "asf" not in draft.capabilities.features:
        return
    kind, mode = draft.one([*ends(draft), "queue", "queue", "durable"]), draft.one((*MODES, "client", "transacted"))
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
        case "fail" if draft.capabilities.hooks:
            cause = draft.one(list(draft.capabilities.hooks))
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


SCENES: Final[Mapping[str, tuple[Move, float]]] = {"pooling": (pooling, 7)}
"""Each scene, and how often it comes."""
