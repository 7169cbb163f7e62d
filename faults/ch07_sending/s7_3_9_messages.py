"""Faults in 7.3.9: the message of an asynchronous send after its callback."""

from faults.kit import *


@saboteur("7.3.9-4", "a message that a transacted session sent asynchronously cannot be sent again")
def _(patch):
    locked = list[Message]()

    def prepare(original, producer, message, *arguments):
        if any(one is message for one in locked):
            raise IllegalStateException("the message is locked")
        return original(producer, message, *arguments)

    def send_later(original, producer, message, *arguments):
        original(producer, message, *arguments)
        if producer.session.state.mode == Session.SESSION_TRANSACTED:
            locked.append(message)

    patch.at(fault_points.SEND_PREPARED, prepare)
    patch.at(fault_points.SENT_ASYNCHRONOUSLY, send_later)
