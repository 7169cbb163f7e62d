"""Scenes about exception listeners, and about programs of which a second thread does a part."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from tck.explore.making.draft import Draft, Move
from tck.explore.making.stage import (
    MODES,
    connect,
    listen,
    place,
    reader,
    receive,
    root,
    send,
    session,
    settle,
)
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


SCENES: Final[Mapping[str, tuple[Move, float]]] = {
    "reporting": (reporting, 3.5),
}  # fmt: skip
"""Each scene, and how often it comes."""
