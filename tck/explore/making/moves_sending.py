"""The moves of random programs on clients, senders and messages; `moves_receiving` has the others."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from tck.explore.making.contents import NATIVE_BYTES
from tck.explore.making.draft import Draft, Move
from tck.explore.making.moves_messages import tweak_one
from tck.programs.program import Json
from tck.programs.state.objects import Producer, Session
from tck.programs.values import TABLES

MODES: Final = ("auto", "auto", "client", "client", "dups_ok", "transacted", "transacted", "transacted")


def begin(draft: Draft) -> None:
    """Make destinations and a first client or two."""
    for kind in draft.one(("q", "t", "qt", "qq", "tt", "qt")):
        draft.do("queue" if kind == "q" else "topic", draft.fresh(kind))
    client(draft)
    if draft.chance(0.5):
        client(draft)
    if not draft.producers():
        producer(draft)


def again_named(draft: Draft) -> None:
    """Ask a session for a further object of a destination by its name, and use that from now on."""
    on = draft.one(draft.sessions())
    of = on and draft.one([name for name in fitting(draft, on) if not draft.rules.destinations[name].temporary])
    if on and of:
        draft.do(draft.rules.destinations[of].kind, on=on.name, of=of)


def fitting(draft: Draft, session: Session, kind: str | None = None) -> list[str]:
    """Return the destinations that a session can name."""
    interface = session.connection.api
    wanted = interface if interface in {"queue", "topic"} else kind
    if kind is not None and wanted != kind:
        return []
    found = [draft.rules.destinations[name] for name in draft.destinations(wanted)]
    return [each.name for each in found if not each.temporary or each.owner is None or each.owner.state == "open"]


# -- clients -----------------------------------------------------------------------------------------------------------


def client(draft: Draft) -> None:
    """Connect, with a session, and mostly a producer; classic connections mostly start."""
    if sum(each.state == "open" for each in draft.rules.connections.values()) >= 4:
        session(draft)
        return
    interface = draft.one(draft.capabilities.apis)
    args: dict[str, Json] = {"api": interface}
    if draft.chance(0.45):
        args["client_id"] = draft.one(("A", "B"))
    if interface == "simplified" and draft.chance(0.85):
        args["mode"] = draft.one(MODES)
    name = draft.made("connect", "c", **args)
    if name is None:
        return
    if interface != "simplified":
        if draft.chance(0.85):
            draft.do("start", on=name)
        _session_on(draft, name)
    elif draft.chance(0.1):
        draft.do("auto_start", on=name, value=False)
    if draft.chance(0.7):
        producer(draft)


def session(draft: Draft) -> None:
    """Make a further session on a connection."""
    found = [each for each in draft.rules.connections.values() if each.state == "open"]
    if found:
        _session_on(draft, draft.one(found).name)


def _session_on(draft: Draft, name: str) -> None:
    args: dict[str, Json] = {"mode": draft.one(MODES)}
    if draft.rules.connections[name].api == "classic":
        form = draft.one(("both", "mode", "default", "odd"))
        if form == "default":
            args["mode"] = "auto"
        args["form"] = form
    draft.made("session", "s", on=name, **args)


def start_stop(draft: Draft) -> None:
    """Stop a connection that runs, start one that does not."""
    found = draft.one([each for each in draft.rules.connections.values() if each.state == "open"])
    if found is None:
        return
    contexts = [
        each.name for each in draft.rules.sessions.values() if each.connection is found and each.state == "open"
    ]
    name = draft.one(contexts) if found.simplified else found.name
    if name is None:
        return
    draft.do("stop" if found.started and draft.chance(0.8) else "start", on=name)
    if found.started is False and draft.chance(0.6):
        burst(draft)
        draft.do("start", on=name)


def close(draft: Draft) -> None:
    """Close something: a consumer mostly."""
    rules = draft.rules
    kind = draft.one(("consumer", "consumer", "consumer", "session", "session", "connection", "producer", "browser"))
    pools: dict[str, list[str]] = {
        "consumer": [each.name for each in draft.consumers()],
        "session": [each.name for each in rules.sessions.values() if each.state == "open"],
        "connection": [
            each.name for each in rules.connections.values() if each.state == "open" and not each.simplified
        ],
        "producer": [each.name for each in draft.producers() if not each.session.connection.simplified],
        "browser": [each.name for each in rules.browsers.values() if each.state == "open" and not each.enumeration],
    }
    name = draft.one(pools[kind])
    if name is not None:
        draft.do("close", on=name)
        if draft.chance(0.1):
            draft.do("close", on=name)


def temporary(draft: Draft) -> None:
    """Make a temporary destination, or delete one."""
    found = [each for each in draft.rules.destinations.values() if each.temporary and not each.deleted]
    if found and draft.chance(0.4):
        draft.do("delete", on=draft.one(found).name)
        return
    made_on = draft.one(draft.sessions())
    if made_on is not None and len(found) < 3:
        kinds = [made_on.connection.api] if made_on.connection.api in {"queue", "topic"} else ["queue", "topic"]
        draft.made("temporary", "d", on=made_on.name, kind=draft.one(kinds))


# -- producers ---------------------------------------------------------------------------------------------------------


def producer(draft: Draft) -> str | None:
    """Make a producer, and set some of its options."""
    on = draft.one(draft.sessions())
    if on is None:
        return None
    args: dict[str, Json] = {}
    targets = fitting(draft, on)
    if not on.connection.simplified and targets and draft.chance(0.7):
        args["to"] = draft.one(draft.awaited(targets))
    if on.connection.api in {"queue", "topic"} and draft.chance(0.2):
        args["plain"] = True
    name = draft.made("producer", "p", on=on.name, **args)
    if name is not None and draft.chance(0.5):
        _set_options(draft, draft.rules.producers[name])
    return name


def _set_options(draft: Draft, found: Producer) -> None:
    for option in draft.contents.options(virtual=draft.capabilities.virtual, delays=draft.capabilities.modern):
        draft.do("set", on=found.name, **option)
    if found.session.connection.simplified:
        if draft.chance(0.35):
            draft.do("set", on=found.name, what="property", **draft.contents.producer_value())
        if draft.chance(0.25):
            what = draft.one(("type", "correlation"))
            draft.do("set", on=found.name, what=what, value=draft.one(("car", "text", "", None)))
        native = draft.chance(0.15) and draft.one(NATIVE_BYTES)
        if native and draft.do("set", on=found.name, what="correlation_native", value=native) is not None:
            _burst(draft, found, None)
        if draft.chance(0.1):
            draft.do("set", on=found.name, what="reply_to", value=draft.one([*draft.destinations(), None]))


def settings(draft: Draft) -> None:
    """Change the options of a producer."""
    found = draft.one(draft.producers())
    if found is None:
        producer(draft)
    elif found.properties and draft.chance(0.2):
        draft.do("set", on=found.name, what="clear_properties")
    elif draft.chance(0.15):
        what, value = draft.one(
            (("mode", 2), ("priority", 4), ("ttl", 0), ("delay", 0), ("disable_id", False), ("disable_time", False))
        )
        draft.do("set", on=found.name, what=what, value=value)
    else:
        _set_options(draft, found)


# -- sends -------------------------------------------------------------------------------------------------------------


def burst(draft: Draft) -> None:
    """Send some messages through one producer."""
    found = _sender(draft)
    if found is not None:
        _burst(draft, found, None)


def feed(draft: Draft, to: str) -> None:
    """Send some messages to a destination."""
    sessions = [each for each in draft.sessions() if to in fitting(draft, each)]
    through = draft.one(
        [
            each
            for each in draft.producers()
            if each.session in sessions and (each.destination is None or each.destination.name == to)
        ]
    )
    if through is None and sessions:
        on = draft.one(sessions)
        bound = {} if on.connection.simplified else {"to": to}
        name = draft.made("producer", "p", on=on.name, **bound)
        through = draft.rules.producers.get(name or "")
    if through is not None:
        _burst(draft, through, to)


def _burst(draft: Draft, found: Producer, to: str | None) -> None:
    for _ in range(draft.one((1, 1, 2, 3, 4))):
        if found.session.connection.simplified and draft.chance(0.15):
            _send_body(draft, found, to)
            continue
        name = message(draft, found.session)
        if name is not None:
            send(draft, found, name, to)
            if draft.chance(0.06):
                send(draft, found, name, to)
            elif draft.chance(0.1):
                tweak_one(draft, draft.rules.messages[name])
    if found.session.mode == "transacted" and draft.chance(0.6 if to is None else 0.9):
        draft.do("commit" if draft.chance(0.8) else "rollback", on=found.session.name)


def interleave(draft: Draft) -> None:
    """Send to one destination through two producers in turn, of one session or of two; then mostly end their transactions."""
    to = draft.one(draft.awaited(draft.destinations()))
    sessions = [each for each in draft.sessions() if to is not None and to in fitting(draft, each)]
    if not sessions:
        return
    chosen: list[Producer] = []
    at_once = [each for each in sessions if each.mode != "transacted"]
    for on in (draft.one(at_once or sessions), draft.one(at_once if at_once and draft.chance(0.6) else sessions)):
        name = draft.made("producer", "p", on=on.name, **({} if on.connection.simplified else {"to": to}))
        if name is not None:
            chosen.append(draft.rules.producers[name])
    for _ in range(draft.one((2, 3, 4))):
        for through in chosen:
            name = message(draft, through.session)
            if name is not None:
                send(draft, through, name, to)
    for on in {each.session.name: each.session for each in chosen}.values():
        if on.mode == "transacted":
            draft.do(draft.one(("commit", "commit", "rollback")), on=on.name)


def _sender(draft: Draft) -> Producer | None:
    """Choose a producer, mostly one whose messages somebody will see; make one if there is none."""
    if not draft.producers():
        producer(draft)
    found = draft.producers()
    bound = {each.destination.name for each in found if each.destination is not None}
    wanted = draft.awaited(sorted(bound))
    chosen: Producer | None = draft.one(
        [each for each in found if each.destination is None or each.destination.name in wanted]
    )
    return chosen


def flood(draft: Draft) -> None:
    """Send many messages at once."""
    found = draft.one(draft.producers())
    if found is None:
        return
    to = {}
    if found.session.connection.simplified or found.destination is None:
        to = {"to": draft.one(draft.awaited(fitting(draft, found.session)))}
        if to["to"] is None:
            return
    count = draft.one((6, 12, 16, 20, 45, 70))
    first = draft.contents.serial + 1
    draft.contents.serial += count
    draft.do("send_many", on=found.name, of=found.session.name, count=count, first=first, **to)
    if found.session.mode == "transacted":
        draft.do("commit", on=found.session.name)


def message(draft: Draft, on: Session) -> str | None:
    """Make a message: on the sending session mostly, on another, or of foreign make."""
    roll = draft.random.random()
    maker: Json = on.name
    if roll < 0.05:
        maker = None
    elif roll < 0.12:
        other = draft.one(draft.sessions())
        maker = other.name if other is not None else on.name
    draft.contents.sent = [each.name for each in draft.rules.messages.values() if each.sent and each.receiver is None]
    return draft.made("message", "m", on=maker, **draft.contents.message(draft.destinations(), foreign=maker is None))


def send(draft: Draft, found: Producer, name: str, to: str | None = None) -> None:
    """Send a message once, to the destination of the producer, to a given one, or to any."""
    args: dict[str, Json] = {}
    simplified = found.session.connection.simplified
    if simplified or found.destination is None:
        to = to or draft.one(draft.awaited(fitting(draft, found.session)))
        if to is None:
            return
        args["to"] = to
    if not simplified and draft.chance(0.2):
        args |= draft.contents.send_options(virtual=draft.capabilities.virtual)
    if draft.capabilities.modern and draft.chance(0.1):
        args["async"] = True
    elif found.publisher and draft.chance(0.5):
        args["publish"] = True
    draft.do("send", on=found.name, message=name, **args)


def _send_body(draft: Draft, found: Producer, to: str | None) -> None:
    to = to or draft.one(draft.awaited(fitting(draft, found.session)))
    kind = draft.one(("string", "string", "bytes", "dict", "serializable"))
    if to is None:
        return
    body: Json = {
        "string": draft.contents.value("string"),
        "bytes": ["bytes", draft.one([each for each, _ in TABLES["bytes"] if each])],  # it is known again by its body
        "dict": ["dict", [[["string", "k"], draft.contents.value("int")], [["string", "w"], ["string", "v"]]]],
        "serializable": draft.one([["int", 5], ["list", [["string", "a"]]], ["boolean", True]]),
    }[kind]
    if draft.chance(0.05):
        body = ["null", None]
    draft.do("send_body", on=found.name, to=to, body=body, type=kind)


def send_on(draft: Draft) -> None:
    """Send on a message that was received, or again one that was sent."""
    found = draft.one([each for each in draft.messages() if each.receiver is not None or each.sent])
    through = draft.one(draft.producers())
    if found is not None and through is not None:
        if draft.chance(0.3):
            tweak_one(draft, found)
        send(draft, through, found.name)


MOVES: Final[Mapping[str, Move]] = {
    "begin": begin, "client": client, "session": session, "start_stop": start_stop, "close": close, "temporary": temporary,
    "settings": settings, "burst": burst, "send_on": send_on, "flood": flood, "interleave": interleave, "again_named": again_named,
}  # fmt: skip
