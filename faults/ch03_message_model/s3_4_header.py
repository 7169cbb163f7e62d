"""Faults in 3.4: the header as a whole."""

from faults.kit import *


@saboteur("3.4-1", "only the first receiver of a message gets its JMSCorrelationID")
def _(patch):
    seen = {}

    def fault(message, delivery):
        if id(delivery.entry) in seen:
            message.jms_correlation_id = None
        seen[id(delivery.entry)] = delivery.entry

    as_received(patch, fault)
