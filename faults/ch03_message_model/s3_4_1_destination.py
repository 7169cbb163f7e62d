"""Faults in 3.4.1: JMSDestination."""

from faults.kit import *

SENDERS_DESTINATION = "the case reads JMSDestination on the sender's message"


@saboteur("3.4.1-1", "a JMSDestination set on the message decides where it is sent", at=fault_points.SEND_PREPARED)
def _(original, producer, message, destination, options):
    preset = message.jms_destination if never_sent(message) else None
    return original(producer, message, preset or destination, options)


@saboteur(
    "3.4.1-2",
    "JMSDestination stays null on the sender's message",
    collateral={"3.4.1-1": SENDERS_DESTINATION},
    by=after_send,
)
def _(sender, message, entry, options):
    message.jms_destination = None


@saboteur("3.4.1-3", "JMSDestination of a message received from a topic is a queue of the same name")
def _(patch):
    def destination(delivery):
        sent_to = delivery.entry.destination
        return ReferenceQueue(sent_to.name) if isinstance(sent_to, ReferenceTopic) else sent_to

    received(patch, "destination", destination)
