"""Faults of Hello World over a queue."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

from faults.kit.common import as_received
from faults.kit.declaring import saboteur
from faults.kit.patch import Patch
from reference_provider import fault_points
from reference_provider.broker.delivery import Delivery
from reference_provider.broker.stored_message import StoredMessage
from reference_provider.client.consumers import ReferenceConsumer
from reference_provider.client.sessions import ReferenceSession
from tck.api import Message, TextMessage


def _text_lost(patch: Patch, wanted: Callable[[bool], bool]) -> None:
    """Let receivers get an empty text, by whether they waited for their message."""
    waited = dict[Any, bool]()

    def await_message(original: Callable[..., Any], consumer: ReferenceConsumer, *arguments: Any) -> Any:
        waited[consumer] = not consumer.receiver.delivery_queue
        return original(consumer, *arguments)

    def fault(message: Message, delivery: Delivery) -> None:
        if isinstance(message, TextMessage) and wanted(waited.get(delivery.consumer, False)):
            message.clear_body()
            message.text = ""

    patch.at(fault_points.MESSAGE_AWAITED, await_message)
    as_received(patch, fault)


@saboteur("pj-hello-ptp-1", "a receiver that waits gets an empty text")
def _(patch: Patch) -> None:
    _text_lost(patch, lambda waited: waited)


@saboteur("pj-hello-ptp-2", "the first message of a queue is delivered twice")
def _(patch: Patch) -> None:
    first = set[Any]()

    def submit(original: Callable[..., None], session: ReferenceSession, physical: Any, entry: StoredMessage) -> None:
        original(session, physical, entry)
        if physical not in first:
            first.add(physical)
            again = copy.copy(entry)
            again.number = session.broker.next_number()
            original(session, physical, again)

    patch.at(fault_points.SEND_SUBMITTED, submit)


@saboteur("pj-hello-ptp-3", "a receiver that comes later gets an empty text")
def _(patch: Patch) -> None:
    _text_lost(patch, lambda waited: not waited)


@saboteur("pj-hello-ptp-4", "JMSMessageID of a received message has lost its prefix")
def _(patch: Patch) -> None:
    def fault(message: Message, _: Delivery) -> None:
        message.jms_message_id = (message.jms_message_id or "").removeprefix("ID:")

    as_received(patch, fault)
