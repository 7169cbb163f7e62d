"""Operations that make consumers and delete subscriptions."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from tck import api
from tck.programs.observing.environment import Environment
from tck.programs.operations.clients import patiently
from tck.programs.operations.operation import Operation
from tck.programs.program import Json, Step, filled
from tck.programs.state.objects import (
    Branch,
    Consumer,
    Destination,
    Endpoint,
    OpenOutcome,
    Session,
)
from tck.programs.state.state import DURABLE, State, same_terms


def consumer(env: Environment, args: Mapping[str, Json], name: str | None) -> Json:
    """Make a consumer."""
    parent, kind, interface = env.get(args["on"]), args.get("kind", "plain"), env.api_of(args["on"])
    destination = env.find(args, "of")
    arguments: list[Any] = [destination]
    if kind != "plain":
        given = args.get("name")
        arguments.append(given if given is None else env.subscription_name(given))
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
    return "create_consumer" if kind == "plain" else f"create_{kind}_consumer"


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


def asks_exactly(selector: object) -> bool:
    """Return whether a selector asks for headers that a provider may leave out if asked to."""
    return isinstance(selector, str) and ("JMSMessageID" in selector or "JMSTimestamp" in selector)


def note_selector(state: State, selector: object) -> None:
    """Record what the selector of a consumer or browser asks for."""
    state.exact |= asks_exactly(selector)
    state.correlating |= isinstance(selector, str) and "JMSCorrelationID" in selector


def check_selector(state: State, args: Mapping[str, Json]) -> None:
    """Refuse a selector whose outcome depends on what a provider chooses.

    Raises:
        OpenOutcome: It does.
    """
    selector = args.get("selector")
    if asks_exactly(selector) and state.disabling:
        raise OpenOutcome("a producer was asked to leave out what it asks for, and may or may not")  # 7.4-13
    if selector and "JMSCorrelationID" in selector and state.native:
        raise OpenOutcome("what bytes are as text is the provider's own affair")  # 3.4.5-5
    if selector and "{time " in selector and not state.capabilities.virtual:
        raise OpenOutcome("which sends have one timestamp depends on the time")
    if selector and "{" in selector and args.get("kind", "plain") != "plain":
        raise OpenOutcome("its text changes with the message that it names")


def _check_consumer(state: State, args: Mapping[str, Json]) -> None:
    session = state.usable(args["on"])
    connection = session.connection
    destination = state.reachable(args.get("of"), connection)
    kind = args.get("kind", "plain")
    if kind in {"shared", "shared_durable"} and not state.capabilities.modern:
        raise OpenOutcome("the version has no shared subscriptions")
    if destination is not None and destination.kind == "queue" and (args.get("no_local") or kind != "plain"):
        raise OpenOutcome("noLocal on a queue is left open")  # 8.2-5
    if connection.simplified and connection.stopped and not connection.started and connection.auto_start:
        raise OpenOutcome("whether a consumer starts what was stopped is stated in two ways")  # 8.4-8
    if session.state != "open" or destination is None:
        return
    if destination.kind == "topic" and any(destination.name in each.unsent for each in state.working()):
        raise OpenOutcome("whether a new subscription gets what was sent before and committed after is left open")
    if kind in DURABLE and destination.temporary:
        raise OpenOutcome("durable subscriptions to temporary topics are left open")
    check_selector(state, args)
    _resumable(state, args, session, destination)


def _resumable(state: State, args: Mapping[str, Json], session: Session, destination: Destination) -> None:
    """Refuse to resume a subscription while a session that does not consume from it any more has messages of it."""
    kind = args.get("kind", "plain")
    end = state.endpoints.get(state.key_of(args, session, destination))
    if end is not None and any(state.consumers[each].pooled for each in end.consumers):
        _beside_pool(end, args, destination)
    if kind not in DURABLE:
        return
    if end is None or end.consumers:
        return
    others = [each for each in state.working() if end.key in each.held]
    if any(isinstance(each, Branch) for each in others):
        raise OpenOutcome("what a branch has received of it is neither settled nor returned")
    if others and (end.destination is not destination or not same_terms(end, args)):
        raise OpenOutcome("to replace a subscription with messages in hand is left open")  # 8.3.3-21, 8.3.3-22
    if others and session.connection.api == "topic":
        raise OpenOutcome("a TopicSession may refuse then")  # 8.3.3-42


def _beside_pool(end: Endpoint, args: Mapping[str, Json], destination: Destination) -> None:
    """Refuse a consumer that a connection consumer of the same subscription may keep from it."""
    same = end.destination is destination and end.kind == args.get("kind", "plain") and same_terms(end, args)
    if end.kind != "queue" and (end.kind == "durable" or not same):
        raise OpenOutcome("whether a connection consumer counts as a consumer of its subscription then is left open")


def _note_consumer(state: State, step: Step, _: object) -> None:
    args, name = step.args, step.name or ""
    session = state.sessions[args["on"]]
    destination = state.destinations[args["of"]]
    kind = "queue" if destination.kind == "queue" else args.get("kind", "plain")
    key = state.key_of(args, session, destination) or f"plain {name}"
    end = state.endpoints.get(key)
    if end is None or (not end.consumers and not _resumes(end, args, destination)):
        end = Endpoint(key, kind, destination, args.get("selector") or None, bool(args.get("no_local")))
        state.endpoints[key] = end
    made = Consumer(name, session, end)
    end.consumers.add(name)
    if len(end.consumers) > 1:
        end.contended = True
    state.consumers[name] = made
    note_selector(state, args.get("selector"))
    state.ends[name] = end
    if session.connection.simplified and session.connection.auto_start:
        session.connection.started = True


def _resumes(end: Endpoint, args: Mapping[str, Json], destination: Destination) -> bool:
    return end.kind == "queue" or (end.destination is destination and same_terms(end, args))


def unsubscribe(env: Environment, args: Mapping[str, Json], _: str | None) -> Json:
    """Delete a durable subscription."""
    found = env.get(args["on"])
    patiently(env, lambda: found.unsubscribe(env.subscription_name(args["name"])))


def _check_unsubscribe(state: State, args: Mapping[str, Json]) -> None:
    session = state.usable(args["on"])
    end = state.endpoints.get(f"durable {session.connection.client_id or ''}/{args.get('name')}")
    if end is None or session.state != "open":
        return
    if end.consumers or any(end.key in each.held for each in state.working()):
        raise OpenOutcome("to unsubscribe what is in use is left open")  # 8.3.3-20 to 8.3.3-22, 8.3.4-18, 8.3.4-19


def _note_unsubscribe(state: State, step: Step, _: object) -> None:
    client = state.sessions[step.args["on"]].connection.client_id or ""
    state.endpoints.pop(f"durable {client}/{step.args.get('name')}", None)


_INTERFACES: Final = {"JMSContext": "simplified", "QueueSession": "queue", "TopicSession": "topic"}
_CLASSES: Final = {
    "create_receiver": "QueueReceiver", "create_subscriber": "TopicSubscriber", "create_durable_subscriber": "TopicSubscriber",
}  # fmt: skip


def _maker(step: Step, on: str) -> str:
    """Return the method that makes a consumer."""
    interface, plain = _INTERFACES.get(on, "classic"), bool(step.args.get("plain"))
    return _method(str(step.args.get("kind", "plain")), interface, plain=plain)


def _class(step: Step, on: str) -> str:
    return _CLASSES.get(_maker(step, on), "JMSConsumer" if on == "JMSContext" else "MessageConsumer")


OPERATIONS: Final[tuple[Operation, ...]] = (
    Operation(
        "consumer", consumer, check=_check_consumer, note=_note_consumer,
        member=lambda step, on: f"{on}.{_maker(step, on)}", makes=_class, consumes=True,
    ),
    Operation("unsubscribe", unsubscribe, check=_check_unsubscribe, note=_note_unsubscribe, member="{on}.unsubscribe"),
)  # fmt: skip
