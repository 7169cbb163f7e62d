"""Calls on consumers and browsers, and what listeners do."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from tck import api
from tck.programs.execution.calls_clients import Call, patiently
from tck.programs.execution.calls_sending import BODY_CLASSES
from tck.programs.execution.environment import Environment
from tck.programs.execution.look import gathered, received, told
from tck.programs.program import Json, filled
from tck.programs.values import typed

_MOST: Final = 200
"""At most so many messages are drained or browsed, in case they never end."""


# -- consumers ---------------------------------------------------------------------------------------------------------


def consumer(env: Environment, args: Mapping[str, Json], name: str | None) -> Json:
    """Make a consumer."""
    parent, kind, interface = env.get(args["on"]), args.get("kind", "plain"), env.api_of(args["on"])
    destination = env.find(args, "of")
    arguments: list[Any] = [destination]
    if kind != "plain":
        given = args.get("name")
        arguments.append(given if given is None else env.scope + given)
    selector, no_local = selector_of(env, args.get("selector")), args.get("no_local")
    method = _method(kind, interface, plain=bool(args.get("plain")))
    if "selector" in args or no_local is not None:
        arguments.append(selector)
        if no_local is not None or method == "create_subscriber" or kind == "durable":
            arguments.append(bool(no_local))  # there is no overload with a selector alone
    made = patiently(env, lambda: getattr(parent, method)(*arguments))
    env.keep(name, made, args["on"])
    env.ends[name or ""] = _end(env, args, name)
    env.selectors[name or ""] = selector or None
    return {"selector": made.message_selector == (selector or None)}


def _method(kind: str, interface: str, *, plain: bool) -> str:
    if interface == "queue" and not plain and kind == "plain":
        return "create_receiver"
    if interface == "topic" and not plain and kind == "plain":
        return "create_subscriber"
    if kind == "durable":
        return "create_durable_subscriber" if interface != "simplified" and not plain else "create_durable_consumer"
    return {
        "plain": "create_consumer", "shared": "create_shared_consumer", "shared_durable": "create_shared_durable_consumer",
    }[kind]  # fmt: skip


def selector_of(env: Environment, selector: Any) -> Any:
    """Return a selector with identifiers and timestamps of messages put in."""
    if not selector or "{" not in selector:
        return selector
    known = {}
    for name, value in env.objects.items():
        if isinstance(value, api.Message):
            bare = env.bare(value)
            known[name] = (str(bare.jms_message_id), int(bare.jms_timestamp))
    return filled(selector, known)


def _end(env: Environment, args: Mapping[str, Json], name: str | None) -> str:
    if isinstance(env.get(args["of"]), api.Queue):
        return str(args["of"])
    kind = args.get("kind", "plain")
    if kind == "plain":
        return f"plain {name}"
    return f"{'shared' if kind == 'shared' else 'durable'} {env.clients[args['on']]}/{args.get('name')}"


# -- receiving ---------------------------------------------------------------------------------------------------------


def receive(env: Environment, args: Mapping[str, Json], name: str | None) -> Json:
    """Receive the next message, if there is one."""
    found = env.get(args["on"])
    hint = None if env.hint is None else env.hint.get("ok")
    expected = None if hint is None else hint.get("got") is not None
    ways = (found.receive, found.receive_no_wait)
    message = _take(env, ways, args.get("how", "timeout"), expected, contended=bool(env.hint and env.hint.get("loose")))
    if message is None:
        return {"got": None}
    env.keep(name, message)
    seen = received(env, message, body=args.get("look", "all") == "all")
    _count(env, args["on"], seen)
    return {"got": seen}


def _take(
    env: Environment,
    ways: tuple[Callable[..., Any], Callable[[], Any]],
    how: str,
    expected: bool | None,
    *,
    contended: bool = False,
) -> Any:
    """Receive in one of three ways: what must come is waited for, what need not come only briefly."""
    waiting, at_once = ways
    if how == "no_wait" and (env.virtual or not expected):
        return at_once()
    if not expected or contended:
        return waiting(env.brief())
    if how == "forever" and env.patient:
        return waiting()
    if how == "no_wait":
        # "Immediately available" is up to the provider; what it has it must give sooner or later.
        found: list[Any] = []
        env.until(lambda: bool(found) or _got(found, at_once()), env.patience())
        message = found[0] if found else None
    else:
        message = waiting(env.patience())
    if message is None:
        env.disappointed()
    return message


def _got(into: list[Any], message: Any) -> bool:
    if message is not None:
        into.append(message)
    return message is not None


def receive_body(env: Environment, args: Mapping[str, Json], _: str | None) -> Json:
    """Receive the body of the next message, if there is one."""
    found, kind = env.get(args["on"]), BODY_CLASSES[args["type"]]
    hint = None if env.hint is None else env.hint.get("ok")
    # A call that must fail for its type waits for the message as well.
    expected = None if env.hint is None else hint is None or hint.get("got") is not None
    ways = (lambda *wait: found.receive_body(kind, *wait), lambda: found.receive_body_no_wait(kind))
    value = _take(env, ways, args.get("how", "timeout"), expected)
    return {"got": None if value is None else typed(value)}


def drain(env: Environment, args: Mapping[str, Json], _: str | None) -> Json:
    """Receive all there is."""
    found = env.get(args["on"])
    hint = None if env.hint is None else env.hint.get("ok")
    seen: list[Json] = []
    while len(seen) < _MOST:
        expected = None
        if hint is not None:
            missing = hint["total"] - len(env.seen_at.get(env.ends[args["on"]], ()))
            expected = len(seen) < len(hint["got"]) or missing > 0
        message = _take(env, (found.receive, found.receive_no_wait), "timeout", expected)
        if message is None:
            break
        one = received(env, message)
        seen.append(one)
        _count(env, args["on"], one)
    return {"got": seen, "total": len(env.seen_at.get(env.ends[args["on"]], ()))}


def _count(env: Environment, name: str, seen: Json) -> None:
    """Record which messages were seen at an endpoint, so that it is known when all were."""
    identity = seen["send"] if seen["send"] is not None else repr(seen.get("body"))
    env.seen_at.setdefault(env.ends[name], set()).add(identity)


# -- listeners ---------------------------------------------------------------------------------------------------------


class _Listener(api.MessageListener):
    """Takes messages; does with each what the program says."""

    def __init__(self, env: Environment, name: str, does: str) -> None:
        self.env = env
        self.name = name
        self.does = does

    def on_message(self, message: api.Message) -> None:
        """Take a message."""
        env = self.env
        before = env.delivered(self.name, gathered(env, message))
        try:
            if self.does == "throw" and before == 0:
                raise ValueError("as the program wants it")
            if self.does == "acknowledge":
                message.acknowledge()
            elif self.does == "commit":
                env.get(f"{self.name}'s session").commit()
        finally:
            env.ring()


def listen(env: Environment, args: Mapping[str, Json], _: str | None) -> Json:
    """Give a consumer a listener."""
    found = env.get(args["on"])
    listener = _Listener(env, args["on"], args.get("does", "take"))
    if args.get("does") == "commit":
        env.objects[f"{args['on']}'s session"] = env.get(args["session"])
    found.message_listener = listener
    return {"kept": args.get("does") == "commit" or found.message_listener is listener}


def unlisten(env: Environment, args: Mapping[str, Json], _: str | None) -> Json:
    """Take the listener away."""
    found = env.get(args["on"])
    found.message_listener = None
    return {"kept": found.message_listener is None}


def settle(env: Environment, hint: Mapping[str, Json] | None) -> dict[str, Json]:
    """Wait until listeners were given what they must be given; return what they were given since the last time."""
    if hint is None:
        env.clock.event().wait(1)
        return _collected(env)
    wanted = hint["total"]
    if not env.until(lambda: env.total() >= wanted, env.patience()):
        env.disappointed()
    if env.virtual:
        env.clock.event().wait(1)
    return _collected(env)


def _collected(env: Environment) -> dict[str, Json]:
    found = {name: [told(env, each) for each in given] for name, given in env.collect().items()}
    for name, given in found.items():
        for each in given:
            _count(env, name, each)
    return found


# -- browsers ----------------------------------------------------------------------------------------------------------


def browser(env: Environment, args: Mapping[str, Json], name: str | None) -> Json:
    """Make a browser."""
    given = [selector_of(env, args.get("selector"))] if "selector" in args else []
    made = env.get(args["on"]).create_browser(env.find(args, "of"), *given)
    env.keep(name, made, args["on"])
    env.selectors[name or ""] = (given[0] or None) if given else None
    return {"selector": made.message_selector == env.selectors[name or ""]}


def browse(env: Environment, args: Mapping[str, Json], _: str | None) -> Json:
    """Go through a fresh enumeration."""
    found = env.get(args["on"])
    hint = None if env.hint is None else env.hint.get("ok")
    wanted = 0 if hint is None else len(hint["shown"])
    end = env.clock.now() + env.patience()
    while True:
        shown = _shown(env, found.get_enumeration())
        if env.virtual or len(shown) >= wanted or env.clock.now() >= end:
            break
        env.clock.event().wait(env.brief())
    if not env.virtual and len(shown) < wanted:
        env.disappointed()
    return {"shown": shown}


def _shown(env: Environment, messages: Iterator[Any]) -> list[Json]:
    shown: list[Json] = []
    for each in messages:
        shown.append(received(env, each))
        if len(shown) >= _MOST:
            break
    return shown


def enumerate_(env: Environment, args: Mapping[str, Json], name: str | None) -> Json:
    """Open an enumeration, to go through it later."""
    env.keep(name, env.get(args["on"]).get_enumeration())
    return None


def next_(env: Environment, args: Mapping[str, Json], _: str | None) -> Json:
    """Go on in an enumeration."""
    found = next(env.get(args["on"]), None)
    return {"got": None if found is None else received(env, found)}


CALLS: Final[Mapping[str, Call]] = {
    "consumer": consumer, "receive": receive, "receive_body": receive_body, "drain": drain, "listen": listen,
    "unlisten": unlisten, "browser": browser, "browse": browse, "enumerate": enumerate_, "next": next_,
}  # fmt: skip
