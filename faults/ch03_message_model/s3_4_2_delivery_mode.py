"""Faults in 3.4.2: JMSDeliveryMode."""

from faults.kit import *


@saboteur("3.4.2-1", "a JMSDeliveryMode set on the message overrides the producer's")
def _(patch):
    def fault(sender, message, entry, preset):
        entry.delivery_mode = message.jms_delivery_mode = preset

    def when(sender, message, options):
        return never_sent(message) and message.jms_delivery_mode != Message.DEFAULT_DELIVERY_MODE

    with_preset(patch, "jms_delivery_mode", fault, when=when)


@saboteur("3.4.2-2", "the producer's delivery mode overrides the argument of send", at=fault_points.HEADERS_COMPUTED)
def _(original, producer, physical, options):
    return original(producer, physical, options)._replace(delivery_mode=producer.delivery_mode)


saboteur(
    "3.4.2-3",
    "JMSDeliveryMode of every received message is PERSISTENT",
    lambda patch: received(patch, "delivery_mode", lambda delivery: DeliveryMode.PERSISTENT),
    collateral={"3.4.2-1": "the case reads the mode at the receiver too"},
)
