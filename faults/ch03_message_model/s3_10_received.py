"""Faults in 3.10: received messages that the client changes."""

from faults.kit import *


@saboteur("3.10-1", "JMSType of a received message cannot be set")
def _(patch):
    slot = vars(ReferenceMessage)["jms_type"]

    def store(self, value):
        if getattr(self, "_acknowledge", None) is not None:
            raise MessageNotWriteableException("JMSType of a received message is read-only")
        slot.__set__(self, value)

    patch.replace(ReferenceMessage, "jms_type", property(slot.__get__, store))


@saboteur("3.10-2", "clearBody makes the properties writable too")
def _(patch):
    def clear_body(self):
        self._empty_body()
        self._properties_writable = True

    patch.replace(ReferenceMessage, "clear_body", clear_body)


@saboteur("3.10-3", "clearProperties makes a text writable too", around=(ReferenceMessage, "clear_properties"))
def _(original, self):
    original(self)
    if isinstance(self, ReferenceTextMessage):
        self._writable = True


@saboteur("3.10-4", "a redelivered message has the text that the consumer wrote")
def _(patch):
    given = {}

    def fault(message, delivery):
        first = given.setdefault(id(delivery.entry), (delivery.entry, message))[1]
        if isinstance(message, ReferenceTextMessage):
            message._text = first.text

    as_received(patch, fault)


@saboteur("3.10-5", "a redelivered message has lost its properties", by=as_received)
def _(message, delivery):
    if delivery.redelivered:
        message._properties = {}


@saboteur("3.10-6", "a redelivered message has lost its JMSCorrelationID", by=as_received)
def _(message, delivery):
    if delivery.redelivered:
        message.jms_correlation_id = None
