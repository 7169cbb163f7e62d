"""Parts of scenes: a session of a wanted mode, a fresh destination, a consumer of a wanted kind, a few messages.

Each returns None where the specification, or the provider's capabilities, do not permit it; a scene then ends.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from tck.explore.making.draft import Draft
from tck.explore.making.selectors import Selectors
from tck.programs.program import Json
from tck.programs.state.objects import Consumer, Session
from tck.programs.values import DESTINATION_NAMES

CLIENTS: Final = ("A", "B", "C")
MODES: Final = ("auto", "client", "dups_ok", "transacted")
ENDS: Final = ("queue", "plain", "shared", "durable", "shared_durable")
MOST_CONNECTIONS: Final = 7
NAMED: Final = 0.15
"""The share of destinations whose name is one of those at which providers stumble."""


def session(
    draft: Draft, mode: str, domain: str, *, client_id: str | None = None, apart: Sequence[Session] = ()
) -> Session | None:
    """Return a session of a mode that can use a domain, started; one that is there, or a new one.

    Args:
        draft: The program.
        mode: Of the session.
        domain: ``queue`` or ``topic``.
        client_id: Of its connection; None for any.
        apart: Sessions that it must not be.
    """
    open_ = [each for each in draft.rules.connections.values() if each.state == "open"]
    if client_id is not None:
        mine = next((each for each in open_ if each.client_id == client_id), None)
        if mine is not None:
            return _on(draft, mine.name, mode) if mine.api in {"classic", "simplified", domain} else None
    names = {each.name for each in apart}
    fitting = [
        each
        for each in draft.sessions()
        if each.mode == mode
        and each.name not in names
        and _free(each)
        and each.connection.api in {"classic", "simplified", domain}
    ]
    crowded = len(open_) >= MOST_CONNECTIONS
    if client_id is None and fitting and (crowded or draft.chance(0.3)):
        found: Session = draft.one(fitting)
        return found
    if crowded:
        return None
    interface = draft.one([each for each in draft.capabilities.apis if each in {"classic", "simplified", domain}])
    return connect(draft, interface, mode, client_id)


def _free(found: Session) -> bool:
    return found.connection.started and not found.listening and not found.held and not found.unsent


def connect(draft: Draft, interface: str, mode: str, client_id: str | None = None) -> Session | None:
    """Return a session of a new connection, started."""
    named = {} if client_id is None else {"client_id": client_id}
    if interface == "simplified":
        name = draft.made("connect", "c", api=interface, mode=mode, **named)
        return None if name is None else draft.rules.sessions[name]
    name = draft.made("connect", "c", api=interface, **named)
    if name is None:
        return None
    draft.do("start", on=name)
    return _on(draft, name, mode)


def _on(draft: Draft, connection: str, mode: str) -> Session | None:
    name = draft.made("session", "s", on=connection, mode=mode)
    return None if name is None else draft.rules.sessions[name]


def root(on: Session) -> str:
    """Return the name by which the connection of a session is started, stopped and severed."""
    return on.name if on.connection.simplified else on.connection.name


def place(draft: Draft, kind: str) -> str:
    """Make a fresh queue or topic."""
    name = draft.fresh(kind[0])
    if draft.capabilities.virtual and draft.chance(NAMED):
        twins = [each for each in ("Twin", "twin") if each not in draft.rules.names]
        wanted = twins[0] if len(twins) == 1 or (draft.chance(0.2) and twins) else draft.one(DESTINATION_NAMES)[0]
        if draft.do(kind, name, name=wanted) is not None:
            return name
    draft.do(kind, name)
    return name


def consumer(draft: Draft, on: Session, kind: str, of: str, **terms: Json) -> Consumer | None:
    """Make a consumer of a kind of endpoint."""
    args: dict[str, Json] = {"of": of, **terms}
    if kind not in {"queue", "plain"}:
        args = {"kind": kind, "name": "sub", **args}
    name = draft.made("consumer", "k", on=on.name, **args)
    return None if name is None else draft.rules.consumers[name]


def owner_of(draft: Draft, kind: str) -> str | None:
    """Return the client identifier that a kind of subscription needs, or now and then has."""
    if kind == "durable" or (kind == "shared_durable" and draft.chance(0.5)):
        return str(draft.one(CLIENTS))
    return None


def ends(draft: Draft) -> list[str]:
    """Return the kinds of endpoints that the version has."""
    return [each for each in ENDS if draft.capabilities.modern or not each.startswith("shared")]


def domain_of(kind: str) -> str:
    """Return the domain of a kind of endpoint."""
    return "queue" if kind == "queue" else "topic"


def reader(draft: Draft, on: Session, of: str) -> Consumer | None:
    """Make a consumer of a queue, or an unshared non-durable one of a topic."""
    return consumer(draft, on, draft.rules.destinations[of].kind.replace("topic", "plain"), of)


def watcher(draft: Draft, of: str) -> Consumer | None:
    """Make a consumer on a session that is not transacted, to see what arrives."""
    on = session(draft, draft.one(("auto", "client", "dups_ok")), draft.rules.destinations[of].kind)
    return None if on is None else reader(draft, on, of)


def send(
    draft: Draft,
    to: str,
    count: int = 1,
    *,
    on: Session | None = None,
    sets: Mapping[str, Json] | None = None,
    kind: str | None = None,
    selected: bool = False,
    **options: Json,
) -> list[str]:
    """Send messages through a new producer of a session that is not transacted; return their names.

    Args:
        draft: The program.
        to: The destination.
        count: How many.
        on: The session; None for any.
        sets: Options of the producer.
        kind: Of the messages; None for any.
        selected: Whether they have the properties that selectors ask for.
        options: Of each send.
    """
    domain = draft.rules.destinations[to].kind
    on = on or session(draft, draft.one(("auto", "auto", "client", "dups_ok")), domain)
    if on is None:
        return []
    bound: dict[str, Json] = {} if on.connection.simplified else {"to": to}
    through = draft.made("producer", "p", on=on.name, **bound)
    if through is None:
        return []
    for what, value in (sets or {}).items():
        draft.do("set", on=through, what=what, value=value)
    sent: list[str] = []
    for _ in range(count):
        name = message(draft, on, kind=kind, selected=selected)
        if name is None:
            continue
        given: dict[str, Json] = {"to": to} if on.connection.simplified else {}
        seen = draft.do("send", on=through, message=name, **given, **options)
        if seen is not None and "ok" in seen:
            sent.append(name)
    return sent


def message(draft: Draft, on: Session, *, kind: str | None = None, selected: bool = False) -> str | None:
    """Make a message."""
    draft.contents.sent = [each.name for each in draft.rules.messages.values() if each.sent and each.receiver is None]
    args = draft.contents.selected(draft.destinations()) if selected else draft.contents.message([], kind=kind)
    return draft.made("message", "m", on=on.name, **args)


def receive(draft: Draft, found: Consumer, count: int = 1) -> list[str]:
    """Receive messages; return the names of those that came."""
    got: list[str] = []
    for _ in range(count):
        name = draft.fresh("m")
        seen = draft.do("receive", name, on=found.name)
        if seen is None or not (seen.get("ok") or {}).get("got"):
            break
        got.append(name)
    return got


def show(draft: Draft, found: Consumer, way: str) -> None:
    """Have messages come in a way: ``receive``, ``drain``, ``listener`` or ``browse``."""
    match way:
        case "receive":
            receive(draft, found, 2)
        case "listener":
            does = {"client": ("take", "acknowledge"), "transacted": ("take", "commit")}.get(
                found.session.mode, ("take", "throw")
            )
            listen(draft, found, draft.one(does))
        case "browse":
            browse(draft, found.end.destination.name)
        case _:
            draft.do("drain", on=found.name)


def listen(draft: Draft, found: Consumer, does: str) -> Any:
    """Give a consumer a listener."""
    extra = {"session": found.session.name} if does == "commit" else {}
    seen = draft.do("listen", on=found.name, does=does, **extra)
    if draft.chance(0.5):
        draft.do("advance", units=0)  # what it is given so far is shown here, and a failure may follow
    return seen


def browse(draft: Draft, queue: str, **terms: Json) -> str | None:
    """Browse a queue; return the browser."""
    able = [each for each in draft.sessions() if each.connection.started and each.connection.api != "topic"]
    on = session(draft, draft.one(MODES), "queue") or draft.one(able)
    name = None if on is None else draft.made("browser", "b", on=on.name, of=queue, **terms)
    if name is not None:
        draft.do("browse", on=name)
    return name


def settle(draft: Draft, on: Session) -> None:
    """Commit a session, or acknowledge by the message that it received last."""
    mine = [each.name for each in draft.rules.messages.values() if each.receiver is on and each.epoch == on.epoch]
    if on.mode == "transacted":
        draft.do("commit", on=on.name)
    elif on.connection.simplified or mine:
        draft.do("acknowledge", on=on.name if on.connection.simplified else mine[-1])


def selector(draft: Draft, earlier: Sequence[str] = ()) -> str:
    """Write any selector; now and then by the identifier of an earlier message."""
    return Selectors(draft.random, earlier=earlier).any()
