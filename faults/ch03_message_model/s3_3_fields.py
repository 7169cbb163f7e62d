"""Faults in 3.3: the parts of every kind of message."""

from faults.kit import *


@saboteur("3.3-1", "stream messages lose their JMSType", by=as_received)
def _(message, delivery):
    if isinstance(message, ReferenceStreamMessage):
        message.jms_type = None


@saboteur("3.3-2", "bytes messages lose their properties", by=as_received)
def _(message, delivery):
    if isinstance(message, BytesMessage):
        message._properties = {}
