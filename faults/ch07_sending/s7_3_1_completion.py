"""Faults in 7.3.1: when onCompletion is called."""

from faults.kit import *


@saboteur("7.3.1-1", "the send of a delayed message has no callback before the message is due", by=unanswered)
def _(completion):
    return completion.message.jms_delivery_time > completion.message.jms_timestamp > 0


@saboteur("7.3.1-2", "an asynchronous send completes before its message is in the file")
def _(patch):
    sending = within(patch, fault_points.SENT_ASYNCHRONOUSLY)

    def stores(original, physical, *arguments):
        return not sending and original(physical, *arguments)

    patch.at(fault_points.STORED, stores)
