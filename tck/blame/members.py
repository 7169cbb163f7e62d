"""The member of the API that a step calls, as events name it: of that, the catalogue knows who owns its refusal.

The member depends on the operation, on its arguments, and on the interface of the object that it is called on.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from tck.catalogue.owners import load_call_owners
from tck.catalogue.versions import NEWEST
from tck.programs.program import Program, Step

Calls = Callable[[Step, str], "str | None"]
"""Returns the member that a step calls: the step, the class of the object that it is on."""

_PREFIX: Final[Mapping[str, str]] = {"classic": "", "queue": "Queue", "topic": "Topic"}
_MESSAGES: Final[Mapping[str, str]] = {
    "text": "TextMessage", "bytes": "BytesMessage", "map": "MapMessage", "stream": "StreamMessage", "object": "ObjectMessage",
}  # fmt: skip
_BASES: Final[Mapping[str, str]] = {
    "QueueReceiver": "MessageConsumer", "TopicSubscriber": "MessageConsumer",
    "QueueSender": "MessageProducer", "TopicPublisher": "MessageProducer",
}  # fmt: skip
"""Of the domain-specific classes that inherit nearly all of their members, the class that they inherit from."""
_FACTORIES: Final[Mapping[str, str]] = {
    "simplified": "ConnectionFactory.create_context", "classic": "ConnectionFactory.create_connection",
    "queue": "QueueConnectionFactory.create_queue_connection", "topic": "TopicConnectionFactory.create_topic_connection",
}  # fmt: skip
_SESSIONS: Final[Mapping[str, str]] = {
    "JMSContext": "create_context", "Connection": "create_session", "QueueConnection": "create_queue_session",
    "TopicConnection": "create_topic_session",
}  # fmt: skip
_PRODUCERS: Final[Mapping[str, tuple[str, str]]] = {
    "JMSContext": ("create_producer", "JMSProducer"), "QueueSession": ("create_sender", "QueueSender"),
    "TopicSession": ("create_publisher", "TopicPublisher"),
}  # fmt: skip
_CONSUMERS: Final[Mapping[str, tuple[str, str]]] = {
    "QueueSession": ("create_receiver", "QueueReceiver"), "TopicSession": ("create_subscriber", "TopicSubscriber"),
}  # fmt: skip
_SUBSCRIPTIONS: Final[Mapping[str, str]] = {
    "shared": "create_shared_consumer", "shared_durable": "create_shared_durable_consumer",
}  # fmt: skip
_OPTIONS: Final[Mapping[str, str]] = {
    "mode": "delivery_mode", "ttl": "time_to_live", "delay": "delivery_delay", "disable_id": "disable_message_id",
    "disable_time": "disable_message_timestamp", "type": "jms_type", "correlation": "jms_correlation_id",
    "reply_to": "jms_reply_to",
}  # fmt: skip
_HEADERS: Final[Mapping[str, str]] = {
    "id": "jms_message_id", "mode": "jms_delivery_mode", "correlation_bytes": "jms_correlation_id", "correlation_native": "jms_correlation_id",
    "correlation_of": "jms_correlation_id", "correlation": "jms_correlation_id",
}  # fmt: skip
_TOLD: Final = frozenset({*_OPTIONS.values(), "priority", "async"})
"""What a JMSProducer tells of itself, but for its properties."""


def classes_of(program: Program, until: int) -> dict[str, str]:
    """Return the classes of the objects that steps make, by their names in the program.

    Args:
        program: The program.
        until: Number of the first step that does not count.
    """
    found: dict[str, str] = {}
    for step in program.steps[:until]:
        if step.name is not None:
            found[step.name] = _made(step, found)
    return found


def _made(step: Step, known: Mapping[str, str]) -> str:
    on = known.get(str(step.args.get("on")), "")
    match step.do:
        case "connect":
            kind = str(step.args["api"])
            return "JMSContext" if kind == "simplified" else f"{_PREFIX[kind]}Connection"
        case "session":
            return "JMSContext" if on == "JMSContext" else on.replace("Connection", "Session")
        case "producer":
            plain = "JMSProducer" if on == "JMSContext" else "MessageProducer"
            return plain if step.args.get("plain") else _PRODUCERS.get(on, ("", plain))[1]
        case "consumer":
            return _consumer(step, on)[1]
        case "pool":
            return "ConnectionConsumer"
        case "browser" | "enumerate":
            return "QueueBrowser"
        case "queue" | "topic":
            return step.do.capitalize()
        case "temporary":
            return f"Temporary{str(step.args['kind']).capitalize()}"
        case "message":
            return _MESSAGES.get(str(step.args["kind"]), "Message")
        case _:
            return "Message"


def _consumer(step: Step, on: str) -> tuple[str, str]:
    """Return the method that makes a consumer, and the class of the consumer."""
    kind = str(step.args.get("kind", "plain"))
    plain = "JMSConsumer" if on == "JMSContext" else "MessageConsumer"
    if kind == "durable":
        old = on != "JMSContext" and not step.args.get("plain")
        return ("create_durable_subscriber", "TopicSubscriber") if old else ("create_durable_consumer", plain)
    if kind in _SUBSCRIPTIONS:
        return _SUBSCRIPTIONS[kind], plain
    return ("create_consumer", plain) if step.args.get("plain") else _CONSUMERS.get(on, ("create_consumer", plain))


def member_of(program: Program, number: int) -> str | None:
    """Return the member that a step calls, such as ``JMSContext.create_queue``; None where it calls none of the API.

    Args:
        program: The program.
        number: Number of the step.
    """
    step = program.steps[number]
    known = classes_of(program, number)
    calls = _CALLS.get(step.do)
    return None if calls is None else calls(step, known.get(str(step.args.get("on")), ""))


def owner_of(member: str | None, version: str = NEWEST) -> str | None:
    """Return the row that owns a member; None where none does."""
    if member is None:
        return None
    owners = load_call_owners()
    found, (on, _, call) = owners.of(member, version), member.partition(".")
    return owners.of(f"{_BASES[on]}.{call}", version) if found is None and on in _BASES else found


def _session(_: Step, on: str) -> str | None:
    return f"{on}.{_SESSIONS.get(on, 'create_session')}"


def _destination(step: Step, on: str) -> str | None:
    return None if step.args.get("on") is None else f"{on}.create_{step.do}"


def _message(step: Step, on: str) -> str | None:
    if step.args.get("on") is None:
        return None
    kind = str(step.args["kind"])
    return f"{on}.create_message" if kind == "message" else f"{on}.create_{kind}_message"


def _producer(step: Step, on: str) -> str | None:
    plain = ("create_producer", "")
    return f"{on}.{(plain if step.args.get('plain') else _PRODUCERS.get(on, plain))[0]}"


def _set(step: Step, on: str) -> str | None:
    what = str(step.args["what"])
    if what == "clear_properties":
        return f"{on}.clear_properties"
    if what == "property":
        return f"{on}.set_{'object_' if step.args.get('how') == 'object' else ''}property"
    name = _OPTIONS.get(what, what)
    return f"{on}.set_{name}" if on == "JMSProducer" else f"{on}.{name}"


def _property(step: Step, _: str) -> str | None:
    kind = str(step.args.get("type"))
    kind = "object" if step.args.get("how") == "object" or kind in {"null", "unsupported"} else kind
    return f"Message.set_{kind}_property"


def _header(step: Step, _: str) -> str | None:
    what = str(step.args["what"])
    return f"Message.{_HEADERS.get(what, f'jms_{what}')}"


def _send(step: Step, on: str) -> str | None:
    ending = "(CompletionListener)" if step.args.get("async") else ""
    return f"{on}.{'publish' if on == 'TopicPublisher' else 'send'}{ending}"


def _receive(step: Step, on: str) -> str | None:
    call = "receive_body" if step.do == "receive_body" else "receive"
    return f"{on}.{call}{'_no_wait' if step.args.get('how') == 'no_wait' else ''}"


def _reads(step: Step, on: str) -> str | None:
    if on == "JMSProducer":
        return "JMSProducer.get_object_property"
    return "MapMessage.get_object" if step.args.get("what") == "entry" else "Message.get_string_property"


def _state(_: Step, on: str) -> str | None:
    if on.endswith("Connection") or on == "JMSContext":
        return f"{on}.client_id"
    if on.endswith("Session"):
        return f"{on}.transacted"
    if on in {"MessageProducer", "QueueSender", "TopicPublisher", "JMSProducer"}:
        return f"{on}.{'get_' if on == 'JMSProducer' else ''}delivery_mode"
    return "MessageConsumer.message_selector"


def getter_of(program: Program, number: int, name: str) -> str:
    """Return the member that tells an attribute of the object that a step is on."""
    on = classes_of(program, number).get(str(program.steps[number].args.get("on")), "")
    if on == "JMSProducer":
        return f"JMSProducer.get_{name if name in _TOLD else 'object_property'}"
    if name == "queue" and on in {"MessageConsumer", "MessageProducer"}:
        return "QueueReceiver.queue" if on == "MessageConsumer" else "QueueSender.queue"
    if name == "selector":
        return "QueueBrowser.message_selector" if on == "QueueBrowser" else "MessageConsumer.message_selector"
    return f"{on}.{ {'listener': 'message_listener'}.get(name, name) }"


def _pool(step: Step, on: str) -> str | None:
    kind = str(step.args.get("kind", "plain"))
    return f"{on}.create_{'' if kind == 'plain' else f'{kind}_'}connection_consumer"


def _own(name: str) -> Calls:
    return lambda _, on: f"{on}.{name}"


def _fixed(name: str) -> Calls:
    return lambda _, __: name


def _body(_: Step, on: str) -> str | None:
    names = {"MapMessage": "get_object", "TextMessage": "text", "ObjectMessage": "object"}
    return f"{on}.{names.get(on, 'read_object')}" if on != "Message" else "Message.get_body"


def _cleared(step: Step, _: str) -> str | None:
    return f"Message.{step.do}"


_CALLS: Final[Mapping[str, Calls]] = {
    "connect": lambda step, _: _FACTORIES[str(step.args["api"])],
    "session": _session, "start": _own("start"), "stop": _own("stop"), "auto_start": _own("auto_start"), "close": _own("close"),
    "queue": _destination, "topic": _destination,
    "temporary": lambda step, on: f"{on}.create_temporary_{step.args['kind']}", "delete": _own("delete"),
    "message": _message, "header": _header, "property": _property, "write": _body,
    "clear_body": _cleared, "clear_properties": _cleared, "reset": _fixed("BytesMessage.reset"),
    "producer": _producer, "set": _set,
    "send": _send, "fail_sends": _send, "send_body": _send, "send_many": _send,
    "consumer": lambda step, on: f"{on}.{_consumer(step, on)[0]}", "unsubscribe": _own("unsubscribe"), "pool": _pool,
    "browser": _own("create_browser"), "select": _own("create_browser"),
    "browse": _fixed("QueueBrowser.get_enumeration"), "enumerate": _fixed("QueueBrowser.get_enumeration"),
    "next": _fixed("QueueBrowser.get_enumeration"),
    "listen": _own("message_listener"), "unlisten": _own("message_listener"),
    "receive": _receive, "receive_body": _receive, "drain": _receive,
    "recover": lambda _, on: f"{'JMSContext' if on == 'JMSContext' else 'Session'}.recover",
    "commit": _own("commit"), "fail_commit": _own("commit"), "rollback": _own("rollback"),
    "acknowledge": lambda _, on: f"{'JMSContext' if on == 'JMSContext' else 'Message'}.acknowledge",
    "look": _body, "items": _body, "attempts": _body, "bodies": _fixed("Message.get_body"), "reads": _reads,
    "state": _state, "get": _state,
    "request": lambda _, on: f"{'Topic' if on == 'TopicSession' else 'Queue'}Requestor.request",
}  # fmt: skip
"""By operation, the member that it calls; those that let time pass or have something fail call none."""
