"""Faults in 7.6: JMSCorrelationID set as bytes on a JMSProducer."""

from faults.kit import *


@saboteur(
    "7.6-5", "bytes of the producer that are no text are replaced by question marks", at=fault_points.PRODUCER_APPLIED
)
def _(original, producer, message):
    original(producer, message)
    own = producer.get_jms_correlation_id_as_bytes()
    if own is not None:
        message.jms_correlation_id_as_bytes = own.decode("ascii", "replace").encode("ascii", "replace")


@saboteur("7.6-7", "a message has the bytes that the array holds when it is sent")
def _(patch):
    original = ReferenceJMSProducer.set_jms_correlation_id_as_bytes
    arrays = {}

    def set_bytes(self, array):
        arrays[id(self)] = (self, array)
        return original(self, array)

    def from_array(apply, producer, message):
        apply(producer, message)
        array = arrays.get(id(producer), (producer, None))[1]
        if isinstance(array, bytearray):
            message.jms_correlation_id_as_bytes = bytes(array)

    patch.replace(ReferenceJMSProducer, "set_jms_correlation_id_as_bytes", set_bytes)
    patch.at(fault_points.PRODUCER_APPLIED, from_array)
