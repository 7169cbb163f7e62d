"""Steps of many calls at once: tables of conversions, lists of selectors, floods of messages, getters, waiting receives.

They show much at little cost; a disagreement is told by the cell of the table at which it shows.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any, Final

from tck import api
from tck.programs.execution.calls_clients import BETWEEN_MS, Call
from tck.programs.execution.calls_messages import item
from tck.programs.execution.calls_receiving import selector_of
from tck.programs.execution.calls_sending import BODY_CLASSES, done, record_of
from tck.programs.execution.environment import Environment, quietly
from tck.programs.execution.look import SUPPORTED, kind_of, tried
from tck.programs.program import Json
from tck.programs.values import BODY_TYPES, PROPERTY_TYPES, number_text, typed, typed_as

_ITEMS: Final = 60
"""At most so many items of a stream are read."""


# -- conversions -------------------------------------------------------------------------------------------------------


def reads(env: Environment, args: Mapping[str, Json], _: str | None) -> Json:
    """Read every property, or every entry of a map, as every type; and one that is not there."""
    found = env.bare(env.get(args["on"]))
    entries = args["what"] == "entry"
    names = found.get_map_names() if entries else found.get_property_names()
    kinds = (*BODY_TYPES, "object") if entries else (*PROPERTY_TYPES, "object")
    own = sorted(
        name for name in map(str, names) if entries or name.startswith("JMSXGroup") or not name.startswith("JMSX")
    )
    pattern = "get_{}" if entries else "get_{}_property"
    exists = found.item_exists if entries else found.property_exists
    return {
        name: {
            **{kind: tried(partial(_cell, found, pattern, kind, name)) for kind in kinds},
            "exists": tried(partial(_is, exists, name)),
        }
        for name in [*own[:12], "never"]
    }


def _is(exists: Callable[[str], bool], name: str) -> Json:
    return bool(exists(name))


def _cell(found: Any, pattern: str, kind: str, name: str) -> Json:
    value = getattr(found, pattern.format(kind))(name)
    if kind == "object":
        return typed(value)
    if kind == "string" and isinstance(value, str):
        # How a real number is written is the provider's affair, what it says is not.
        source = getattr(found, pattern.format("object"))(name)
        if isinstance(getattr(source, "value", source), float):
            return ["number", number_text(value)]
    return typed_as(kind, value)


def attempts(env: Environment, args: Mapping[str, Json], _: str | None) -> Json:
    """Read each item of a stream or bytes message as one type after the other until one succeeds."""
    found = env.bare(env.get(args["on"]))
    told: list[Json] = []
    while len(told) < _ITEMS:
        cells: dict[str, Json] = {}
        for kind in args["types"]:
            cells[kind] = tried(partial(item, found, kind))
            if not (isinstance(cells[kind], dict) and "raises" in cells[kind]):
                break
        else:
            last = tried(partial(item, found, "object")) if kind_of(found) == "stream" else {"raises": "none fits"}
            cells["object"] = last
            told.append(cells)
            if isinstance(last, dict):
                break
            continue
        told.append(cells)
    return told


def bodies(env: Environment, args: Mapping[str, Json], _: str | None) -> Json:
    """Ask for the body as every type, and whether it can be had so."""
    found = env.bare(env.get(args["on"]))
    return {
        name: {"body": tried(partial(_body, found, kind)), "assignable": tried(partial(_assignable, found, kind))}
        for name, kind in BODY_CLASSES.items()
    }


def _body(found: Any, kind: Any) -> Json:
    return typed(found.get_body(kind))


def _assignable(found: Any, kind: Any) -> Json:
    return bool(found.is_body_assignable_to(kind))


# -- selectors ---------------------------------------------------------------------------------------------------------


def select(env: Environment, args: Mapping[str, Json], _: str | None) -> Json:
    """Browse a queue with one selector after the other; tell by their sends which messages each lets through."""
    on, queue = env.get(args["on"]), env.get(args["of"])
    return {text: tried(partial(_selected, env, on, queue, text)) for text in args["selectors"]}


def _selected(env: Environment, on: Any, queue: Any, text: str) -> Json:
    browser = on.create_browser(queue, selector_of(env, text))
    try:
        found = [env.bare(each) for each in browser.get_enumeration()]
    finally:
        quietly(browser.close)
    sends = [env.sent_of(each.jms_message_id, _tag(each)) for each in found]
    return sorted(-1 if each is None else each.number for each in sends)


def _tag(message: Any) -> object:
    value = quietly(lambda: message.get_object_property("n"))
    return getattr(value, "value", value)


# -- many messages -----------------------------------------------------------------------------------------------------


def send_many(env: Environment, args: Mapping[str, Json], _: str | None) -> Json:
    """Send so many texts, numbered from a number on."""
    producer, session = env.get(args["on"]), env.get(args["of"])
    simplified = env.api_of(args["on"]) == "simplified"
    for number in range(args["first"], args["first"] + args["count"]):
        message = session.create_text_message(f"text {number}")
        message.set_int_property("n", number)
        record = record_of(env, args)
        record.tag = number
        if simplified:
            producer.send(env.get(args["to"]), message)
        elif "to" in args:
            producer.send(message, destination=env.get(args["to"]))
        else:
            producer.send(message)
        done(env, record, message)
    return None


# -- getters -----------------------------------------------------------------------------------------------------------

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


def state(env: Environment, args: Mapping[str, Json], _: str | None) -> Json:
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
    return None if value is None else str(value).removeprefix(f"{env.scope}.")


def announced(env: Environment, meta_data: Any) -> Json:
    """Return the JMSX properties that a provider announces and must announce, or must not."""
    known = {*SUPPORTED, *env.terms.claimed, "JMSXState", "jmsxgroupid"}
    return sorted({str(each) for each in meta_data.get_jmsx_property_names()} & known)


# -- waiting -----------------------------------------------------------------------------------------------------------


def close_waiting(env: Environment, args: Mapping[str, Json], _: str | None) -> Json:
    """Close a consumer, or what it belongs to, while a receive waits in it; tell how the receive ends."""
    found, closed = env.get(args["on"]), env.get(args["of"])
    begun, ended = threading.Event(), env.clock.event()
    result: list[Json] = []
    read = partial(found.receive_body, str) if args.get("body") else found.receive

    def wait() -> None:
        with env.clock.actor():
            begun.set()
            result.append(tried(lambda: read() is None))
            ended.set()

    threading.Thread(target=wait, name="explore-waiting", daemon=True).start()
    begun.wait(5)
    env.clock.event().wait(1 if env.virtual else BETWEEN_MS)
    closed.close()
    ended.wait(env.terms.deadline)
    return {"ended": result[0] if result else "it still waits"}


class _Answering(api.MessageListener):
    """Answers requests."""

    def __init__(self, session: Any, asked: list[Json]) -> None:
        self.session = session
        self.asked = asked

    def on_message(self, message: api.Message) -> None:
        """Send an answer to where the request wants it."""
        to = message.jms_reply_to
        self.asked.append(isinstance(to, (api.TemporaryQueue, api.TemporaryTopic)))
        answer = self.session.create_text_message("answer")
        answer.jms_correlation_id = message.jms_message_id
        self.session.create_producer(None).send(answer, destination=to)


def request(env: Environment, args: Mapping[str, Json], _: str | None) -> Json:
    """Send a request with a requestor, over a destination of its own, to a client that answers; then close it."""
    session, kind = env.get(args["on"]), env.api_of(args["on"])
    to = getattr(env.provider, f"create_{kind}")(f"{env.scope}.request{len(env.made)}")
    env.made.append(to)
    other = env.provider.connection_factory().create_connection()
    env.opened.append(other)
    asked: list[Json] = []
    answering = other.create_session()
    answering.create_consumer(to).message_listener = _Answering(answering, asked)
    other.start()
    requestor = getattr(env.provider, f"{kind}_requestor")(session, to)
    message = session.create_text_message("question")
    reply = requestor.request(message)
    told = {"answer": reply.text, "to": asked, "of": reply.jms_correlation_id == message.jms_message_id}
    requestor.close()
    other.close()
    return {**told, "closed": tried(session.create_message)}


CALLS: Final[Mapping[str, Call]] = {
    each.__name__: each for each in (reads, attempts, bodies, select, send_many, state, close_waiting, request)
}
