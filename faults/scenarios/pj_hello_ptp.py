"""Faults of Hello World over a queue."""

import copy
from typing import Any

from faults.kit import *


def _text_lost(patch, wanted):
    """Let receivers get an empty text, by whether they waited for their message."""
    waited = dict[Any, bool]()

    def await_message(original, consumer, *arguments):
        waited[consumer] = not consumer.receiver.delivery_queue
        return original(consumer, *arguments)

    def fault(message, delivery):
        if isinstance(message, TextMessage) and wanted(waited.get(delivery.consumer, False)):
            message.clear_body()
            message.text = ""

    patch.at(fault_points.MESSAGE_AWAITED, await_message)
    as_received(patch, fault)


saboteur(
    "pj-hello-ptp-1", "a receiver that waits gets an empty text", lambda patch: _text_lost(patch, lambda waited: waited)
)


@saboteur("pj-hello-ptp-2", "the first message of a queue is delivered twice")
def _(patch):
    first = set[Any]()

    def submit(original, session, physical, entry):
        original(session, physical, entry)
        if physical not in first:
            first.add(physical)
            again = copy.copy(entry)
            again.number = session.broker.next_number()
            original(session, physical, again)

    patch.at(fault_points.SEND_SUBMITTED, submit)


saboteur(
    "pj-hello-ptp-3",
    "a receiver that comes later gets an empty text",
    lambda patch: _text_lost(patch, lambda waited: not waited),
)


@saboteur("pj-hello-ptp-4", "JMSMessageID of a received message has lost its prefix", by=as_received)
def _(message, _):
    message.jms_message_id = (message.jms_message_id or "").removeprefix("ID:")
