"""The moves of random programs on consumers, browsers and subscriptions."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from tck.explore.making.draft import Draft, Move
from tck.explore.making.moves_messages import look, read_one, tweak_one
from tck.explore.making.moves_sending import burst, feed, fitting
from tck.explore.making.selectors import Selectors
from tck.programs.operations.bodies import BODY_CLASSES
from tck.programs.program import Json, Observation
from tck.programs.state.objects import Consumer, Session

BODIES: Final = ("string", "string", "bytes", "dict", "serializable", "object", "object", "char_sequence", "comparable")
NAMES: Final = ("sub", "sub", "Sub", "a.b-c_d", "gr\xf6\xdfe1", "2nd", "L" * 99 + "x", "L" * 99 + "y")
"""Names of subscriptions: every kind of character that is allowed, and the length."""


# -- consumers ---------------------------------------------------------------------------------------------------------


def consume(draft: Draft) -> None:
    """Make a consumer of some kind."""
    on = draft.one(draft.sessions())
    if on is None:
        return
    of = draft.one(fitting(draft, on))
    if of is None:
        return
    args: dict[str, Json] = {"of": of}
    if draft.rules.destinations[of].kind == "topic":
        args |= subscription(draft, on)
    elif not draft.chance(0.04) and _taken(draft, of):
        return
    if draft.chance(0.25):
        args["selector"] = draft.selector() if draft.chance(0.9) else draft.one(("", None))
    if on.connection.api in {"queue", "topic"} and draft.chance(0.2):
        args["plain"] = True
    name = draft.made("consumer", "k", on=on.name, **args)
    if name is not None and not on.connection.started and draft.chance(0.5):
        draft.do("start", on=root(on))


def root(session: Session) -> str:
    """Return the name by which the connection of a session is started and stopped."""
    return session.name if session.connection.simplified else session.connection.name


def _taken(draft: Draft, queue: str) -> bool:
    """Return whether a queue has a consumer: with a second one it is open who gets what, so little could be compared."""
    end = draft.rules.endpoints.get(queue)
    return end is not None and bool(end.consumers)


def subscription(draft: Draft, on: Session) -> dict[str, Json]:
    """Draw the kind and the name of a subscription."""
    kinds = ["plain", "plain"]
    if on.connection.client_id:
        kinds += ["durable", "durable", "durable"]
    if draft.capabilities.modern:
        kinds += ["shared", "shared_durable", "shared_durable"]
    kind = draft.one(kinds)
    if kind == "plain":
        return {"no_local": draft.one((True, True, False)), "selector": None} if draft.chance(0.15) else {}
    args: dict[str, Json] = {"kind": kind, "name": draft.one(NAMES)}
    if kind == "durable" and draft.chance(0.15):
        args |= {"selector": None, "no_local": draft.chance(0.8)}
    if kind != "durable":
        client = on.connection.client_id or ""
        end = draft.rules.endpoints.get(f"{'shared' if kind == 'shared' else 'durable'} {client}/{args['name']}")
        if end is not None and end.consumers and not draft.chance(0.15):
            args["name"] = draft.one(NAMES)
    return args


def resume(draft: Draft) -> None:
    """Come back to a durable subscription, with the same terms mostly."""
    ends = [each for each in draft.rules.endpoints.values() if each.key.startswith("durable")]
    end = draft.one(ends)
    if end is None:
        consume(draft)
        return
    if end.consumers and draft.chance(0.8):
        draft.do("close", on=draft.one(sorted(end.consumers)))
        if draft.chance(0.6):
            burst(draft)
    client, _, name = end.key.removeprefix("durable ").partition("/")
    sessions = [
        each
        for each in draft.sessions()
        if (each.connection.client_id or "") == client and each.connection.api != "queue"
    ]
    on = draft.one(sessions)
    if on is None:
        return
    args: dict[str, Json] = {"kind": end.kind, "name": name, "of": end.destination.name}
    if end.selector:
        args["selector"] = end.selector
    if end.no_local:
        args |= {"no_local": True, "selector": end.selector}
    if draft.chance(0.2):
        args["selector"] = draft.one((draft.selector(), "", None))
    draft.made("consumer", "k", on=on.name, **args)


def reopen(draft: Draft) -> None:
    """Close a consumer whose queue or subscription has messages, and make the same one again."""
    found = draft.one(draft.receivers())
    if found is None:
        consume(draft)
        return
    step = next(each for each in draft.steps if each.name == found.name)
    feed(draft, found.end.destination.name)
    if draft.chance(0.4):
        _take_one(draft, found)
    if draft.do("close", on=found.name) is None:
        return
    if draft.chance(0.4):
        feed(draft, found.end.destination.name)
    if found.end.kind in {"durable", "shared_durable"} and draft.chance(0.3):
        draft.do("unsubscribe", on=found.session.name, name=step.args["name"])
    on = draft.one([each for each in draft.sessions() if each.connection is found.session.connection])
    if on is not None:
        name = draft.made("consumer", "k", **{**step.args, "on": on.name})
        if name is not None:
            draft.do("drain", on=name)


def unsubscribe(draft: Draft) -> None:
    """Delete a durable subscription."""
    on = draft.one(draft.sessions())
    if on is not None:
        keys = [each for each in draft.rules.endpoints if each.startswith(f"durable {on.connection.client_id or ''}/")]
        name = draft.one(keys).partition("/")[2] if keys and draft.chance(0.9) else draft.one(NAMES)
        draft.do("unsubscribe", on=on.name, name=name)


# -- receiving ---------------------------------------------------------------------------------------------------------


def take(draft: Draft) -> None:
    """Receive some messages, and now and then do something with them."""
    found = draft.one(draft.receivers())
    if found is None:
        consume(draft)
        return
    if not draft.hopeful(found) and draft.chance(0.8):
        feed(draft, found.end.destination.name)
    if draft.chance(0.12):
        draft.do("drain", on=found.name)
    for _ in range(draft.one((1, 1, 2, 3))):
        if _take_one(draft, found) is None:
            break
    settle_one(draft, found.session, 0.45)


def take_all(draft: Draft) -> None:
    """Receive through several consumers of one session, and settle it all."""
    found = draft.one(draft.receivers())
    if found is None:
        return
    for each in found.session.consumers_of(draft.rules.consumers):
        for _ in range(draft.one((1, 1, 2))):
            _take_one(draft, each)
    settle_one(draft, found.session, 0.9)


def _take_one(draft: Draft, found: Consumer) -> Observation | None:
    args: dict[str, Json] = {}
    if draft.chance(0.25):
        args["how"] = draft.one(("no_wait", "no_wait", "forever"))
    if found.session.connection.simplified and draft.chance(0.35):
        return draft.do("receive_body", on=found.name, type=draft.one((*BODIES, *BODIES, *BODY_CLASSES)), **args)
    if draft.chance(0.15):
        args["look"] = "headers"
    name = draft.fresh("m")
    seen = draft.do("receive", name, on=found.name, **args)
    if seen is None or (seen.get("ok") or {}).get("got") is None:
        return None
    message = draft.rules.messages[name]
    if draft.chance(0.35):
        read_one(draft, message)
    elif draft.chance(0.15):
        tweak_one(draft, message)
        if draft.chance(0.6):
            look(draft, message)
    return seen


def settle(draft: Draft) -> None:
    """Settle what a session has in hand, or have it redelivered."""
    found = draft.one([each for each in draft.sessions() if each.held]) or draft.one(draft.sessions())
    if found is not None:
        settle_one(draft, found, 1.0)


def settle_one(draft: Draft, found: Session, share: float) -> None:
    """Settle a session in one of the ways of its mode, in so many cases of one."""
    if not draft.chance(share):
        return
    if found.mode == "transacted":
        draft.do(draft.one(("commit", "commit", "rollback")), on=found.name)
    elif found.mode == "client" and draft.chance(0.4):
        draft.do("recover", on=found.name)
    elif found.connection.simplified and draft.chance(0.7):
        draft.do("acknowledge", on=found.name)
    else:
        mine = [
            each.name for each in draft.rules.messages.values() if each.receiver is found and each.epoch == found.epoch
        ]
        if mine:
            draft.do("acknowledge", on=draft.one(mine))
        elif draft.chance(0.2):
            draft.do("recover", on=found.name)


def listen(draft: Draft) -> None:
    """Give a consumer a listener, or take it away."""
    heard = [each for each in draft.consumers() if each.listening and not each.session.running]
    if heard and draft.chance(0.5):
        draft.do("unlisten", on=draft.one(heard).name)
        return
    running = draft.one([each for each in draft.consumers() if each.listening and each.session.running])
    if running is not None and draft.chance(0.5):
        draft.do("stop", on=root(running.session))
        draft.do("unlisten", on=running.name)
        if draft.chance(0.5):
            burst(draft)
        draft.do("start", on=root(running.session))
        return
    found = draft.one([each for each in draft.receivers() if not each.listening])
    if found is None:
        consume(draft)
        return
    ways: dict[str, tuple[str, ...]] = {
        "client": ("take", "acknowledge", "throw"),
        "transacted": ("take", "commit", "throw"),
    }
    does = draft.one(ways.get(found.session.mode, ("take", "take", "throw")))
    extra = {"session": found.session.name} if does == "commit" else {}
    draft.do("listen", on=found.name, does=does, **extra)


# -- browsers ----------------------------------------------------------------------------------------------------------


def browse(draft: Draft) -> None:
    """Browse a queue, mostly with selectors; or open an enumeration and go on in it later."""
    rules = draft.rules
    enumerations = [each.name for each in rules.browsers.values() if each.enumeration and each.state == "open"]
    if enumerations and draft.chance(0.4):
        draft.do("next", on=draft.one(enumerations))
        return
    browsers = [each.name for each in rules.browsers.values() if not each.enumeration and each.state == "open"]
    if browsers and draft.chance(0.25):
        if draft.chance(0.3):
            draft.made("enumerate", "e", on=draft.one(browsers))
        else:
            draft.do("browse", on=draft.one(browsers))
        return
    on = draft.one([each for each in draft.sessions() if each.connection.api != "topic"])
    queue = on and draft.one(fitting(draft, on, "queue"))
    if not on or not queue:
        return
    for _ in range(draft.one((1, 1, 2, 4))):
        args = {"selector": draft.selector()} if draft.chance(0.6) else {}
        name = draft.made("browser", "b", on=on.name, of=queue, **args)
        if name is None:
            break
        if draft.do("browse", on=name) is None and not on.connection.started:
            draft.do("start", on=root(on))
        elif draft.chance(0.2):
            enumeration = draft.made("enumerate", "e", on=name)
            for _ in range(draft.one((1, 2, 3)) if enumeration else 0):
                draft.do("next", on=enumeration)


def select(draft: Draft) -> None:
    """Browse a queue with many selectors; first of all make one with messages for them."""
    rules = draft.rules
    on = draft.one([each for each in draft.sessions() if each.connection.api != "topic"])
    if on is None:
        return
    if not on.connection.started:
        draft.do("start", on=root(on))
    queue = next((name for name in draft.stocks if rules.quiet(name)), None) or _stock(draft, on)
    sent = [each.name for each in rules.messages.values() if each.sent]
    maker = Selectors(draft.random, sent)
    if queue is not None:
        draft.do("select", on=on.name, of=queue, selectors=list(dict.fromkeys(maker.make() for _ in range(12))))


def _stock(draft: Draft, on: Session) -> str | None:
    """Make a queue of messages that differ in what selectors ask for."""
    queue = draft.made("queue", "q")
    sender = None if queue is None else draft.made("producer", "p", on=on.name, **_to(on, queue))
    if queue is None or sender is None:
        return None
    for _ in range(draft.one((4, 6, 8))):
        name = draft.made("message", "m", on=on.name, **draft.contents.selected(draft.destinations()))
        if name is not None:
            simplified = {"to": queue} if on.connection.simplified else {}
            options = {} if simplified or draft.chance(0.5) else draft.contents.send_options(virtual=False)
            draft.do("send", on=sender, message=name, **simplified, **options)
    if on.mode == "transacted":
        draft.do("commit", on=on.name)
    draft.stocks.append(queue)
    return queue


def _to(on: Session, queue: str) -> dict[str, Json]:
    return {} if on.connection.simplified else {"to": queue}


# -- waiting and asking ------------------------------------------------------------------------------------------------


def close_waiting(draft: Draft) -> None:
    """Close a consumer, or what it belongs to, while a receive waits in it."""
    found = draft.one(draft.receivers())
    if found is not None:
        draft.do("drain", on=found.name)
        of = draft.one((found.name, found.name, found.session.name, found.session.connection.name))
        body = {"body": True} if found.session.connection.simplified and draft.chance(0.5) else {}
        draft.do("close_waiting", on=found.name, of=of, **body)


def request(draft: Draft) -> None:
    """Ask with a requestor."""
    for on in draft.sessions():
        if draft.do("request", on=on.name, **_preset(draft)) is not None:
            return
    kinds = [each for each in draft.capabilities.apis if each in {"queue", "topic"}]
    if kinds and draft.chance(0.5):
        name = draft.made("connect", "c", api=draft.one(kinds))
        if name is not None:
            draft.do("start", on=name)
            made = draft.made("session", "s", on=name, mode="auto")
            draft.do("request", on=made, **_preset(draft))


def _preset(draft: Draft) -> dict[str, Json]:
    return {"preset": True} if draft.chance(0.5) else {}


MOVES: Final[Mapping[str, Move]] = {
    "consume": consume, "resume": resume, "reopen": reopen, "unsubscribe": unsubscribe, "take": take, "take_all": take_all, "settle": settle,
    "listen": listen, "browse": browse, "select": select, "close_waiting": close_waiting, "request": request,
}  # fmt: skip
