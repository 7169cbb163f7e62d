"""Scenes in which an administrator prescribes what senders ask for, or has sends and commits fail."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from tck.explore.making.draft import Draft, Move
from tck.explore.making.stage import (
    MODES,
    browse,
    connect,
    consumer,
    domain_of,
    ends,
    message,
    owner_of,
    reader,
    receive,
    send,
    session,
    show,
)
from tck.programs.operations.administering import OVERRIDES
from tck.programs.program import Json
from tck.programs.state.objects import Consumer, Session

_KINDS: Final = ("text", "bytes", "map", "stream", "object", "message")


def _place(draft: Draft, domain: str) -> str:
    """Make a destination that an administrator can single out by its name."""
    name = draft.fresh(domain[0])
    draft.do(domain, name)
    return name


def _apart(draft: Draft, mode: str, domain: str) -> Session | None:
    """Return a session of a new connection; that of the domain more often."""
    offered = [each for each in draft.capabilities.apis if each in {"classic", "simplified", domain}]
    return connect(draft, draft.one([*offered, *(each for each in offered if each == domain)]), mode)


# -- commits that fail -------------------------------------------------------------------------------------------------


def failing_commits(draft: Draft) -> None:
    """Have the commit of sends, of receives or of both fail; see what is delivered and redelivered, and commit anew."""
    if "fault" not in draft.capabilities.hooks:
        return
    kind = draft.one([*ends(draft), "queue", "queue"])
    domain = domain_of(kind)
    of, owner = _place(draft, domain), owner_of(draft, kind)
    on = session(draft, "transacted", domain, client_id=owner) if owner else _apart(draft, "transacted", domain)
    found = on and consumer(draft, on, kind, of)
    to = _place(draft, domain)
    watching = session(draft, draft.one(("auto", "client")), domain, apart=[on] if on else [])
    watcher = watching and reader(draft, watching, to)
    if not on or not found or not watcher:
        return
    send(draft, of, draft.one((1, 2, 3)), kind=draft.one((None, *_KINDS)))
    what = draft.one(("sends", "receives", "receives", "both", "both"))
    if what != "sends":
        receive(draft, found, draft.one((1, 2)))
    if what != "receives":
        send(draft, to, draft.one((1, 2)), on=on)
    draft.do("fail_commit", on=on.name)
    _after(draft, on, found)
    if draft.chance(0.6):
        send(draft, to, 1, on=on)
        draft.do("commit", on=on.name)
    draft.do("drain", on=watcher.name)


def _after(draft: Draft, on: Session, found: Consumer) -> None:
    """Receive what a commit that failed has given back, at once or after a failure."""
    kind = found.end.kind
    if draft.chance(0.2) and draft.capabilities.failures and kind in {"queue", "durable", "shared_durable"}:
        causes = [each for each in draft.capabilities.failures if each != "sever"]
        if causes:
            draft.do(draft.one(causes))
        return
    way = draft.one(
        ("receive", "receive", "drain", "listener", "listener", *(("browse",) * 4 if kind == "queue" else ()))
    )
    show(draft, found, way)
    if way == "receive" and draft.chance(0.5) and draft.do("fail_commit", on=on.name) is not None:
        receive(draft, found, 1)


# -- sends that fail ---------------------------------------------------------------------------------------------------


def failing_sends(draft: Draft) -> None:
    """Have sends fail, synchronous and asynchronous ones, between sends that succeed."""
    if "fault" not in draft.capabilities.hooks:
        return
    domain = draft.one(("queue", "topic"))
    of = _place(draft, domain)
    on = _apart(draft, draft.one(("auto", "auto", "client", "dups_ok")), domain)
    found = on and reader(draft, on, of)
    bound: dict[str, Json] = {"to": of} if on and not on.connection.simplified and draft.chance(0.7) else {}
    through = on and draft.made("producer", "p", on=on.name, **bound)
    if not on or not found or not through:
        return
    if draft.chance(0.3):
        draft.do("set", on=through, what=draft.one(("mode", "priority")), value=1)
    _sends(draft, on, through, {} if bound else {"to": of})
    draft.do("drain", on=found.name)


def _sends(draft: Draft, on: Session, through: str, to: dict[str, Json]) -> None:
    """Send messages of which some fail; one that failed is now and then sent again."""
    for _ in range(draft.one((2, 2, 3))):
        name = message(draft, on, kind=draft.one((None, *_KINDS)))
        if name is None:
            continue
        how: dict[str, Json] = {"async": True} if draft.capabilities.modern and draft.chance(0.5) else {}
        if draft.chance(0.5):
            draft.do("send", on=through, message=name, **to)
        draft.do("fail_sends", on=through, message=name, count=draft.one((1, 1, 2, 3)), **to, **how)
        if draft.chance(0.6):
            draft.do("send", on=through, message=name, **to, **how)


# -- what is prescribed ------------------------------------------------------------------------------------------------


def prescribing(draft: Draft) -> None:
    """Have an administrator prescribe some values for a destination, and send there with others."""
    if "administer" not in draft.capabilities.hooks or OVERRIDES not in draft.capabilities.features:
        return
    kind = draft.one([each for each in ("queue", "queue", "plain", "durable", "shared_durable") if each in ends(draft)])
    domain = domain_of(kind)
    of, owner = _place(draft, domain), owner_of(draft, kind)
    on = session(draft, draft.one(MODES), domain, client_id=owner)
    found = on and consumer(draft, on, kind, of)
    if not on or not found:
        return
    if draft.chance(0.3):
        send(draft, of, 1)
    values = _values(draft)
    draft.do("override", of=of, **values)
    sender = session(draft, draft.one(("auto", "auto", "transacted")), domain, apart=[on])
    if sender is None:
        return
    _asks(draft, of, sender)
    if sender.mode == "transacted":
        draft.do("commit", on=sender.name)
    if kind == "queue" and draft.chance(0.4):
        browse(draft, of)
    _shown(draft, on, found, of, values)


def _values(draft: Draft) -> dict[str, Json]:
    """Draw what is prescribed: zero now and then."""
    every: dict[str, Json] = {
        "mode": draft.one((1, 2, 2)),
        "priority": draft.one((0, 0, 1, 4, 9)),
        "ttl": draft.one((0, 0, 2, 3)),
    }
    if draft.capabilities.modern:
        every["delay"] = draft.one((0, 0, 1, 2))
    return {name: every[name] for name in draft.random.sample(sorted(every), draft.one((1, 1, 2, 3)))}


def _asks(draft: Draft, of: str, sender: Session) -> None:
    """Send with values of the producer's, of the send's, or none."""
    for _ in range(draft.one((1, 2))):
        sets: dict[str, Json] = {}
        for what, among in (("mode", (1, 2)), ("priority", (1, 8)), ("ttl", (1, 2)), ("delay", (1,))):
            if draft.chance(0.35) and (what != "delay" or draft.capabilities.modern):
                sets[what] = draft.one(among)
        own = {"mode": draft.one((1, 2)), "priority": draft.one((2, 7)), "ttl": draft.one((0, 1))}
        given = own if draft.chance(0.3) and not sender.connection.simplified else {}
        send(draft, of, draft.one((1, 2)), on=sender, sets=sets, **given)


def _shown(draft: Draft, on: Session, found: Consumer, of: str, values: Mapping[str, Json]) -> None:
    """Receive what was sent: before anything is due, after it, or after a restart."""
    durable = found.end.kind in {"queue", "durable", "shared_durable"}
    restart = "restart" in draft.capabilities.hooks and durable and draft.chance(0.35)
    if restart and draft.do("restart") is not None:
        if draft.chance(0.7):
            draft.do("override", of=of, **values)
        owner = on.connection.client_id if found.end.kind != "queue" else None
        back = session(draft, draft.one(MODES), found.end.destination.kind, client_id=owner)
        again = back and consumer(draft, back, found.end.kind, of)
        if not again:
            return
        found = again
        send(draft, of, 1)
    for units in (0, draft.one((1, 2, 3))):
        draft.do("advance", units=units)
        if not found.session.running:
            show(draft, found, draft.one(("drain", "drain", "receive")))
    if found.session.mode == "transacted" and draft.chance(0.5):
        draft.do(draft.one(("commit", "rollback")), on=found.session.name)
        draft.do("drain", on=found.name)


SCENES: Final[Mapping[str, tuple[Move, float]]] = {
    "failing_commits": (failing_commits, 4.5), "failing_sends": (failing_sends, 5), "prescribing": (prescribing, 4.5),
}  # fmt: skip
"""Each scene, and how often it comes."""
