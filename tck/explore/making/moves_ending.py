"""The moves of random programs that let time pass or have something fail, the ending, and the table of all moves."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from tck.explore.making import (
    moves_messages,
    moves_receiving,
    moves_sending,
    moves_wrong,
    scenes,
    scenes_actors,
    scenes_clients,
    scenes_exceptions,
    scenes_failing,
    scenes_messages,
    scenes_server,
)
from tck.explore.making.draft import Draft, Move
from tck.explore.making.moves_receiving import take_all
from tck.explore.making.moves_sending import client
from tck.programs.program import Json

UNREAD: Final = 0.1
"""The share of queues and subscriptions that are emptied at the end without reading bodies, since reading may hide a fault."""

AGAIN: Final = 0.4
"""The share of programs that look again at what there is before they end."""
MESSAGES: Final = 8
"""At so many messages at most."""
AT_LAST: Final = 0.1
"""The share of programs, of those that may, in which the provider is restarted or killed before all is emptied."""
LEFT: Final = 0.15
"""The share of programs that look a second time, by a connection of its own, whether anything was left behind."""


def time(draft: Draft) -> None:
    """Let time pass; where it is virtual also to just before or just after something is due."""
    if not draft.capabilities.virtual and not any(each.due for each in draft.rules.destinations.values()):
        return
    args: dict[str, Json] = {"units": draft.one((1, 1, 2, 3))}
    if draft.capabilities.virtual and draft.chance(0.4):
        args["ms"] = draft.one((-1, 1, -5))
    draft.do("advance", **args)
    if draft.chance(0.6):
        take_all(draft)


def fail(draft: Draft) -> None:
    """Restart or kill the provider, or break the link of a client; then come back."""
    what = draft.one(list(draft.capabilities.failures) or [""])
    if what == "sever":
        found = draft.one([each for each in draft.rules.connections.values() if each.state == "open"])
        if found is not None:
            open_ = [
                each.name for each in draft.rules.sessions.values() if each.connection is found and each.state == "open"
            ]
            draft.do("sever", on=draft.one(open_) if found.simplified else found.name)
    elif what:
        draft.do(what)
    client(draft)


def ending(draft: Draft, *, again: bool = False) -> None:
    """Close all clients, empty every queue and durable subscription, and delete the subscriptions; before that, perhaps or `again`, look at all."""
    rules = draft.rules
    scenes_server.finish(draft)
    if again or draft.chance(AGAIN):
        _look_again(draft)
    _close_all(draft)
    losses = [each for each in draft.capabilities.failures if each != "sever"]
    if losses and draft.chance(AT_LAST):
        draft.do(draft.one(losses))
    longest = max((each.due for each in rules.destinations.values()), default=0)
    if longest:
        draft.do("advance", units=longest + 1)
    _empty_all(draft)
    if draft.chance(LEFT):
        _nothing_left(draft)


def _empty_all(draft: Draft) -> None:
    """Show and take all that queues and durable subscriptions hold, and delete these."""
    rules = draft.rules
    ends = [each for each in rules.endpoints.values() if each.key.startswith("durable")]
    owners = {each.key: each.key.removeprefix("durable ").partition("/")[0] for each in ends}
    sessions = {each: _last_session(draft, each) for each in sorted({*owners.values(), ""})}
    for queue in draft.destinations("queue"):
        if sessions[""] and not rules.destinations[queue].temporary:
            _empty(draft, sessions[""], {"of": queue})
    for end in ends:
        on = sessions[owners[end.key]]
        if on:
            name = end.key.partition("/")[2]
            terms: dict[str, Json] = {"of": end.destination.name, "kind": end.kind, "name": name}
            if end.selector or end.no_local:
                terms["selector"] = end.selector
            if end.no_local:
                terms["no_local"] = True
            _empty(draft, on, terms)
            draft.do("unsubscribe", on=on, name=name)


def _nothing_left(draft: Draft) -> None:
    """Close what emptied the queues, and look once more at each."""
    _close_all(draft)
    on = _last_session(draft, "")
    for queue in draft.destinations("queue"):
        if on and not draft.rules.destinations[queue].temporary:
            _empty(draft, on, {"of": queue})


def _look_again(draft: Draft) -> None:
    """Look at messages of before, ask all clients, and browse: what went wrong earlier may show only now."""
    messages = [each for each in draft.rules.messages.values() if not each.foreign]
    for each in draft.random.sample(messages, min(len(messages), MESSAGES)):
        moves_messages.look(draft, each)
        if draft.chance(0.3):
            moves_messages.read_one(draft, each)
    clients = [each.name for group in (draft.sessions(), draft.producers(), draft.consumers()) for each in group]
    for name in clients:
        draft.do("state", on=name)
    for _ in range(2):
        moves_receiving.browse(draft)


def _last_session(draft: Draft, owner: str) -> str | None:
    """Connect once more as a client, to see what is left."""
    offered: list[str] = [each for each in ("classic", "simplified") if each in draft.capabilities.apis] or list(
        draft.capabilities.apis
    )
    interface = draft.one(offered)
    name = draft.made("connect", "c", api=interface, **({"client_id": owner} if owner else {}))
    if name is None or interface == "simplified":
        return name
    draft.do("start", on=name)
    return draft.made("session", "s", on=name, mode="auto")


def _close_all(draft: Draft) -> None:
    rules = draft.rules
    for connection in list(rules.connections.values()):
        if connection.state != "open":
            continue
        contexts = [
            each.name for each in rules.sessions.values() if each.connection is connection and each.state == "open"
        ]
        for name in contexts if connection.simplified else [connection.name]:
            draft.do("close", on=name)


def _empty(draft: Draft, session: str, terms: dict[str, Json]) -> None:
    name = draft.made("consumer", "k", on=session, **terms)
    if name is not None:
        draft.do("drain", on=name, **({"look": "headers"} if draft.chance(UNREAD) else {}))
        draft.do("close", on=name)


ALL: Final[Mapping[str, Move]] = {
    **moves_sending.MOVES, **moves_messages.MOVES, **moves_receiving.MOVES, **moves_wrong.MOVES, "time": time, "fail": fail,
}  # fmt: skip
"""All moves by name."""


SCENES: Final[Mapping[str, tuple[Move, float]]] = {
    **scenes.SCENES, **scenes_messages.SCENES, **scenes_clients.SCENES, **scenes_failing.SCENES, **scenes_exceptions.SCENES,
    **scenes_server.SCENES, **scenes_actors.SCENES,
}  # fmt: skip
"""All scenes by name, with how often each comes."""
