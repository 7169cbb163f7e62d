"""Faults in 3.9: messages that the client changes after the send."""

from faults.kit import *


def _sender_shown(patch, fault):  # a function of the received and the sender's message
    sent = {}

    def remember(sender, message, entry, options):
        sent[id(entry)] = (entry, message)

    def show(message, delivery):
        if id(delivery.entry) in sent:
            fault(message, sent[id(delivery.entry)][1])

    after_send(patch, remember)
    as_received(patch, show)


@saboteur("3.9-1", "the receiver reads the body of the sender's bytes message", by=_sender_shown)
def _(message, sender):
    if isinstance(message, ReferenceBytesMessage):
        message._restore_body(sender._frozen_body())


@saboteur("3.9-2", "sender and receiver share the properties of a message", by=_sender_shown)
def _(message, sender):
    message._properties = sender._properties


@saboteur("3.9-3", "send makes the sender's bytes message read-only", by=after_send)
def _(sender, message, entry, options):
    if isinstance(message, ReferenceBytesMessage):
        message.reset()


@saboteur("3.9-4", "a message cannot be sent twice", at=fault_points.SEND_PREPARED)
def _(original, producer, message, destination, options):
    if message.jms_message_id is not None:
        raise JMSException("the message was sent before")
    return original(producer, message, destination, options)
