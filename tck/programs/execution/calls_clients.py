"""Calls on connections, sessions and contexts, destinations, and on the provider itself."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Mapping
from typing import Any, Final, TypeAlias

from tck import api
from tck.programs.execution.environment import Environment
from tck.programs.program import Json

Call: TypeAlias = Callable[[Environment, Mapping[str, Json], "str | None"], Json]
"""Does one step: the environment, the arguments, the name of the result."""

MODES: Final[Mapping[str, int]] = {"auto": 1, "client": 2, "dups_ok": 3, "transacted": 0}
_RETRIED: Final = (api.JMSException, api.JMSRuntimeException)


def connect(env: Environment, args: Mapping[str, Json], name: str | None) -> Json:
    """Make a connection, or a context."""
    kind = args["api"]
    made: Any
    if kind == "simplified":
        mode = args.get("mode")
        factory = env.factory("connection")
        made = factory.create_context() if mode is None else factory.create_context(session_mode=MODES[mode])
    elif kind == "queue":
        made = env.factory("queue_connection").create_queue_connection()
    elif kind == "topic":
        made = env.factory("topic_connection").create_topic_connection()
    else:
        made = env.factory("connection").create_connection()
    env.opened.append(made)
    if args.get("client_id"):
        identifier = f"{env.scope}.{args['client_id']}"
        patiently(env, lambda: setattr(made, "client_id", identifier))
    env.keep(name, made)
    env.apis[name or ""] = kind
    env.clients[name or ""] = args.get("client_id") or ""
    return None


def patiently(env: Environment, call: Callable[[], Any]) -> Any:
    """Call; after a failure the provider may need a while to let go of what a lost client held."""
    end = env.clock.now() + env.terms.deadline
    while True:
        try:
            return call()
        except _RETRIED:
            expected = env.hint is None or "raises" in env.hint
            if env.virtual or not env.failed or expected or env.clock.now() >= end:
                raise
        env.clock.event().wait(BETWEEN_MS)


BETWEEN_MS: Final = 50


def session(env: Environment, args: Mapping[str, Json], name: str | None) -> Json:
    """Make a session, or a context over the same connection."""
    parent, kind, mode = env.get(args["on"]), env.api_of(args["on"]), args.get("mode", "auto")
    made: Any
    if kind == "simplified":
        made = parent.create_context(MODES[mode])
        env.opened.append(made)
    elif kind == "queue":
        made = parent.create_queue_session(mode == "transacted", MODES[mode])
    elif kind == "topic":
        made = parent.create_topic_session(mode == "transacted", MODES[mode])
    else:
        made = _classic(parent, args.get("form", "both"), mode)
    env.keep(name, made, args["on"])
    return None


def _classic(connection: Any, form: str, mode: str) -> Any:
    if form == "default":
        return connection.create_session()
    if form == "mode":
        return connection.create_session(session_mode=MODES[mode])
    # With a transaction the mode that is given along does not count (6.2-3).
    along = MODES[mode] if mode != "transacted" or form != "odd" else MODES["client"]
    return connection.create_session(transacted=mode == "transacted", session_mode=along)


def start(env: Environment, args: Mapping[str, Json], _: str | None) -> Json:
    """Start a connection."""
    env.get(args["on"]).start()


def stop(env: Environment, args: Mapping[str, Json], _: str | None) -> Json:
    """Stop a connection."""
    env.get(args["on"]).stop()


def auto_start(env: Environment, args: Mapping[str, Json], _: str | None) -> Json:
    """Set whether consumers start the connection."""
    env.get(args["on"]).auto_start = args["value"]


def close(env: Environment, args: Mapping[str, Json], _: str | None) -> Json:
    """Close whatever can be closed."""
    env.get(args["on"]).close()


def queue(env: Environment, args: Mapping[str, Json], name: str | None) -> Json:
    """Have an administrator create a queue, or ask a session for one by name."""
    return _destination(env, args, name, "queue")


def topic(env: Environment, args: Mapping[str, Json], name: str | None) -> Json:
    """Have an administrator create a topic, or ask a session for one by name."""
    return _destination(env, args, name, "topic")


def _destination(env: Environment, args: Mapping[str, Json], name: str | None, kind: str) -> Json:
    if args.get("on") is not None:
        # A further object for the same destination (4.1.4-2): it takes the place of the first.
        known = env.get(args["of"])
        text = known.queue_name if kind == "queue" else known.topic_name
        made = getattr(env.get(args["on"]), f"create_{kind}")(text)
        env.objects[args["of"]] = made
        return {"name": (made.queue_name if kind == "queue" else made.topic_name) == text}
    found = getattr(env.provider, f"create_{kind}")(f"{env.scope}.{name}")
    env.made.append(found)
    env.made_destination(name or "", found)
    return None


def temporary(env: Environment, args: Mapping[str, Json], name: str | None) -> Json:
    """Make a temporary destination."""
    kind = args["kind"]
    made = getattr(env.get(args["on"]), f"create_temporary_{kind}")()
    env.made_destination(name or "", made)
    return {"name": bool(made.queue_name if kind == "queue" else made.topic_name)}


def delete(env: Environment, args: Mapping[str, Json], _: str | None) -> Json:
    """Delete a temporary destination."""
    env.get(args["on"]).delete()


def acknowledge(env: Environment, args: Mapping[str, Json], _: str | None) -> Json:
    """Acknowledge by a message, or by a context."""
    env.get(args["on"]).acknowledge()


def recover(env: Environment, args: Mapping[str, Json], _: str | None) -> Json:
    """Recover a session."""
    env.get(args["on"]).recover()


def commit(env: Environment, args: Mapping[str, Json], _: str | None) -> Json:
    """Commit a session."""
    env.get(args["on"]).commit()


def rollback(env: Environment, args: Mapping[str, Json], _: str | None) -> Json:
    """Roll back a session."""
    env.get(args["on"]).rollback()


def unsubscribe(env: Environment, args: Mapping[str, Json], _: str | None) -> Json:
    """Delete a durable subscription."""
    found = env.get(args["on"])
    patiently(env, lambda: found.unsubscribe(env.scope + args["name"]))


def advance(env: Environment, args: Mapping[str, Json], _: str | None) -> Json:
    """Let time pass: so many units, and a little more where time is real."""
    span = args["units"] * env.terms.unit + args.get("ms", 0)
    if env.virtual:
        env.clock.advance(span)
        # Who is due now runs before the next step.
        env.clock.event().wait(1)
    else:
        env.clock.event().wait(span + env.terms.tolerance + BETWEEN_MS)


def restart(env: Environment, _args: Mapping[str, Json], _: str | None) -> Json:
    """Stop the provider in good order and start it again."""
    env.provider.restart()
    env.failed = True


def kill(env: Environment, _args: Mapping[str, Json], _: str | None) -> Json:
    """Lose the provider and start it again."""
    env.provider.kill()
    env.failed = True


def sever(env: Environment, args: Mapping[str, Json], _: str | None) -> Json:
    """Break the link of a connection."""
    env.provider.sever(env.get(args["on"]))
    env.failed = True
    if env.virtual:
        env.clock.event().wait(1)


def get(env: Environment, args: Mapping[str, Json], _: str | None) -> Json:
    """Read an attribute of an object that is closed."""
    return getattr(env.get(args["on"]), args["what"])


CALLS: Final[Mapping[str, Call]] = {
    each.__name__: each
    for each in (
        connect, session, start, stop, auto_start, close, queue, topic, temporary, delete, acknowledge, recover, commit,
        rollback, unsubscribe, advance, restart, kill, sever, get,
    )
}  # fmt: skip


def clean_up(env: Environment) -> None:
    """Close what a program left open and drop what it made, whatever state it is in."""
    for each in reversed(env.opened):
        with contextlib.suppress(Exception):
            each.close()
    for destination in env.made:
        with contextlib.suppress(Exception):
            env.provider.drop(destination)
