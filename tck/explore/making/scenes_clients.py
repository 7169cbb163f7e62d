"""Scenes about temporary destinations, time, browsers, noLocal, stopped connections and closed objects."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from tck.explore.making.draft import Draft, Move
from tck.explore.making.stage import (
    CLIENTS,
    MODES,
    browse,
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
)
from tck.programs.program import Json
from tck.programs.state.objects import Consumer, Session

_KINDS: Final = ("text", "bytes", "map", "stream", "object", "message")


# -- temporary destinations --------------------------------------------------------------------------------------------


def temporary(draft: Draft) -> None:
    """Use a temporary destination in one of many ways: as a reply destination, by a listener, in a transaction, after it is gone."""
    domain, mode = draft.one(("queue", "topic")), draft.one(("auto", "client", "transacted"))
    on = connect(
        draft, draft.one([each for each in draft.capabilities.apis if each in {"classic", "simplified", domain}]), mode
    )
    of = None if on is None else draft.made("temporary", "d", on=on.name, kind=domain)
    found = on and of and reader(draft, on, of)
    if not on or not of or not found:
        return
    other = session(draft, draft.one(("auto", "transacted")), domain, apart=[on])
    if other is not None and draft.chance(0.3):
        draft.do("consumer", draft.fresh("z"), on=other.name, of=of)
    if other is not None and draft.chance(0.5):
        _asks(draft, on, of, domain)
    if draft.chance(0.4):
        listen(draft, found, "take")
    if other is not None:
        send(draft, of, draft.one((1, 2)), on=other)
        if other.mode == "transacted":
            draft.do("commit", on=other.name)
    if not on.running:
        receive(draft, found, 1)
        draft.do("drain", on=found.name)
    _gone(draft, on, found, of)


def _asks(draft: Draft, on: Session, of: str, domain: str) -> None:
    """Send a message whose reply destination is the temporary one."""
    to = place(draft, domain)
    other = session(draft, "auto", domain, apart=[on])
    asked = other and reader(draft, other, to)
    through = draft.made("producer", "p", on=on.name, **({} if on.connection.simplified else {"to": to}))
    name = draft.made("message", "m", on=on.name, kind="text", body=["string", "question"], headers={"reply_to": of})
    if through and name:
        draft.do("send", on=through, message=name, **({"to": to} if on.connection.simplified else {}))
        if on.mode == "transacted":
            draft.do("commit", on=on.name)
    if asked:
        draft.do("drain", on=asked.name)


def _gone(draft: Draft, on: Session, found: Consumer, of: str) -> None:
    match draft.one(("stay", "delete", "close")):
        case "delete":
            if on.mode in {"client", "transacted"} and not on.running:
                draft.do("commit" if on.mode == "transacted" else "recover", on=on.name)
            draft.do("close", on=found.name)
            draft.do("delete", on=of)
        case "close":
            draft.do("close", on=root(on))
        case _:
            pass


# -- time --------------------------------------------------------------------------------------------------------------


def timing(draft: Draft) -> None:
    """Send messages that expire, that are delayed, or both, plainly or in a transaction, and look before and after."""
    kind = draft.one([each for each in ("queue", "queue", "plain", "durable", "shared_durable") if each in ends(draft)])
    of, domain = place(draft, domain_of(kind)), domain_of(kind)
    on = session(draft, draft.one(MODES), domain, client_id=owner_of(draft, kind))
    found = on and consumer(draft, on, kind, of)
    if not on or not found:
        return
    sender = session(draft, draft.one(("auto", "transacted")), domain, apart=[on])
    if sender is None:
        return
    if draft.chance(0.25):
        listen(draft, found, "take")
    for _ in range(draft.one((1, 2))):
        send(draft, of, draft.one((1, 2)), on=sender, sets=_due(draft))
    if sender.mode == "transacted":
        draft.do("commit", on=sender.name)
    for units in draft.one(((2,), (1, 1), (1, 2), (3,))):
        if kind == "queue" and draft.chance(0.5):
            browse(draft, of)
        draft.do("advance", units=units)
        if kind == "queue" and draft.chance(0.5):
            browse(draft, of)
        if not on.running:
            draft.do("drain", on=found.name)


def _due(draft: Draft) -> dict[str, Json]:
    delay: dict[str, Json] = {"delay": draft.one((1, 1, 2))} if draft.capabilities.modern else {}
    wanted: list[dict[str, Json]] = [
        {"ttl": draft.one((1, 2))},
        delay,
        {"ttl": draft.one((1, 2)), **delay},
        {**delay, "priority": draft.one((1, 9))},
    ]
    found: dict[str, Json] = draft.one(wanted)
    return found


# -- browsers ----------------------------------------------------------------------------------------------------------


def browsing(draft: Draft) -> None:
    """Browse a queue twice, step by step, while it changes, while it is consumed from, with priorities, after a receive."""
    of = place(draft, "queue")
    send(draft, of, 2, kind=draft.one((None, *_KINDS)))
    if draft.chance(0.3):
        send(draft, of, 1, sets={"priority": draft.one((0, 9))})
    on = session(draft, draft.one(MODES), "queue")
    taker = on and (consumer(draft, on, "queue", of) if draft.chance(0.5) else None)
    if taker:
        receive(draft, taker, 1)
    name = browse(draft, of)
    if name is None:
        return
    if draft.chance(0.6):
        draft.do("browse", on=name)
    enumeration = draft.made("enumerate", "e", on=name)
    if enumeration:
        draft.do("next", on=enumeration)
        if draft.chance(0.5):
            send(draft, of, 1)
        for _ in range(draft.one((1, 3))):
            draft.do("next", on=enumeration)
    if draft.chance(0.5):
        draft.do("close", on=name)


# -- stopping and closing -----------------------------------------------------------------------------------------------


def own_messages(draft: Draft) -> None:
    """Consume with noLocal what the own connection and another one send."""
    kind, of = draft.one(("plain", "durable")), place(draft, "topic")
    on = session(draft, draft.one(MODES), "topic", client_id=draft.one(CLIENTS) if kind == "durable" else None)
    found = on and consumer(draft, on, kind, of, no_local=True, selector=None)
    if not on or not found:
        return
    send(draft, of, 2, on=on)
    if on.mode == "transacted":
        draft.do("commit", on=on.name)
    send(draft, of, 2)
    draft.do("drain", on=found.name)


def stopping(draft: Draft) -> None:
    """Stop a connection, send meanwhile, receive nothing, set a listener, and start it again."""
    kind, mode = draft.one(("queue", "plain")), draft.one(MODES)
    of = place(draft, domain_of(kind))
    on = session(draft, mode, domain_of(kind))
    found = on and consumer(draft, on, kind, of)
    if not on or not found:
        return
    sender = session(draft, "auto", domain_of(kind), apart=[on])
    if sender is None or sender.connection is on.connection:
        return
    if draft.chance(0.5):
        send(draft, of, 1, on=sender)
        receive(draft, found, 1)
    draft.do("stop", on=root(on))
    send(draft, of, 2, on=sender)
    if draft.chance(0.6):
        draft.do("receive", draft.fresh("m"), on=found.name)
    if draft.chance(0.4):
        listen(draft, found, "take")
    draft.do("start", on=root(on))
    if not on.running:
        draft.do("drain", on=found.name)


def closed(draft: Draft) -> None:
    """Close a session or connection, twice now and then, and use what it made."""
    domain = draft.one(("queue", "topic"))
    of = place(draft, domain)
    on = connect(
        draft,
        draft.one([each for each in draft.capabilities.apis if each in {"classic", "simplified", domain}]),
        draft.one(MODES),
    )
    found = on and reader(draft, on, of)
    if not on or not found:
        return
    if draft.chance(0.4):
        draft.do(*draft.one((("metadata", None), ("state", None))), on=root(on))
        draft.do("on_exception", on=root(on), value=True)
    name = message(draft, on)
    through = draft.made("producer", "p", on=on.name, **({} if on.connection.simplified else {"to": of}))
    send(draft, of, 1)
    got = receive(draft, found, 1)
    what = draft.one((on.name, root(on), found.name))
    if draft.chance(0.3):
        draft.do("drain", on=found.name)
        draft.do("close_waiting", on=found.name, of=draft.one((on.name, on.connection.name)))
    for _ in range(draft.one((1, 1, 2))):
        draft.do("close", on=what)
    calls: list[tuple[str, dict[str, Json]]] = [
        ("receive", {"on": found.name}), ("listen", {"on": found.name}), ("get", {"on": found.name, "what": "message_selector"}),
        ("get", {"on": on.name, "what": "transacted"}), ("message", {"on": on.name, "kind": draft.one(_KINDS)}),
        ("consumer", {"on": on.name, "of": of}), ("temporary", {"on": on.name, "kind": domain}),
        *(("send", {"on": through, "message": name, **({"to": of} if on.connection.simplified else {})}) for _ in (1,) if through and name),
        *(("acknowledge", {"on": each}) for each in [*got, *got] if on.mode == "client"), ("session", {"on": on.connection.name}),
        *((each, {"on": on.name}) for each in ("commit", "rollback", "recover")),
        *([] if on.connection.simplified else [("producer", {"on": on.name, "to": of})]),
    ]  # fmt: skip
    for do, args in draft.random.sample(calls, 4):
        draft.do(do, draft.fresh("z"), **args)


SCENES: Final[Mapping[str, tuple[Move, float]]] = {
    "temporary": (temporary, 3), "timing": (timing, 3.5), "browsing": (browsing, 2), "own_messages": (own_messages, 1.5),
    "stopping": (stopping, 1.5), "closed": (closed, 4.5),
}  # fmt: skip
"""Each scene, and how often it comes."""
