"""Faults in 7.3.6: the message when its completion listener is called."""

from faults.kit import *


@saboteur("7.3.6-2", "properties that an asynchronous send sets are on the received message only")
def _(patch):
    sending = within(patch, fault_points.SENT_ASYNCHRONOUSLY)

    def prepare(original, producer, message, *arguments):
        prepared = original(producer, message, *arguments)
        if sending and all(name.startswith("JMSX") for name in message.get_property_names()):
            message.clear_properties()
        return prepared

    patch.at(fault_points.SEND_PREPARED, prepare)
