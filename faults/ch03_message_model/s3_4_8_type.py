"""Faults in 3.4.8: JMSType."""

from faults.kit import *


@saboteur("3.4.8-1", "JMSType arrives as the class name of the message", by=as_received)
def _(message, delivery):
    if message.jms_type is not None:
        message.jms_type = type(message).__name__


@saboteur("3.4.8-2", "a JMSType that was not set arrives as the empty string", by=as_received)
def _(message, delivery):
    if message.jms_type is None:
        message.jms_type = ""
