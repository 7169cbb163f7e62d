"""Faults in 3.7: messages without a body."""

from faults.kit import *


@saboteur("3.7-1", "a message without a body cannot be sent", at=fault_points.SEND_PREPARED)
def _(original, producer, message, destination, options):
    if type(message) is ReferenceMessage:
        raise MessageFormatException("the message has no body")
    return original(producer, message, destination, options)
