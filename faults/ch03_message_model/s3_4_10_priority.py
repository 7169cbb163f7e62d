"""Faults in 3.4.10: JMSPriority."""

from faults.kit import *

SAME_HEADER = "the case reads the same header on the sender's message"


@saboteur("3.4.10-1", "a JMSPriority set on the message overrides the producer's")
def _(patch):
    def fault(sender, message, entry, preset):
        entry.priority = message.jms_priority = preset

    def when(sender, message, options):
        return never_sent(message) and message.jms_priority != Message.DEFAULT_PRIORITY

    with_preset(patch, "jms_priority", fault, when=when)


@saboteur(
    "3.4.10-2", "JMSPriority is always 4 on the sender's message", collateral={"3.4.10-3": SAME_HEADER}, by=after_send
)
def _(sender, message, entry, options):
    message.jms_priority = Message.DEFAULT_PRIORITY


@saboteur("3.4.10-3", "priority 6 arrives as 5", by=lambda patch, made: received(patch, "priority", made))
def _(delivery):
    return 5 if delivery.entry.priority == 6 else delivery.entry.priority


@saboteur("3.4.10-4", "delivery ignores priority", around=(DeliveryQueue, "level"))
def _(original, self, priority):
    return original(self, Message.DEFAULT_PRIORITY)
