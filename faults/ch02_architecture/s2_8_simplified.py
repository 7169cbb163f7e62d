"""Faults in 2.8: JMSContext, JMSProducer, JMSConsumer."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

from faults.kit.common import around, connection_of, unsupported
from faults.kit.declaring import saboteur
from faults.kit.patch import Patch
from reference_provider import fault_points
from reference_provider.broker.physical_destinations import PhysicalDestination
from reference_provider.broker.stored_message import StoredMessage
from reference_provider.client.connections import ReferenceConnection
from reference_provider.client.context import ReferenceContext, SharedConnection
from reference_provider.client.sessions import ReferenceSession
from reference_provider.client.simplified import ReferenceJMSConsumer, ReferenceJMSProducer
from tck.api import (
    Destination,
    InvalidSelectorException,
    InvalidSelectorRuntimeException,
    JMSContext,
    JMSProducer,
    ResourceAllocationException,
)


@saboteur("2.8-1", "JMSContext.createBrowser is not supported")
def _(patch: Patch) -> None:
    unsupported(patch, ReferenceContext, "create_browser", "a context makes no browsers")


@saboteur("2.8.1-1", "the delivery delay of a JMSProducer is ignored")
def _(patch: Patch) -> None:
    patch.replace(ReferenceJMSProducer, "set_delivery_delay", lambda self, delivery_delay: self)


@saboteur("2.8.1-2", "send(destination, byte[]) sends an empty message")
def _(patch: Patch) -> None:
    def send(
        original: Callable[..., JMSProducer], self: ReferenceJMSProducer, destination: Any, body: object, **named: Any
    ) -> JMSProducer:
        return original(self, destination, b"" if isinstance(body, bytes) else body, **named)

    around(patch, ReferenceJMSProducer, "send", send)


@saboteur("2.8.2-1", "a JMSProducer sends every message to the destination of its first send")
def _(patch: Patch) -> None:
    original = ReferenceJMSProducer.send
    bound: dict[ReferenceJMSProducer, Destination | None] = {}

    def send(self: ReferenceJMSProducer, destination: Destination | None, body: object, **options: Any) -> JMSProducer:
        return original(self, bound.setdefault(self, destination), body, **options)

    patch.replace(ReferenceJMSProducer, "send", send)


@saboteur("2.8.2-2", "a JMSConsumer accepts a listener and never calls it")
def _(patch: Patch) -> None:
    patch.replace(ReferenceJMSConsumer, "message_listener", property(lambda self: None, lambda self, listener: None))


@saboteur("2.8.2-5", "a connection refuses a third session")
def _(patch: Patch) -> None:
    def add_session(
        original: Callable[..., ReferenceSession], connection: ReferenceConnection, session: ReferenceSession
    ) -> ReferenceSession:
        if len(connection.sessions) >= 2:
            raise ResourceAllocationException("the connection has two sessions already")
        return original(connection, session)

    patch.at(fault_points.SESSION_OPENED, add_session)


@saboteur("2.8.2-6", "a context created from a context opens a connection of its own")
def _(patch: Patch) -> None:
    def create_context(self: ReferenceContext, session_mode: int) -> JMSContext:
        connection = ReferenceConnection(self.connection.server, self.connection.user)
        return type(self)(SharedConnection(connection), session_mode)

    patch.replace(ReferenceContext, "create_context", create_context)


@saboteur("2.8.2-7", "the second context of a connection loses its tenth message")
def _(patch: Patch) -> None:
    sent: Counter[ReferenceSession] = Counter()

    def submit(
        original: Callable[..., None], session: ReferenceSession, physical: PhysicalDestination, entry: StoredMessage
    ) -> None:
        sent[session] += 1
        if sent[session] != 10 or connection_of(session).sessions[:1] == [session]:
            original(session, physical, entry)

    patch.at(fault_points.SEND_SUBMITTED, submit)


@saboteur("2.8.2-8", "JMSContext.createConsumer throws a checked exception for a bad selector")
def _(patch: Patch) -> None:
    original = ReferenceContext.create_consumer

    def create_consumer(self: ReferenceContext, *arguments: Any) -> Any:
        try:
            return original(self, *arguments)
        except InvalidSelectorRuntimeException as error:
            raise InvalidSelectorException(str(error)) from error

    patch.replace(ReferenceContext, "create_consumer", create_consumer)
