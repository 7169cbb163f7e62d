"""Operations that read attributes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any, Final

from tck import api
from tck.programs.observing.environment import Environment
from tck.programs.observing.look import SUPPORTED, tried
from tck.programs.operations.messages import NATIVE
from tck.programs.operations.operation import Compared, Operation
from tck.programs.program import Json, Step
from tck.programs.state.objects import (
    Browser,
    Consumer,
    OpenOutcome,
    Producer,
)
from tck.programs.state.state import State
from tck.programs.values import typed


def get(env: Environment, args: Mapping[str, Json], _: str | None) -> Json:
    """Read an attribute of an object that is closed."""
    return getattr(env.get(args["on"]), args["what"])


def _check_get(state: State, args: Mapping[str, Json]) -> None:
    name = args["on"]
    if name in state.connections or name in state.sessions:
        state.alive(name)
        return
    found = state.consumers.get(name) or state.producers.get(name) or state.browsers.get(name)
    if found is None:
        return
    state.usable(found.session.name)
    simplified = found.session.connection.simplified
    if found.state != "open" and (isinstance(found, Browser) or (simplified and not isinstance(found, Consumer))):
        raise OpenOutcome("what it says then is left open")


_SESSION: Final = ("transacted", "acknowledge_mode")


_CONTEXT: Final = ("transacted", "session_mode", "auto_start")


_PRODUCER: Final = (
    "delivery_mode",
    "priority",
    "time_to_live",
    "delivery_delay",
    "disable_message_id",
    "disable_message_timestamp",
)


_HEADERS: Final = ("jms_type", "jms_correlation_id")


def state_(env: Environment, args: Mapping[str, Json], _: str | None) -> Json:
    """Ask an object all that it tells about itself."""
    found = env.get(args["on"])
    return {name: tried(read) for name, read in _getters(env, args["on"], env.bare(found), found)}


def _getters(env: Environment, name: str, bare: Any, found: Any) -> Iterator[tuple[str, Callable[[], Json]]]:
    if isinstance(found, (api.Connection, api.JMSContext)):
        yield "client_id", lambda: own_name(env, bare.client_id)
        yield "jmsx", lambda: announced(env, bare.meta_data)
    if isinstance(found, (api.Session, api.JMSContext)):
        names = _CONTEXT if isinstance(found, api.JMSContext) else _SESSION
        yield from ((each, partial(getattr, bare, each)) for each in names)
    elif isinstance(found, api.JMSProducer):
        yield from _simplified_producer(env, bare)
    elif isinstance(found, api.MessageProducer):
        for each in _PRODUCER:
            yield each, partial(_scaled, each, partial(getattr, bare, each), env.terms.unit)
        for each in ("destination", *(("queue",) if isinstance(found, api.QueueSender) else ())):
            yield each, partial(_destination, env, bare, each)
    elif not isinstance(found, api.Connection):
        yield from _receiver(env, name, bare, found)


def _simplified_producer(env: Environment, bare: Any) -> Iterator[tuple[str, Callable[[], Json]]]:
    for each in _PRODUCER:
        yield each, partial(_scaled, each, getattr(bare, f"get_{each}"), env.terms.unit)
    for each in _HEADERS:
        yield each, getattr(bare, f"get_{each}")
    yield "jms_reply_to", lambda: env.name_of(bare.get_jms_reply_to())
    yield "async", lambda: bare.get_async() is None
    yield (
        "properties",
        lambda: {str(each): typed(bare.get_object_property(each)) for each in sorted(bare.get_property_names())},
    )


def _receiver(env: Environment, name: str, bare: Any, found: Any) -> Iterator[tuple[str, Callable[[], Json]]]:
    yield "selector", lambda: bare.message_selector == env.selectors[name]
    if isinstance(found, (api.QueueBrowser, api.QueueReceiver)):
        yield "queue", partial(_destination, env, bare, "queue")
    if not isinstance(found, api.QueueBrowser):
        yield "listener", lambda: bare.message_listener is None
    if isinstance(found, api.TopicSubscriber):
        yield "topic", partial(_destination, env, bare, "topic")
        yield "no_local", lambda: bool(bare.no_local)


def _destination(env: Environment, bare: Any, name: str) -> Json:
    return env.name_of(getattr(bare, name))


def _scaled(name: str, read: Callable[[], Any], unit: int) -> Json:
    value = read()
    return value / unit if name in {"time_to_live", "delivery_delay"} else value


def own_name(env: Environment, value: Any) -> Json:
    """Return a client identifier as the program has it."""
    return None if value is None else env.program_name(str(value))


def announced(env: Environment, meta_data: Any) -> Json:
    """Return the JMSX properties that a provider announces and must announce, or must not."""
    known = {*SUPPORTED, *env.terms.claimed, "JMSXState", "jmsxgroupid"}
    return sorted({str(each) for each in meta_data.get_jmsx_property_names()} & known)


def _check_state(state: State, args: Mapping[str, Json]) -> None:
    name = args["on"]
    if name in state.sessions or name in state.connections:
        state.alive(name)
        found_state = state.sessions[name].state if name in state.sessions else state.connections[name].state
        if found_state != "open" or (name in state.sessions and state.sessions[name].running):
            raise OpenOutcome("it is closed, or in use")
        return
    found = state.consumers.get(name) or state.producers.get(name) or state.browsers[name]
    if found.state != "open" or found.session.running or (isinstance(found, Browser) and found.enumeration):
        raise OpenOutcome("it is closed, or in use")
    if isinstance(found, Producer) and found.correlates == NATIVE:
        raise OpenOutcome("what the text of bytes is, is left open")  # 3.4.5-5


def metadata(env: Environment, args: Mapping[str, Json], _: str | None) -> Json:
    """Ask a connection or context for its metadata; what the provider chooses is shown by its form."""
    found = env.bare(env.get(args["on"])).meta_data
    major, minor = found.jms_major_version, found.jms_minor_version
    return {
        "version": found.jms_version.startswith(f"{major}.{minor}"),
        "provider": bool(found.jms_provider_name),
        "again": announced(env, found) == announced(env, found),
        "jmsx": announced(env, found),
    }


def check_connection(state: State, args: Mapping[str, Json]) -> None:
    """Refuse a step that is on neither a connection nor a context, or on one that is closed or in use."""
    found = state.sessions.get(args["on"])
    if found is not None and not found.connection.simplified:
        raise OpenOutcome("only a connection or context has it")
    _check_state(state, args)


def _member(_: Step, on: str) -> str:
    if on.endswith("Connection") or on == "JMSContext":
        return f"{on}.client_id"
    if on.endswith("Session"):
        return f"{on}.transacted"
    if on in {"MessageProducer", "QueueSender", "TopicPublisher", "JMSProducer"}:
        return f"{on}.{'get_' if on == 'JMSProducer' else ''}delivery_mode"
    return "MessageConsumer.message_selector"


OPERATIONS: Final[tuple[Operation, ...]] = (
    Operation("get", get, check=_check_get, member=_member),
    Operation("state", state_, check=_check_state, compared=Compared.ATTRIBUTES, member=_member),
    Operation("metadata", metadata, check=check_connection, keeps_browsers=True),
)
