"""Faults in 6.1.8: what the parts and the messages of a closed connection still do."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from faults.kit.common import around, as_received, connection_of, session_of
from faults.kit.connections import of_contexts
from faults.kit.declaring import nearly_right, saboteur
from faults.kit.patch import Patch
from reference_provider import fault_points
from reference_provider.broker.delivery import Delivery
from reference_provider.client.browsers import ReferenceBrowser
from reference_provider.client.connections import ReferenceConnection
from reference_provider.client.consumers import ReferenceConsumer
from reference_provider.client.context import ReferenceContext
from reference_provider.client.metadata import ReferenceMetaData
from reference_provider.client.producers import ReferenceProducer
from reference_provider.client.session_factories import SessionFactories
from reference_provider.client.sessions import ReferenceSession
from reference_provider.messages import create as create_message
from reference_provider.messages.map_message import ReferenceMapMessage
from reference_provider.messages.object_message import ReferenceObjectMessage
from reference_provider.messages.text_message import ReferenceTextMessage
from tck.api import ConnectionMetaData, IllegalStateException, MapMessage, Message, Session


def _closed(session: ReferenceSession) -> bool:
    return session.closed and connection_of(session).closed


def _sessions_of_contexts(patch: Patch) -> set[ReferenceSession]:
    """Return the sessions of contexts, kept up to date."""
    sessions = set[ReferenceSession]()

    def make(original: Callable[..., ReferenceSession], context: ReferenceContext, mode: Any) -> ReferenceSession:
        session = original(context, mode)
        sessions.add(session)
        return session

    around(patch, ReferenceContext, "make_session", make)
    return sessions


def _cached(patch: Patch, owner: Any, name: str, read: Callable[[Any], tuple[bool, object]]) -> None:
    """Let a property answer without a check where `read` returns True and a value."""
    original = getattr(owner, name)

    def getter(part: Any) -> object:
        cached, value = read(part)
        return value if cached else original.fget(part)

    patch.replace(owner, name, property(getter, original.fset))


@saboteur(
    "6.1.8-13",
    "sessions stay usable after their connection is closed",
    collateral={
        **dict.fromkeys(
            ("6.1.8-14", "6.1.8-15", "6.1.8-40"), "producers, consumers and browsers are as usable as their session"
        ),
        **dict.fromkeys(("6.1.8-35", "6.1.8-36"), "acknowledge() is a call on the session that got the message"),
        "6.1.8-39": "it calls the methods of a session",
    },
)
def _(patch: Patch) -> None:
    contexts = of_contexts(patch)

    def check(original: Callable[[ReferenceSession], None], session: ReferenceSession) -> None:
        if connection_of(session) in contexts or not _closed(session):
            original(session)

    patch.at(fault_points.SESSION_CHECKED, check)


@saboteur(
    "6.1.8-14",
    "receiveNoWait() returns messages that were prefetched when the connection was closed",
    collateral={"6.1.8-41": "receiveNoWait() is one of a consumer's methods"},
)
def _(patch: Patch) -> None:
    contexts = _sessions_of_contexts(patch)
    prefetched: dict[ReferenceConsumer, list[Delivery]] = {}

    def detach(original: Callable[[ReferenceConsumer], None], consumer: ReferenceConsumer) -> None:
        session, source = session_of(consumer), consumer.receiver.delivery_queue
        now = session.broker.clock.now()
        if session not in contexts and connection_of(session).closing and source.in_file:
            prefetched[consumer] = [
                Delivery(source, entry, consumer, lambda: None, now) for entry in source.free_entries()
            ]
        original(consumer)

    def receive(original: Callable[..., Message | None], consumer: ReferenceConsumer) -> Message | None:
        left = prefetched.get(consumer)
        if left and _closed(session_of(consumer)):
            return consumer.session.message_of(left.pop(0))
        return original(consumer)

    patch.at(fault_points.CONSUMER_CLOSED, detach)
    around(patch, ReferenceConsumer, "receive_no_wait", receive)


@saboteur("6.1.8-15", "getEnumeration() of a browser that was used returns an empty one after its connection is closed")
def _(patch: Patch) -> None:
    used = set[ReferenceBrowser]()

    def enumerate_(original: Callable[..., Any], browser: ReferenceBrowser) -> Any:
        session: Any = browser.session
        if browser in used and _closed(session):
            return iter(())
        seen = original(browser)
        used.add(browser)
        return seen

    around(patch, ReferenceBrowser, "get_enumeration", enumerate_)


@saboteur(
    "6.1.8-36",
    "acknowledge() does nothing after the connection is closed",
    collateral=dict.fromkeys(("6.1.8-35", "6.1.8-37", "6.1.8-42"), "it acknowledges after the close"),
)
def _(patch: Patch) -> None:
    def acknowledge(original: Callable[..., None], session: ReferenceSession) -> None:
        if not _closed(session):
            original(session)

    patch.at(fault_points.MESSAGE_ACKNOWLEDGED, acknowledge)


@nearly_right(
    "acknowledge-of-a-listeners-message-is-ignored-after-close",
    "acknowledge() of a message that a listener got does nothing after the connection is closed",
    "6.1.8-36",
)
def _(patch: Patch) -> None:
    def acknowledge(original: Callable[..., None], session: ReferenceSession) -> None:
        listens = session.dispatcher is not None and session.mode == Session.CLIENT_ACKNOWLEDGE
        if not (listens and _closed(session)):
            original(session)

    patch.at(fault_points.MESSAGE_ACKNOWLEDGED, acknowledge)


@saboteur("6.1.8-38", "getMetaData() of a connection that was never used answers after its close")
def _(patch: Patch) -> None:
    def read(connection: ReferenceConnection) -> tuple[bool, ConnectionMetaData]:
        return connection.closed and not connection.used, ReferenceMetaData(connection.server.version)

    _cached(patch, ReferenceConnection, "meta_data", read)


@saboteur("6.1.8-39", "createMapMessage() of a session works after its connection is closed")
def _(patch: Patch) -> None:
    contexts = _sessions_of_contexts(patch)

    def create(original: Callable[..., MapMessage], session: ReferenceSession) -> MapMessage:
        if _closed(session) and session not in contexts and session.mode != Session.SESSION_TRANSACTED:
            message = create_message("map", session.model)
            assert isinstance(message, MapMessage)  # what the kind means
            return message
        return original(session)

    around(patch, SessionFactories, "create_map_message", create)


@saboteur("6.1.8-40", "getPriority() of a producer without a destination answers after its connection is closed")
def _(patch: Patch) -> None:
    def read(producer: ReferenceProducer) -> tuple[bool, int]:
        session: Any = producer.session
        return producer._destination is None and _closed(session), producer._priority

    _cached(patch, ReferenceProducer, "priority", read)


@saboteur("6.1.8-41", "getMessageSelector() of a consumer answers after its connection is closed")
def _(patch: Patch) -> None:
    contexts = _sessions_of_contexts(patch)

    def read(consumer: ReferenceConsumer) -> tuple[bool, str | None]:
        session = session_of(consumer)
        return _closed(session) and session not in contexts, consumer.receiver.selector or None

    _cached(patch, ReferenceConsumer, "message_selector", read)


@saboteur("6.1.8-45", "texts and objects that were received cannot be read after the close")
def _(patch: Patch) -> None:
    received: dict[int, tuple[Message, ReferenceSession]] = {}

    def keep(message: Message, delivery: Delivery) -> None:
        if isinstance(delivery.consumer, ReferenceConsumer):
            received[id(message)] = (message, session_of(delivery.consumer))

    def read(message: Message) -> tuple[bool, object]:
        if id(message) in received and _closed(received[id(message)][1]):
            raise IllegalStateException("the connection is closed")
        return False, None

    as_received(patch, keep)
    _cached(patch, ReferenceObjectMessage, "object", read)
    _cached(patch, ReferenceTextMessage, "text", read)


@nearly_right(
    "unacknowledged-object-cannot-be-read-after-close",
    "an unacknowledged object message that was not read before cannot be read after the close",
    "6.1.8-45",
)
def _(patch: Patch) -> None:
    unread: dict[int, tuple[Message, ReferenceSession]] = {}

    def keep(message: Message, delivery: Delivery) -> None:
        consumer = delivery.consumer
        if isinstance(message, ReferenceObjectMessage) and isinstance(consumer, ReferenceConsumer):
            unread[id(message)] = (message, session_of(consumer))

    def read(message: ReferenceObjectMessage) -> tuple[bool, object]:
        kept = unread.get(id(message))
        if kept is not None and kept[1].mode == Session.CLIENT_ACKNOWLEDGE and _closed(kept[1]):
            raise IllegalStateException("the connection is closed")
        unread.pop(id(message), None)
        return False, None

    as_received(patch, keep)
    _cached(patch, ReferenceObjectMessage, "object", read)


@saboteur("6.1.8-46", "the items of a map message cannot be set after the connection that made it is closed")
def _(patch: Patch) -> None:
    makers: dict[int, tuple[Message, ReferenceSession]] = {}

    def create(original: Callable[..., MapMessage], session: ReferenceSession) -> MapMessage:
        message = original(session)
        makers[id(message)] = (message, session)
        return message

    def set_string(original: Callable[..., None], message: ReferenceMapMessage, *arguments: Any) -> None:
        made = makers.get(id(message))
        if made is not None and _closed(made[1]):
            raise IllegalStateException("the connection is closed")
        original(message, *arguments)

    around(patch, SessionFactories, "create_map_message", create)
    around(patch, ReferenceMapMessage, "set_string", set_string)
