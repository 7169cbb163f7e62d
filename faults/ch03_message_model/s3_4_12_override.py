"""Faults in 3.4.12: header fields that an administrator overrides."""

from faults.kit import *


@saboteur("3.4.12-2", "JMSPriority shows the client's priority although it is overridden", by=after_send)
def _(sender, message, entry, options):
    message.jms_priority = options.priority


@saboteur("3.4.12-3", "JMSDeliveryTime shows the client's delay although it is overridden", by=after_send)
def _(sender, message, entry, options):
    message.jms_delivery_time = entry.timestamp + options.delivery_delay
