"""Faults in 3.4.5: JMSCorrelationID."""

from faults.kit import *


@saboteur("3.4.5-1", "a JMSCorrelationID that begins with ID: loses the prefix", by=as_received)
def _(message, delivery):
    text = delivery.entry.snapshot.correlation
    if isinstance(text, str) and text.startswith("ID:"):
        message.jms_correlation_id = text.removeprefix("ID:")


@saboteur("3.4.5-2", "a JMSCorrelationID of the application is cut to 24 bytes", by=as_received)
def _(message, delivery):
    text = delivery.entry.snapshot.correlation
    if isinstance(text, str) and not text.startswith("ID:"):
        message.jms_correlation_id = text.encode()[:24].decode(errors="ignore")


@saboteur("3.4.5-3", "a JMSCorrelationID that was not set arrives as the message id", by=as_received)
def _(message, delivery):
    if delivery.entry.snapshot.correlation is None:
        message.jms_correlation_id = delivery.entry.message_id


@saboteur("3.4.5-4", "a JMSCorrelationID set as bytes arrives as null", by=as_received)
def _(message, delivery):
    if isinstance(delivery.entry.snapshot.correlation, bytes):
        message.jms_correlation_id_as_bytes = None


@saboteur("3.4.5-6", "the message keeps a reference to the byte array of its JMSCorrelationID")
def _(patch):
    honest = ReferenceMessage.jms_correlation_id_as_bytes

    def store(self, value):  # an array of any kind
        self._correlation = value

    def prepare(original, producer, message, *arguments):
        if isinstance(message._correlation, bytearray):
            message._correlation = bytes(message._correlation)
        return original(producer, message, *arguments)

    patch.replace(ReferenceMessage, "jms_correlation_id_as_bytes", property(honest.fget, store))
    patch.at(fault_points.SEND_PREPARED, prepare)
