"""The moves of random programs that make calls which the specification refuses, and those that ask for attributes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from tck.explore.making.draft import Draft, Move
from tck.explore.making.moves_receiving import subscription
from tck.explore.making.moves_sending import fitting
from tck.explore.making.selectors import INVALID
from tck.programs.program import Json


def wrong(draft: Draft) -> None:
    """Make a call that the specification refuses, with the exception that it names."""
    kind = draft.one(
        (
            "closed",
            "closed",
            "closed",
            "selector",
            "selector",
            "null",
            "mode",
            "terms",
            "identified",
            "property",
            "domain",
        )
    )
    _WRONG[kind](draft)


def _wrong_closed(draft: Draft) -> None:
    rules = draft.rules
    pool = draft.one(("session", "session", "consumer", "producer", "message"))
    if pool == "session":
        found = draft.one([each for each in rules.sessions.values() if each.state == "closed"])
        if found is not None:
            queue, topic = draft.one(draft.destinations("queue")), draft.one(draft.destinations("topic"))
            calls: list[tuple[str, dict[str, Json]]] = [
                ("message", {"kind": draft.one(("text", "map", "bytes", "stream", "object", "message"))}), ("commit", {}),
                ("rollback", {}), ("recover", {}), ("get", {"what": "transacted"}), ("unsubscribe", {"name": "sub"}),
            ]  # fmt: skip
            if queue is not None and found.connection.api != "topic":
                calls += [("consumer", {"of": queue}), ("browser", {"of": queue})]
                calls += [] if found.connection.simplified else [("producer", {"to": queue})]
            if topic is not None and found.connection.api != "queue":
                calls += [
                    ("consumer", {"of": topic, "kind": "durable", "name": "sub"}),
                    ("temporary", {"kind": "topic"}),
                ]
            do, args = draft.one(calls)
            draft.do(do, draft.fresh("z"), on=found.name, **args)
    elif pool == "consumer":
        name = draft.one([each.name for each in rules.consumers.values() if each.state == "closed"])
        if name is not None:
            draft.do(
                draft.one(("receive", "receive", "listen", "get")), draft.fresh("z"), on=name, what="message_selector"
            )
    elif pool == "producer":
        found_producer = draft.one([each for each in rules.producers.values() if each.state == "closed"])
        mine = draft.one(draft.messages())
        if found_producer is not None and mine is not None:
            to = {"to": draft.one(draft.destinations())} if found_producer.destination is None else {}
            draft.do("send", on=found_producer.name, message=mine.name, **to)
    else:
        closed = [
            each.name for each in draft.messages() if each.receiver is not None and each.receiver.state == "closed"
        ]
        if closed:
            draft.do("acknowledge", on=draft.one(closed))


def _wrong_selector(draft: Draft) -> None:
    on = draft.one(draft.sessions())
    of = on and draft.one(fitting(draft, on))
    if on and of:
        text = draft.one(INVALID)
        if draft.rules.destinations[of].kind == "queue" and draft.chance(0.4):
            draft.do("browser", draft.fresh("z"), on=on.name, of=of, selector=text)
            return
        args = subscription(draft, on) if draft.rules.destinations[of].kind == "topic" else {}
        fresh = {"name": "wrong"} if "name" in args else {}
        draft.do("consumer", draft.fresh("z"), on=on.name, of=of, **{**args, **fresh, "selector": text})


def _wrong_null(draft: Draft) -> None:
    on = draft.one(draft.sessions())
    if on is None:
        return
    found = draft.one([each for each in draft.producers() if each.session is on])
    mine = draft.one(draft.messages())
    if found is not None and mine is not None and draft.chance(0.5):
        if found.session.connection.simplified or found.destination is None:
            draft.do("send", on=found.name, message=mine.name, to=None)
        return
    kinds = ["plain"] if on.connection.api == "queue" else ["plain", "shared_durable", "shared"]
    if on.connection.client_id and on.connection.api != "queue":
        kinds.append("durable")
    kind = draft.one(kinds)
    name = {} if kind == "plain" else {"name": "null", "kind": kind}
    plain = {"plain": True} if draft.chance(0.5) else {}
    draft.do("consumer", draft.fresh("z"), on=on.name, of=None, **name, **plain)


def _wrong_mode(draft: Draft) -> None:
    on = draft.one(draft.sessions())
    if on is not None:
        draft.do("recover" if on.mode == "transacted" else draft.one(("commit", "rollback")), on=on.name)


def _wrong_terms(draft: Draft) -> None:
    """Ask for a subscription that is in use, with the same terms or others, or of the other kind."""
    ends = [
        each for each in draft.rules.endpoints.values() if each.key.startswith(("durable", "shared")) and each.consumers
    ]
    end = draft.one(ends)
    if end is None:
        on = draft.one(
            [each for each in draft.sessions() if not each.connection.client_id and each.connection.api != "queue"]
        )
        topic = draft.one(draft.destinations("topic"))
        if on is not None and topic is not None:
            draft.do("consumer", draft.fresh("z"), on=on.name, of=topic, kind="durable", name="sub")
        return
    client, _, name = end.key.partition(" ")[2].partition("/")
    sessions = [
        each
        for each in draft.sessions()
        if (each.connection.client_id or "") == client and each.connection.api != "queue"
    ]
    on = draft.one(sessions)
    if on is not None:
        kind = end.kind if draft.chance(0.7) else draft.one(("durable", "shared_durable"))
        of = end.destination.name if draft.chance(0.6) else draft.one(draft.destinations("topic"))
        selector = {"selector": end.selector} if draft.chance(0.5) else {"selector": draft.selector()}
        if (
            kind == end.kind
            and kind != "durable"
            and of == end.destination.name
            and (selector["selector"] or None) == end.selector
        ):
            return  # a right call, that would make the subscription contended
        if kind != "durable" or client:
            draft.do("consumer", draft.fresh("z"), on=on.name, of=of, kind=kind, name=name, **selector)


def _wrong_identified(draft: Draft) -> None:
    found = draft.one([each for each in draft.producers() if not each.session.connection.simplified])
    mine = draft.one(draft.messages())
    if found is not None and mine is not None:
        to = {} if found.destination is None else {"to": draft.one(draft.destinations())}
        extra = {"async": True} if draft.capabilities.modern and draft.chance(0.3) else {}
        draft.do("send", on=found.name, message=mine.name, **to, **extra)


def _wrong_property(draft: Draft) -> None:
    found = draft.one([each for each in draft.messages() if not each.foreign])
    if found is None or draft.chance(0.4):
        on = draft.one(draft.sessions())
        kind = draft.one(("map", "stream", "bytes", "object"))
        made = None if on is None else draft.made("message", "m", on=on.name, kind=kind)
        found = found if made is None else draft.rules.messages[made]
    if found is not None:
        name, kind = draft.one((("", "int"), (None, "string"), ("a", "unsupported"), (None, "boolean"), ("", "double")))
        value = {"int": 1, "string": "x", "boolean": True, "double": "0.5"}.get(kind)
        draft.do("property", on=found.name, name=name, type=kind, value=value)
        if found.kind in {"map", "stream", "bytes"} and draft.chance(0.5):
            item: list[Json] = ["unsupported", None]
            entry = ["a", *item] if draft.chance(0.6) else [draft.one(("", None)), "int", 1]
            draft.do("write", on=found.name, body=[entry if found.kind == "map" else item])
        elif found.kind == "bytes":
            draft.do("write", on=found.name, body=[["null", None]])
        elif found.kind == "object":
            draft.do("write", on=found.name, body=["unsupported", None])


def _wrong_domain(draft: Draft) -> None:
    on = draft.one([each for each in draft.sessions() if each.connection.api in {"queue", "topic"}])
    if on is None:
        return
    if on.connection.api == "topic":
        queue = draft.one(draft.destinations("queue"))
        if queue is not None and draft.chance(0.6):
            draft.do("browser", draft.fresh("z"), on=on.name, of=queue)
        else:
            draft.do("temporary", draft.fresh("z"), on=on.name, kind="queue")
        return
    topic = draft.one(draft.destinations("topic"))
    if topic is not None and draft.chance(0.6):
        draft.do(
            "consumer",
            draft.fresh("z"),
            on=on.name,
            of=topic,
            kind=draft.one(("durable", "shared", "shared_durable")),
            name="sub",
        )
    else:
        draft.do("temporary", draft.fresh("z"), on=on.name, kind="topic")


_WRONG: Final[Mapping[str, Move]] = {
    "closed": _wrong_closed, "selector": _wrong_selector, "null": _wrong_null, "mode": _wrong_mode, "terms": _wrong_terms,
    "identified": _wrong_identified, "property": _wrong_property, "domain": _wrong_domain,
}  # fmt: skip


def getters(draft: Draft) -> None:
    """Ask an object all that it tells about itself."""
    rules = draft.rules
    names = [each.name for each in rules.connections.values() if each.state == "open" and not each.simplified]
    names += [each.name for each in draft.sessions()] * 2
    names += [each.name for each in draft.producers()] * 2
    names += [each.name for each in draft.consumers()]
    names += [each.name for each in rules.browsers.values() if each.state == "open" and not each.enumeration]
    if names:
        draft.do("state", on=draft.one(names))
    _connection_tells(draft)
    made = [each.name for each in draft.producers() if each.properties]
    if made and draft.chance(0.5):
        draft.do("reads", on=draft.one(made), what="property")


def _connection_tells(draft: Draft) -> None:
    rules = draft.rules
    names = [each.name for each in rules.connections.values() if each.state == "open" and not each.simplified]
    names += [each.name for each in draft.sessions() if each.connection.simplified]
    if names and draft.chance(0.4):
        draft.do("metadata", on=draft.one(names))
    if names and draft.chance(0.4):
        draft.do("on_exception", on=draft.one(names), value=draft.chance(0.8))


MOVES: Final[Mapping[str, Move]] = {"wrong": wrong, "wrong_selector": _wrong_selector, "getters": getters}
