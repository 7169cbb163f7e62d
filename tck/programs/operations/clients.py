"""Operations on connections, contexts and sessions."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from tck import api
from tck.programs.observing.environment import Environment
from tck.programs.operations.operation import Operation
from tck.programs.program import Json, Step
from tck.programs.state.objects import (
    Browser,
    Connection,
    Consumer,
    OpenOutcome,
    Producer,
    Session,
)
from tck.programs.state.state import State

MODES: Final[Mapping[str, int]] = {"auto": 1, "client": 2, "dups_ok": 3, "transacted": 0}
_RETRIED: Final = (api.JMSException, api.JMSRuntimeException)


def connect(env: Environment, args: Mapping[str, Json], name: str | None) -> Json:
    """Make a connection, or a context."""
    kind = args["api"]
    made: Any
    if args.get("xa"):
        made = _connect_xa(env, kind)
    elif kind == "simplified":
        mode = args.get("mode")
        factory = env.factory("connection", name)
        made = factory.create_context() if mode is None else factory.create_context(session_mode=MODES[mode])
    elif kind == "queue":
        made = env.factory("queue_connection", name).create_queue_connection()
    elif kind == "topic":
        made = env.factory("topic_connection", name).create_topic_connection()
    else:
        made = env.factory("connection", name).create_connection()
    env.opened.append(made)
    if args.get("client_id"):
        identifier = env.provider_name(args["client_id"])
        patiently(env, lambda: setattr(made, "client_id", identifier))
    env.keep(name, made)
    if args.get("xa") and kind == "simplified":
        env.resources[name or ""] = made.xa_resource
    env.apis[name or ""] = kind
    env.clients[name or ""] = args.get("client_id") or ""
    return None


def _connect_xa(env: Environment, kind: str) -> Any:
    """Make an XA connection, or an XA context."""
    if kind == "simplified":
        return env.factory("xa_connection").create_xa_context()
    if kind == "classic":
        return env.factory("xa_connection").create_xa_connection()
    return getattr(env.factory(f"xa_{kind}_connection"), f"create_xa_{kind}_connection")()


def _check_connect(state: State, args: Mapping[str, Json]) -> None:
    wanted = args.get("client_id")
    if args["api"] not in state.capabilities.apis:
        raise OpenOutcome(f"the interface {args['api']} is not claimed")
    if args.get("xa") and ("xa" not in state.capabilities.features or args.get("mode", "transacted") != "transacted"):
        raise OpenOutcome("distributed transactions are not claimed, or the mode is none of them")  # 11.3-1
    if wanted and any(each.client_id == wanted and each.state == "open" for each in state.connections.values()):
        raise OpenOutcome("a client identifier that is in use should be refused, need not")  # 6.1.2-13


def _note_connect(state: State, step: Step, _: object) -> None:
    made = Connection(step.name or "", step.args["api"], step.args.get("client_id"), xa=bool(step.args.get("xa")))
    state.connections[made.name] = made
    if made.simplified:
        state.sessions[made.name] = Session(made.name, made, "transacted" if made.xa else step.args.get("mode", "auto"))


def patiently(env: Environment, call: Callable[[], Any]) -> Any:
    """Call; after a failure the provider may need a while to let go of what a lost client held."""
    end = env.clock.now() + env.terms.deadline
    while True:
        try:
            return call()
        except _RETRIED:
            expected = env.expected is None or "raises" in env.expected
            if env.virtual or not env.failed or expected or env.clock.now() >= end:
                raise
        env.clock.event().wait(BETWEEN_MS)


BETWEEN_MS: Final = 50


_XA_SESSIONS: Final[Mapping[str, tuple[str, str]]] = {
    "classic": ("create_xa_session", "session"), "queue": ("create_xa_queue_session", "queue_session"),
    "topic": ("create_xa_topic_session", "topic_session"),
}  # fmt: skip


def session(env: Environment, args: Mapping[str, Json], name: str | None) -> Json:
    """Make a session, or a context over the same connection."""
    parent, kind, mode = env.get(args["on"]), env.api_of(args["on"]), args.get("mode", "auto")
    made: Any
    if args.get("xa"):
        owner = getattr(parent, _XA_SESSIONS[kind][0])()
        env.resources[name or ""] = owner.xa_resource
        made = getattr(owner, _XA_SESSIONS[kind][1])
    elif kind == "simplified":
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


def _check_session(state: State, args: Mapping[str, Json]) -> None:
    connection = state.alive(args["on"])
    if bool(args.get("xa")) != connection.xa:
        raise OpenOutcome("what an ordinary session of an XA connection is, is left open")  # 11.3.2-4
    if connection.xa and (connection.simplified or connection.state != "open" or args.get("mode") != "transacted"):
        raise OpenOutcome("only an open XA connection makes XA sessions")


def _note_session(state: State, step: Step, _: object) -> None:
    name = step.name or ""
    state.sessions[name] = Session(name, state.connection_of(step.args["on"]), step.args.get("mode", "auto"))


def start(env: Environment, args: Mapping[str, Json], _: str | None) -> Json:
    """Start a connection."""
    env.get(args["on"]).start()


def check_alive(state: State, args: Mapping[str, Json]) -> None:
    """Refuse a step on a connection, session or context that was lost in a failure."""
    state.alive(args["on"])


def _note_start(state: State, step: Step, _: object) -> None:
    state.connection_of(step.args["on"]).started = state.fresh = True


def stop(env: Environment, args: Mapping[str, Json], _: str | None) -> Json:
    """Stop a connection."""
    env.get(args["on"]).stop()


def _check_stop(state: State, args: Mapping[str, Json]) -> None:
    check_alive(state, args)
    state.heard(stops=True)


def _note_stop(state: State, step: Step, _: object) -> None:
    found = state.connection_of(step.args["on"])
    found.started, found.stopped = False, True


def auto_start(env: Environment, args: Mapping[str, Json], _: str | None) -> Json:
    """Set whether consumers start the connection."""
    env.get(args["on"]).auto_start = args["value"]


def _note_auto_start(state: State, step: Step, _: object) -> None:
    state.connection_of(step.args["on"]).auto_start = step.args["value"]


def close(env: Environment, args: Mapping[str, Json], _: str | None) -> Json:
    """Close whatever can be closed."""
    env.get(args["on"]).close()


def _check_close(state: State, args: Mapping[str, Json]) -> None:
    name = args["on"]
    state.heard()
    if name in state.sessions or name in state.connections:
        state.alive(name)
        if name in state.sessions and state.sessions[name].pooled and state.sessions[name].listening:
            raise OpenOutcome("what a connection consumer does without its session is left open")
    else:
        found = state.closable(name)
        if found.state == "dead":
            raise OpenOutcome(f"{name} was lost in a failure")
        if isinstance(found, Consumer) and found.pooled and found.session.connection.state != "open":
            raise OpenOutcome(f"{name} was closed with its connection")
        if isinstance(found, (Producer, Browser)) and found.session.running:
            raise OpenOutcome(f"{name} belongs to the thread that calls the session's listeners")


def note_close(state: State, step: Step, _: object) -> None:
    """Record the close of any object, and what closes with it."""
    name = step.args["on"]
    connection = state.connections.get(name)
    if connection is not None and not connection.simplified:
        connection.state = "closed"
        state.end_connection(connection)
    elif name in state.sessions:
        state.close_session(state.sessions[name])
    else:
        found = state.closable(name)
        found.closed = True
        if isinstance(found, Consumer):
            state.leave(found)


_MADE: Final[Mapping[str, tuple[str, str]]] = {
    "simplified": ("ConnectionFactory.create_context", "JMSContext"), "classic": ("ConnectionFactory.create_connection", "Connection"),
    "queue": ("QueueConnectionFactory.create_queue_connection", "QueueConnection"),
    "topic": ("TopicConnectionFactory.create_topic_connection", "TopicConnection"),
}  # fmt: skip
"""By interface, the method that makes a connection or context, and its class."""
_SESSIONS: Final[Mapping[str, str]] = {
    "JMSContext": "create_context", "QueueConnection": "create_queue_session", "TopicConnection": "create_topic_session",
}  # fmt: skip


OPERATIONS: Final[tuple[Operation, ...]] = (
    Operation(
        "connect", connect, check=_check_connect, note=_note_connect,
        member=lambda step, _: _MADE[step.args["api"]][0], makes=lambda step, _: _MADE[step.args["api"]][1],
    ),
    Operation(
        "session", session, check=_check_session, note=_note_session,
        member=lambda _, on: f"{on}.{_SESSIONS.get(on, 'create_session')}", makes=lambda _, on: on.replace("Connection", "Session"),
    ),
    Operation("start", start, check=check_alive, note=_note_start, member="{on}.start"),
    Operation("stop", stop, check=_check_stop, note=_note_stop, member="{on}.stop"),
    Operation("auto_start", auto_start, note=_note_auto_start, member="{on}.auto_start"),
    Operation("close", close, check=_check_close, note=note_close, member="{on}.close", gives_back=True, closes="on"),
)  # fmt: skip
