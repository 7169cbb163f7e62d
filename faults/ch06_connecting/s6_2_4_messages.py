"""Faults in 6.2.4: messages made with a body, by another session, and by another implementation."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from faults.kit.common import after_send, around
from faults.kit.declaring import saboteur
from faults.kit.patch import Patch
from reference_provider import fault_points
from reference_provider.broker.physical_destinations import PhysicalDestination
from reference_provider.broker.stored_message import StoredMessage
from reference_provider.client.producers import Options, ReferenceProducer
from reference_provider.client.sessions import ReferenceSession
from reference_provider.messages.message import ReferenceMessage
from tck.api import Destination, JMSException, Message, ObjectMessage


@saboteur("6.2.4-2", "createObjectMessage(object) drops its argument, unless it is a text")
def _(patch: Patch) -> None:
    def create(original: Callable[..., ObjectMessage], session: ReferenceSession, *value: object) -> ObjectMessage:
        return original(session, *(one for one in value if isinstance(one, str)))

    around(patch, ReferenceSession, "create_object_message", create)


@saboteur("6.2.4-3", "a session refuses a stream message that a session of another connection has made")
def _(patch: Patch) -> None:
    makers: dict[int, tuple[Message, object]] = {}

    def create(original: Callable[..., Message], session: ReferenceSession) -> Message:
        made = original(session)
        makers[id(made)] = (made, session.connection)
        return made

    def prepare(
        original: Callable[..., tuple[PhysicalDestination, StoredMessage]],
        producer: ReferenceProducer,
        message: Message,
        destination: Destination,
        options: Options,
    ) -> tuple[PhysicalDestination, StoredMessage]:
        connection = producer.session.connection
        if makers.get(id(message), (message, connection))[1] is not connection:
            raise JMSException("the message was made by a session of another connection")
        return original(producer, message, destination, options)

    around(patch, ReferenceSession, "create_stream_message", create)
    patch.at(fault_points.SEND_PREPARED, prepare)


@saboteur("6.2.4-5", "a NON_PERSISTENT message of another implementation loses its properties")
def _(patch: Patch) -> None:
    def fault(_producer: ReferenceProducer, message: Message, entry: Any, options: Options) -> None:
        if not isinstance(message, ReferenceMessage) and options.delivery_mode == 1:
            entry.snapshot = entry.snapshot._replace(properties={})

    after_send(patch, fault)
