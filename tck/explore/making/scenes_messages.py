"""Scenes about messages: transactions, selectors, what is sent on, changed or acknowledged, sends and bodies."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from tck.explore.making.contents import SIZES
from tck.explore.making.draft import Draft, Move
from tck.explore.making.stage import (
    MODES,
    browse,
    connect,
    consumer,
    domain_of,
    ends,
    owner_of,
    place,
    reader,
    receive,
    selector,
    send,
    session,
    show,
    watcher,
)
from tck.programs.operations.bodies import BODY_CLASSES
from tck.programs.program import Json
from tck.programs.state.objects import Consumer, Session

_KINDS: Final = ("text", "bytes", "map", "stream", "object", "message")


# -- transactions ------------------------------------------------------------------------------------------------------


def transacting(draft: Draft) -> None:
    """Receive from two destinations and send to two in one transaction; commit it or roll it back, and see what is where."""
    kinds = draft.one((("queue", "queue"), ("queue", "topic"), ("topic", "queue"), ("topic", "topic")))
    sources, targets = (
        [place(draft, each) for each in kinds],
        [place(draft, each) for each in draft.one((kinds, ("queue", "topic")))],
    )
    on = connect(
        draft, draft.one([each for each in draft.capabilities.apis if each in {"classic", "simplified"}]), "transacted"
    )
    if on is None:
        return
    readers = [reader(draft, on, each) for each in sources]
    watchers = [watcher(draft, each) for each in targets]
    for _ in range(draft.one((1, 1, 2))):
        _transaction(draft, on, [each for each in readers if each], (sources, targets))
    for found in (*readers, *watchers):
        if found:
            draft.do("drain", on=found.name)
    draft.do("commit", on=on.name)


def _transaction(draft: Draft, on: Session, readers: list[Consumer], places: tuple[list[str], list[str]]) -> None:
    sources, targets = places
    for each in sources:
        send(draft, each, draft.one((1, 2)))
    if draft.chance(0.8):
        for found in readers:
            receive(draft, found, draft.one((1, 2)))
    if draft.chance(0.8):
        for each in targets:
            send(draft, each, draft.one((1, 1, 2, 6)), on=on)
    draft.do(draft.one(("commit", "rollback")), on=on.name)


# -- selectors ---------------------------------------------------------------------------------------------------------


def selecting(draft: Draft) -> None:
    """Give any selector to any kind of consumer, or to a browser; now and then by the identifier of an earlier message."""
    kind = draft.one((*ends(draft), "queue", "plain", "browser", "browser"))
    domain = "queue" if kind == "browser" else domain_of(kind)
    of = place(draft, domain)
    waiting = send(draft, of, draft.one((0, 2, 3)) if domain == "queue" else 0, selected=True)
    text = selector(draft, waiting if kind in {"queue", "browser", "plain"} else ())
    if kind == "browser":
        waiting += send(draft, of, 2, selected=True)
        for each in (text, selector(draft, waiting)):
            browse(draft, of, selector=each)
        return
    on = session(draft, draft.one(MODES), domain, client_id=owner_of(draft, kind))
    terms: dict[str, Json] = {"selector": text}
    found = on and consumer(draft, on, kind, of, **terms)
    if not on or not found:
        return
    send(draft, of, draft.one((2, 3, 4)), selected=True)
    show(draft, found, draft.one(("drain", "drain", "receive", "listener")))
    if kind == "queue" and not on.running:
        draft.do("close", on=found.name)
        other = consumer(draft, on, kind, of)
        if other:
            draft.do("drain", on=other.name)


# -- messages used again -----------------------------------------------------------------------------------------------


def passing_on(draft: Draft) -> None:
    """Send on a message that was received, send one twice, change one after it was sent or received, and look at it."""
    kind, domain = draft.one(_KINDS), draft.one(("queue", "topic"))
    of, further = place(draft, domain), place(draft, domain)
    on = session(draft, draft.one(MODES), domain)
    first = on and reader(draft, on, of)
    if not on or not first:
        return
    second = reader(draft, on, further)
    sent = send(draft, of, 1, kind=kind)
    if sent and draft.chance(0.5):
        _again(draft, of, sent[0])
    got = receive(draft, first, 1)
    if got and draft.chance(0.4):
        draft.do("look", on=got[0], received=True, spoil=True)
        draft.do("look", on=got[0], received=True)
    if got and draft.chance(0.5):
        _change(draft, got[0], kind)
    if got:
        _again(draft, further, got[0])
    if sent and draft.chance(0.5):
        _change(draft, sent[0], kind)
    if on.mode == "client" and got and draft.chance(0.6):
        draft.do("acknowledge", on=got[0])
    for each in (first, second):
        if each:
            draft.do("drain", on=each.name)


def _again(draft: Draft, to: str, name: str) -> None:
    on = session(draft, "auto", draft.rules.destinations[to].kind)
    bound: dict[str, Json] = {} if on is None or on.connection.simplified else {"to": to}
    through = None if on is None else draft.made("producer", "p", on=on.name, **bound)
    if through and on:
        draft.do("send", on=through, message=name, **({"to": to} if on.connection.simplified else {}))


def _change(draft: Draft, name: str, kind: str) -> None:
    match draft.one(("body", "properties", "header")):
        case "body":
            draft.do("clear_body", on=name)
            if kind != "message":
                draft.do("write", on=name, body=draft.contents.body(kind))
        case "properties":
            draft.do("clear_properties", on=name)
            draft.do("property", on=name, name="a", type="int", value=1)
        case _:
            draft.do("header", on=name, what="correlation", value="other")
    received = {"received": True} if draft.rules.messages[name].receiver is not None else {}
    draft.do("look", on=name, **received, **({"spoil": True} if draft.chance(0.4) else {}))


# -- settling ----------------------------------------------------------------------------------------------------------


def acknowledging(draft: Draft) -> None:
    """Acknowledge by an older message, by the context, over two consumers; recover afterwards."""
    domain = draft.one(("queue", "topic"))
    places = [place(draft, domain), place(draft, domain)]
    on = session(draft, "client", domain)
    if on is None:
        return
    readers = [each for each in (reader(draft, on, of) for of in places) if each is not None]
    for each in places:
        send(draft, each, 2)
    got = [name for each in readers for name in receive(draft, each, draft.one((1, 2)))]
    for _ in range(draft.one((1, 2))):
        _settles(draft, on, got)
        for found in readers:
            receive(draft, found, 1)
    draft.do("recover", on=on.name)
    for found in readers:
        draft.do("drain", on=found.name)


def _settles(draft: Draft, on: Session, got: list[str]) -> None:
    if draft.chance(0.5):
        draft.do("recover", on=on.name)
    elif on.connection.simplified and draft.chance(0.6):
        draft.do("acknowledge", on=on.name)
    elif got:
        draft.do("acknowledge", on=draft.one((got[0], got[-1])))


# -- the rest ----------------------------------------------------------------------------------------------------------


def sending(draft: Draft) -> None:
    """Send asynchronously or with settings, from a session of each interface and mode."""
    domain = draft.one(("queue", "topic"))
    of = place(draft, domain)
    interface = draft.one([each for each in draft.capabilities.apis if each in {"classic", "simplified", domain}])
    watching = watcher(draft, of)
    on = connect(draft, interface, draft.one(MODES))
    if on is None:
        return
    extra: dict[str, Json] = {"async": True} if draft.capabilities.modern and draft.chance(0.7) else {}
    sets: dict[str, Json] = {}
    for option in draft.contents.options(virtual=draft.capabilities.virtual, delays=draft.capabilities.modern):
        sets[option["what"]] = option["value"]
    send(draft, of, draft.one((1, 2)), on=on, sets=sets, **extra)
    if on.mode == "transacted":
        draft.do("commit", on=on.name)
    if watching:
        draft.do("drain", on=watching.name)
    back = reader(draft, on, of)
    send(draft, of, 1)
    if back:
        receive(draft, back, 1)


def bodies(draft: Draft) -> None:
    """Receive bodies as each type, the right one or another."""
    if "simplified" not in draft.capabilities.apis:
        return
    of = place(draft, "queue")
    on = connect(draft, "simplified", draft.one(("auto", "dups_ok", "client", "transacted")))
    found = on and consumer(draft, on, "queue", of)
    if not found:
        return
    fitting: Mapping[str, Any] = {
        "text": ("string", "char_sequence", "comparable"),
        "bytes": ("bytes",),
        "map": ("dict",),
        "object": ("serializable",),
        "stream": ("string",),
    }
    kind = draft.one(list(fitting))
    send(draft, of, 2, kind=kind)
    for _ in range(2):
        wanted = draft.one(fitting[kind]) if draft.chance(0.7) else draft.one(list(BODY_CLASSES))
        draft.do("receive_body", on=found.name, type=wanted)
    if draft.chance(0.3):
        null = draft.made("producer", "p", on=found.session.name)
        draft.do("send_body", on=null, to=of, body=["null", None], type=draft.one(("string", "bytes", "dict")))
    draft.do("drain", on=found.name)


def large(draft: Draft) -> None:
    """Send a large body, or many messages at once, and have them redelivered or browse them before they are drained."""
    kind = draft.one([each for each in ("queue", "queue", "durable", "plain") if each in ends(draft)])
    of = place(draft, domain_of(kind))
    on = session(draft, draft.one(("auto", "client", "transacted")), domain_of(kind), client_id=owner_of(draft, kind))
    found = on and consumer(draft, on, kind, of)
    sender = session(draft, draft.one(("auto", "transacted")), domain_of(kind), apart=[on] if on else [])
    if not on or not found or not sender:
        return
    bound: dict[str, Json] = {} if sender.connection.simplified else {"to": of}
    through = draft.made("producer", "p", on=sender.name, **bound)
    target: dict[str, Json] = {"to": of} if sender.connection.simplified else {}
    if through is None:
        return
    if draft.chance(0.5):
        count = draft.one((70, 70, 210))
        first, draft.contents.serial = draft.contents.serial + 1, draft.contents.serial + count
        draft.do("send_many", on=through, of=sender.name, count=count, first=first, **target)
    else:
        body = ["string", {"of": draft.one(("x", "\xf6")), "times": draft.one(SIZES)}]
        name = draft.made("message", "m", on=sender.name, kind="text", body=body)
        draft.do("send", on=through, message=name, **target)
    if sender.mode == "transacted":
        draft.do("commit", on=sender.name)
    if on.mode != "auto" and draft.chance(0.6):
        receive(draft, found, 1)
        draft.do("rollback" if on.mode == "transacted" else "recover", on=on.name)
    draft.do("drain", on=found.name, **({"look": "headers"} if draft.chance(0.3) else {}))


SCENES: Final[Mapping[str, tuple[Move, float]]] = {
    "transacting": (transacting, 3), "selecting": (selecting, 9), "passing_on": (passing_on, 4), "acknowledging": (acknowledging, 2.5),
    "large": (large, 2.5), "sending": (sending, 5), "bodies": (bodies, 7),
}  # fmt: skip
"""Each scene, and how often it comes."""
