"""Errors provoked all over the interface of a case: calls on closed objects, at a wrong time, with wrong arguments, on messages.

Each is one for which the specification prescribes an exception of the messaging API. Rows on all exceptions judge them together:
their family, their description, their code.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any

from tck import api
from tck.suite.support import expect
from tck.suite.support.clients.body_calls import body_reads, body_writes, property_writes
from tck.suite.support.clients.interfaces import connect
from tck.suite.support.clients.link import Link
from tck.suite.support.clients.members import Rows, every_call
from tck.suite.support.harness.running import RunningCase
from tck.suite.support.lifecycle.closed import working
from tck.suite.support.values.kinds import Kind
from tck.suite.support.values.seen import taken

INTERFACES: Mapping[tuple[str, str], tuple[str, ...]] = {
    ("classic", "queue"): ("Connection", "Session", "MessageProducer", "MessageConsumer"),
    ("classic", "topic"): ("Connection", "Session", "MessageProducer", "MessageConsumer"),
    ("domain-specific", "queue"): ("QueueConnection", "QueueSession", "QueueSender", "QueueReceiver"),
    ("domain-specific", "topic"): ("TopicConnection", "TopicSession", "TopicPublisher", "TopicSubscriber"),
}
"""The interfaces of connection, session, producer and consumer, by API and domain; a context has the first two and JMSConsumer."""

_STANDARD = re.compile(r"(jakarta|javax)\.jms\.\w+|java\..*|\w+")
"""The names of the messaging API's types, and of Java's."""
OF_CLOSED = " of a closed object"
"""The names of calls on closed objects end so."""
_LEFT_OUT = (
    *("close", "receive", "receiveBody(Class)", "receiveBody(Class, long)", "run", "getMessageListener", "setMessageListener"),
    *(f"create{kind}ConnectionConsumer" for kind in ("", "Shared", "Durable", "SharedDurable")),
)  # fmt: skip
"""Calls that wait for a message, and those for application servers."""
_BODIES: tuple[Kind, ...] = ("text", "map", "bytes", "stream", "object")


def provoked(case: RunningCase) -> Mapping[str, Exception]:
    """Provoke errors in the case's interface, after a message was sent and received; return the exceptions by their calls."""
    link = _carrying(case)
    calls = {**_of_closed_objects(case), **_of_arguments(link), **_of_time(case)}
    calls |= _of_contexts(link) if case.api == "simplified" else _of_messages(link)
    raised = {what: error for what, call in calls.items() if (error := _error(call)) is not None}
    expect.true("calls that must fail do so", len(raised) > len(calls) // 2, f"{len(raised)} of {len(calls)} raised")
    return raised


def _carrying(case: RunningCase) -> Link:
    link = Link(connect(case, client_id=case.name("c")), case.destination())
    link.send("x")
    expect.arrives(link, ["x"])
    return link


def _error(call: Any) -> Exception | None:
    try:
        call()
    except Exception as error:  # noqa: BLE001 - the caller judges it
        return error
    return None


def _of_closed_objects(case: RunningCase) -> Rows:
    """Return the calls on closed objects, of those that work on open ones."""
    opened, closed = (dict(_parts(_carrying(case))) for _ in range(2))
    message = _carrying(case).text("x")
    given: dict[str, Any] = {"message": message, "destination": case.destination()}
    given |= {"queue": case.queue()} if case.domain == "queue" else {"topic": case.topic()}
    next(iter(closed.values())).close()
    calls: dict[str, Any] = {}
    for interface, target in opened.items():
        tables = [
            every_call(case, interface, partial(_same, each), without=_LEFT_OUT, **given)
            for each in (target, closed[interface])
        ]
        calls |= {f"{interface}.{what}{OF_CLOSED}": tables[1][what] for what in working(tables[0])}
    return calls


def _parts(link: Link) -> Iterator[tuple[str, Any]]:
    """Yield the objects of a link by their interfaces; the first closes all."""
    client, producer = link.client, link.sender.producer
    if link.case.api == "simplified":
        yield from {"JMSContext": client.session, "JMSConsumer": link.consumer}.items()
        return
    objects = (client.connection, client.session, producer, link.consumer)
    yield from zip(INTERFACES[link.case.api, link.case.domain], objects, strict=True)
    if link.case.domain == "queue":
        yield "QueueBrowser", client.session.create_browser(link.destination)


def _same(value: object) -> object:
    return value


def _of_arguments(link: Link) -> Rows:
    """Return calls with arguments that are none: a selector, a name of a subscription, an identifier in use, which may be accepted."""
    client = link.client
    calls: dict[str, Any] = {
        "creating a consumer with a selector that does not parse": lambda: client.consumer(link.destination, "= 1"),
        "connecting with a client identifier in use": lambda: connect(link.case, client_id=client.connection.client_id),
    }
    if link.case.domain == "queue":
        calls["creating a browser with a selector that does not parse"] = lambda: client.session.create_browser(
            link.destination, "= 1"
        )
    else:
        calls["unsubscribe() of an unknown name"] = lambda: client.session.unsubscribe(link.case.name("s"))
    return calls


def _of_time(case: RunningCase) -> Rows:
    """Return calls that the acknowledge mode forbids."""
    local, none = connect(case, "transacted").session, connect(case, "auto").session
    return {
        "commit() without a transaction": none.commit,
        "rollback() without a transaction": none.rollback,
        "recover() within a transaction": local.recover,
    }


def _of_messages(link: Link) -> Rows:
    """Return calls that messages refuse: reads and writes in the wrong mode, of the wrong type, and past the end."""
    calls: dict[str, Any] = {}
    for kind in _BODIES:
        link.send(link.message(kind, "x"))
        received = link.receive()
        for what, call in {
            **body_writes(link.case, kind, received),
            **property_writes(link.case, received, "x"),
        }.items():
            calls[f"{what} of a received {kind} message"] = call
    session: Any = link.client.session
    for kind, make in (("bytes", session.create_bytes_message), ("stream", session.create_stream_message)):
        written, empty = make(), make()
        empty.reset()
        calls |= {f"{what} of a {kind} message in writing": call for what, call in _reads(link, kind, written).items()}
        calls |= {f"{what} at the end of a {kind} message": call for what, call in _reads(link, kind, empty).items()}
    wrong = session.create_stream_message()
    wrong.write_boolean(True)
    wrong.reset()
    calls["readShort() of a boolean"] = wrong.read_short
    return calls


def _reads(link: Link, kind: Kind, message: api.Message) -> Rows:
    return body_reads(link.case, kind, message, without=("readBytes(byte[], int)", "readBytes(byte[])"))


def _of_contexts(link: Link) -> Rows:
    """Return calls of the simplified interface alone: a body of another type, where bodies are received, and a null message."""
    calls: dict[str, Any] = {
        "send() of a null message": lambda: link.client.session.create_producer().send(
            link.destination, None, body_type=api.Message
        )
    }
    if taken(partial(_received_body, link, str)):
        calls["receiveBody() as another type"] = partial(_received_body, link, dict)
    return calls


def _received_body(link: Link, kind: type) -> object:
    consumer: Any = link.consumer
    link.send("x")
    return consumer.receive_body(kind, int(link.case.timing.deadline))


def class_name(error: Exception) -> str:
    """Return the full name of an exception's class: Java's if it came out of Java; a type of `tck.api` by its name alone."""
    kind = type(error)
    name = kind.__name__ if kind.__module__.startswith(api.__name__) else f"{kind.__module__}.{kind.__name__}"
    return getattr(error, "java_name", "") or name


def own_types(raised: Mapping[str, Exception]) -> dict[str, Exception]:
    """Return the exceptions whose type is the provider's own."""
    return {what: error for what, error in raised.items() if not _STANDARD.fullmatch(class_name(error))}
