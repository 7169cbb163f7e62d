"""Scenes: short sequences of moves that lead to a state which chance alone rarely meets, with all else drawn at random.

These are about delivery: listeners, competition, redelivery, failures. `scenes_messages` and `scenes_clients` have the others.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from tck.explore.making.draft import Draft, Move
from tck.explore.making.stage import (
    CLIENTS,
    MODES,
    connect,
    consumer,
    domain_of,
    ends,
    listen,
    owner_of,
    place,
    receive,
    root,
    send,
    session,
    settle,
    show,
)
from tck.programs.program import Json
from tck.programs.state.objects import Consumer, Session

_KINDS: Final = ("text", "bytes", "map", "stream", "object", "message")


# -- listeners ---------------------------------------------------------------------------------------------------------


def listening(draft: Draft) -> None:
    """Have a listener of some kind receive: set before or after the messages are sent, on a connection that runs or not."""
    kind, mode = draft.one([*ends(draft), "queue"]), draft.one(MODES)
    of = place(draft, domain_of(kind))
    on = _listener_session(draft, kind, mode)
    found = on and consumer(draft, on, kind, of)
    if not on or not found:
        return
    does = draft.one(
        {
            "client": ("take", "acknowledge", "acknowledge", "throw", "change"),
            "transacted": ("take", "commit", "commit", "throw", "change"),
        }.get(mode, ("take", "throw", "change", "change and throw"))
    )
    if draft.chance(0.4):
        send(draft, of, draft.one((1, 2)))
    if draft.chance(0.4):
        draft.do("stop", on=root(on))
    listen(draft, found, does)
    if not on.connection.started:
        send(draft, of, 1)
        draft.do("start", on=root(on))
    send(draft, of, draft.one((1, 2, 3)), kind=draft.one((None, *_KINDS)))
    match draft.one(("go on", "take away", "close", "close session", "fail")):
        case "take away":
            draft.do("stop", on=root(on))
            draft.do("unlisten", on=found.name)
            draft.do("start", on=root(on))
            send(draft, of, 1)
            draft.do("drain", on=found.name)
        case "close":
            draft.do("close", on=found.name)
        case "close session":
            draft.do("close", on=on.name)
        case "fail" if draft.chance(0.5):
            fail(draft, on)
        case _:
            pass


def _listener_session(draft: Draft, kind: str, mode: str) -> Session | None:
    """Return a session of its own, of an interface that was drawn."""
    domain = domain_of(kind)
    interface = draft.one([each for each in draft.capabilities.apis if each in {"classic", "simplified", domain}])
    owner = owner_of(draft, kind)
    if owner is not None and any(
        each.client_id == owner and each.state == "open" for each in draft.rules.connections.values()
    ):
        return session(draft, mode, domain, client_id=owner)
    return connect(draft, interface, mode, owner)


def waiting(draft: Draft) -> None:
    """Have a receive wait in a thread of its own until a message is sent, committed or given back; now and then nothing comes."""
    kind, mode = draft.one([*ends(draft), "queue"]), draft.one(MODES)
    of = place(draft, domain_of(kind))
    on = _listener_session(draft, kind, mode)
    terms: dict[str, Json] = {"selector": draft.selector()} if draft.chance(0.25) else {}
    found = on and consumer(draft, on, kind, of, **terms)
    if not on or not found or draft.do("await", on=found.name) is None:
        return
    sender = session(draft, draft.one(("auto", "client", "transacted")), domain_of(kind), apart=[on])
    if sender is not None and draft.chance(0.85):
        send(draft, of, draft.one((1, 1, 2)), on=sender, sets=_soon(draft), selected=bool(terms))
        if sender.mode == "transacted":
            draft.do("commit", on=sender.name)
    name = draft.fresh("m")
    seen = draft.do("collect", name, on=found.name)
    if seen is None or not (seen.get("ok") or {}).get("got"):
        draft.do("close", on=root(on))
        return
    if draft.chance(0.5):
        settle(draft, on)
    else:
        draft.do("rollback" if mode == "transacted" else "recover", on=on.name)
    if draft.chance(0.5) and draft.do("await", on=found.name) is not None:
        send(draft, of, 1, selected=bool(terms))
        seen = draft.do("collect", draft.fresh("m"), on=found.name)
        if seen is None or not (seen.get("ok") or {}).get("got"):
            draft.do("close", on=found.name)
            return
    draft.do("drain", on=found.name)


def _soon(draft: Draft) -> dict[str, Json]:
    """Return options of a producer whose messages still come at once, mostly."""
    found: dict[str, Json] = draft.one(
        ({}, {}, {"ttl": 2} if draft.capabilities.virtual else {}, {"priority": 7}, {"mode": 1})
    )
    return found


# -- competition -------------------------------------------------------------------------------------------------------


def competing(draft: Draft) -> None:
    """Two consumers of a queue or shared subscription both receive; now and then one of them gives messages back."""
    kind = draft.one([each for each in ("queue", "shared", "shared_durable") if each in ends(draft)])
    of, owner = place(draft, domain_of(kind)), owner_of(draft, kind)
    first = _competitor(draft, kind, owner)
    second = first if draft.chance(0.35) else _competitor(draft, kind, owner)
    if first is None:
        return
    if second is None:
        return
    one, two = consumer(draft, first, kind, of), consumer(draft, second, kind, of)
    if one is None or two is None:
        return
    if second is not first and draft.chance(0.4):
        send(draft, of, draft.one((4, 5)))
        receive(draft, one, 1)
        listen(draft, two, "take")
    else:
        send(draft, of, draft.one((4, 6)))
        _both(draft, one, two)
    if first.mode == "transacted" and draft.chance(0.7):
        draft.do("rollback", on=first.name)
        receive(draft, one, 2)
        receive(draft, two, 1)
    if draft.chance(0.6):
        _leave(draft, one)
    if not two.listening:
        draft.do("drain", on=two.name)


def _competitor(draft: Draft, kind: str, owner: str | None) -> Session | None:
    """Return a session of its own; on a connection without a client identifier, or on that of the owner."""
    domain, mode = domain_of(kind), draft.one((*MODES, "client", "transacted"))
    if owner is not None:
        return session(draft, mode, domain, client_id=owner)
    return connect(
        draft, draft.one([each for each in draft.capabilities.apis if each in {"classic", "simplified", domain}]), mode
    )


def _leave(draft: Draft, found: Consumer) -> None:
    """Close a consumer or its session, or break its connection."""
    match draft.one(("consumer", "session", "session", "sever", "sever")):
        case "session":
            draft.do("close", on=found.session.name)
        case "sever" if "sever" in draft.capabilities.failures:
            draft.do("sever", on=root(found.session))
        case _:
            draft.do("close", on=found.name)


def _both(draft: Draft, one: Consumer, two: Consumer) -> None:
    for _ in range(2):
        receive(draft, one)
        receive(draft, two)


# -- redelivery ----------------------------------------------------------------------------------------------------------

_MODE_OF: Final[Mapping[str, tuple[str, ...]]] = {
    "rollback": ("transacted",), "recover": ("client",), "close": ("client", "transacted"), "restart": ("client", "transacted"),
    "kill": ("client", "transacted"), "sever": ("client", "transacted"),
}  # fmt: skip


def giving_back(draft: Draft) -> None:
    """Messages that were received come again after one of six causes, in one of four ways, now and then to another consumer."""
    cause = draft.one(("rollback", "rollback", "recover", "recover", "close", *draft.capabilities.failures))
    kinds = [
        each
        for each in ends(draft)
        if cause in {"rollback", "recover"} or each in {"queue", "durable", "shared_durable"}
    ]
    kind = draft.one([*kinds, "queue", "queue"])
    of = place(draft, domain_of(kind))
    owner = owner_of(draft, kind)
    on = session(draft, draft.one(_MODE_OF[cause]), domain_of(kind), client_id=owner)
    found = on and consumer(draft, on, kind, of)
    if not on or not found:
        return
    send(draft, of, draft.one((1, 2, 3)), kind=draft.one((None, *_KINDS)))
    receive(draft, found, draft.one((1, 1, 2)))
    way = draft.one(
        ("receive", "receive", "drain", "listener", "listener", *(("browse",) * 4 if kind == "queue" else ()))
    )
    if cause in {"rollback", "recover"}:
        for _ in range(draft.one((1, 1, 2))):
            draft.do(cause, on=on.name)
            if way == "receive":
                receive(draft, found, 1)
        if draft.chance(0.3):
            _another(draft, on, found, kind, way)
        else:
            show(draft, found, way)
        return
    _lose(draft, cause, on)
    if owner is None and on.connection.client_id is not None and kind != "queue":
        owner = on.connection.client_id
    back = session(draft, draft.one(MODES), domain_of(kind), client_id=owner)
    again = back and consumer(draft, back, kind, of)
    if again:
        show(draft, again, way)


def _another(draft: Draft, on: Session, found: Consumer, kind: str, way: str) -> None:
    """Close the consumer and have another one receive what came back."""
    draft.do("close", on=found.name)
    if kind in {"plain", "shared"}:
        return
    again = consumer(draft, on, kind, found.end.destination.name)
    if again is not None:
        show(draft, again, way)


def _lose(draft: Draft, cause: str, on: Session) -> None:
    if cause == "close":
        draft.do("close", on=draft.one((on.name, root(on))))
    elif cause == "sever":
        draft.do("sever", on=root(on))
    else:
        draft.do(cause)


# -- failures ----------------------------------------------------------------------------------------------------------


def fail(draft: Draft, on: Session) -> str | None:
    """Have something fail; return what."""
    cause = draft.one(list(draft.capabilities.failures))
    if cause is not None:
        _lose(draft, cause, on)
    return None if cause is None else str(cause)


def failing(draft: Draft) -> None:
    """Have something fail in a circumstance that was drawn, and look what is left."""
    if not draft.capabilities.failures:
        return
    kind = draft.one([each for each in ("queue", "queue", "durable", "shared_durable") if each in ends(draft)])
    of, owner, domain = place(draft, domain_of(kind)), owner_of(draft, kind), domain_of(kind)
    on = session(draft, draft.one(("client", "transacted", "transacted")), domain, client_id=owner)
    found = on and consumer(draft, on, kind, of)
    if not on or not found:
        return
    send(draft, of, draft.one((1, 2, 2)), sets=_persistence(draft), kind=draft.one((None, *_KINDS)))
    for _ in range(draft.one((1, 2))):
        _circumstance(draft, on, found, of)
    if fail(draft, on) is None:
        return
    back = session(draft, draft.one(MODES), domain, client_id=owner if kind != "queue" else None)
    again = back and consumer(draft, back, kind, of)
    if again:
        draft.do("advance", units=2)
        show(draft, again, draft.one(("drain", "drain", "listener")))


def _persistence(draft: Draft) -> dict[str, Json]:
    return {} if draft.chance(0.6) else {"mode": 1}


def _circumstance(draft: Draft, on: Session, found: Consumer, of: str) -> None:
    """Bring about one of the states in which a failure finds a program."""
    if draft.chance(0.5):
        _waiting(draft, of)
        return
    domain = found.end.destination.kind
    match draft.one(("settled", "unsent", "unsent", "listener", "browser", "temporary", "contended")):
        case "settled" if not on.listening:
            receive(draft, found, 1)
            settle(draft, on)
        case "unsent" if on.mode == "transacted":
            send(draft, of, 2, on=on)
        case "listener":
            listen(draft, found, "take")
        case "browser" if domain == "queue" and not on.running:
            name = draft.made("browser", "b", on=on.name, of=of)
            if name is not None:
                draft.do("browse", on=name)
        case "temporary" if not on.running:
            draft.made("temporary", "d", on=on.name, kind=domain)
        case "contended" if found.end.kind != "durable" and not on.running:
            consumer(draft, on, found.end.kind, of)
        case _:
            receive(draft, found, 1)


def _waiting(draft: Draft, of: str) -> None:
    """Have messages wait that expire, that are delayed, or that differ in priority."""
    due: dict[str, Json] = {"delay": 1} if draft.capabilities.modern else {"ttl": 2}
    match draft.one(("delayed", "expiring", "priorities")):
        case "priorities":
            for priority in (1, 8):
                send(draft, of, 1, sets={"priority": priority})
        case "delayed":
            send(draft, of, 1, sets={**due, **_persistence(draft)})
        case _:
            send(draft, of, 1, sets={"ttl": draft.one((1, 2)), **_persistence(draft)})


# -- subscriptions -----------------------------------------------------------------------------------------------------


def subscribing(draft: Draft) -> None:
    """Leave a durable subscription and come back, with the same terms or others; or have several of a topic."""
    kind = draft.one([each for each in ("durable", "shared_durable") if each in ends(draft)])
    of, owner = place(draft, "topic"), draft.one(CLIENTS)
    if draft.chance(0.3):
        send(draft, of, 1)
    on = session(draft, draft.one((*MODES, "client", "transacted")), "topic", client_id=owner)
    found = on and consumer(draft, on, kind, of)
    if not on or not found:
        return
    send(draft, of, draft.one((1, 2)))
    if draft.chance(0.5):
        receive(draft, found, 1)
    match draft.one(("same", "in hand", "terms", "topic", "unsubscribe", "other name", "other client", "failure")):
        case "other name":
            consumer(draft, on, kind, of, name="a.b-c_d")
        case "other client":
            other = session(draft, "auto", "topic", client_id=draft.one([each for each in CLIENTS if each != owner]))
            second = other and consumer(draft, other, kind, of)
            send(draft, of, 1)
            if second:
                draft.do("drain", on=second.name)
        case "failure" if draft.capabilities.failures:
            fail(draft, on)
            _come_back(draft, owner, kind, of, {})
        case how:
            if how == "in hand":
                receive(draft, found, 1)
            draft.do("close", on=found.name if how == "in hand" else draft.one((found.name, on.name)))
            send(draft, of, draft.one((0, 1, 2)))
            if how == "unsubscribe" and on.state == "open":
                draft.do("unsubscribe", on=on.name, name="sub")
            terms: dict[str, Json] = {"selector": draft.selector()} if how == "terms" else {}
            _come_back(draft, owner, kind, place(draft, "topic") if how == "topic" else of, terms)


def _come_back(draft: Draft, owner: str, kind: str, of: str, terms: dict[str, Json]) -> None:
    for _ in range(draft.one((1, 1, 2))):
        on = session(draft, draft.one(MODES), "topic", client_id=owner)
        found = on and consumer(draft, on, kind, of, **terms)
        if not found:
            return
        send(draft, of, draft.one((0, 1)))
        draft.do("drain", on=found.name)
        if draft.chance(0.7):
            draft.do("close", on=found.name)


SCENES: Final[Mapping[str, tuple[Move, float]]] = {
    "listening": (listening, 18), "waiting": (waiting, 12), "competing": (competing, 8), "giving_back": (giving_back, 11), "failing": (failing, 8),
    "subscribing": (subscribing, 6),
}  # fmt: skip
"""Each scene, and how often it comes."""
