"""Helpers for faults that duplicate messages."""

import copy

from faults.kit.seams import *


def put_copy(broker, delivery_queue, entry):
    """Put a copy of a message, kept in memory only, at the end of a delivery queue. Needs the broker lock."""
    again = copy.copy(entry)
    again.number = broker.next_number()
    again.stored = False
    delivery_queue.put(again)


def send_copy(broker, entry):
    """Send a copy of a message to its destination."""
    again = copy.copy(entry)
    again.number = 0
    with broker.lock:
        physical = broker.physical_destination(entry.destination)
    SingleSend(broker, physical, again).perform()
