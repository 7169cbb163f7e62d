"""Faults in 2.16: request and reply."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from faults.kit.declaring import saboteur
from faults.kit.patch import Patch
from reference_provider import fault_points
from reference_provider.broker.physical_destinations import PhysicalDestination
from reference_provider.broker.stored_message import StoredMessage
from reference_provider.client.producers import ReferenceProducer
from reference_provider.client.requestors import ReferenceQueueRequestor, ReferenceTopicRequestor
from reference_provider.client.sessions import ReferenceSession
from tck.api import Message


@saboteur("2.16-2", "a message id in JMSCorrelationID is replaced by a number")
def _(patch: Patch) -> None:
    def prepare(original: Callable[..., Any], producer: ReferenceProducer, message: Message, *arguments: Any) -> Any:
        if (message.jms_correlation_id or "").startswith("ID:"):
            message.jms_correlation_id = "4711"
        return original(producer, message, *arguments)

    patch.at(fault_points.SEND_PREPARED, prepare)


@saboteur("2.16-4", "request() returns the request instead of the reply")
def _(patch: Patch) -> None:
    for requestor in (ReferenceQueueRequestor, ReferenceTopicRequestor):
        _echo(patch, requestor)


def _echo(patch: Patch, requestor: type[ReferenceQueueRequestor | ReferenceTopicRequestor]) -> None:
    original = requestor.request

    def request(self: ReferenceQueueRequestor | ReferenceTopicRequestor, message: Message) -> Message:
        original(self, message)  # type: ignore[arg-type] # of the class it came from
        return message

    patch.replace(requestor, "request", request)


@saboteur("2.16-3", "messages that other connections send to a temporary destination are dropped")
def _(patch: Patch) -> None:
    def submit(
        original: Callable[..., None], session: ReferenceSession, physical: PhysicalDestination, entry: StoredMessage
    ) -> None:
        if not physical.temporary or physical.destination in session.connection.temporaries._physical:
            original(session, physical, entry)

    patch.at(fault_points.SEND_SUBMITTED, submit)
