"""Lawful in what a message shows: identifiers, timestamps, JMSX properties, correlation and reply destinations."""

import itertools

from faults.kit import *


@lawful("identifiers-always", "setDisableMessageID has no effect", "3.4.3-10")
def _(patch):
    def message_id(producer):
        return producer.session.broker.unique_name("ID:")

    patch.replace(ReferenceProducer, "message_id", message_id)


@lawful("timestamps-always", "setDisableMessageTimestamp has no effect", "3.4.4-7")
def _(patch):
    def timestamp(producer, now):
        return now

    patch.replace(ReferenceProducer, "timestamp", timestamp)


@lawful("few-jmsx-properties", "each second message lacks its optional JMSX properties", "3.5.9-20")
def _(patch):
    optional = {
        "JMSXConsumerTXID",
        "JMSXRcvTimestamp",
    }  # those of the send are in both messages, or in neither (3.5.9-15)
    original_properties = ReferenceProducer.properties
    original_received = vars(Delivery)["properties"].fget
    sends = itertools.count(1)

    def properties(producer):
        return {} if next(sends) % 2 == 0 else original_properties(producer)

    def received(delivery):
        given = original_received(delivery)
        if delivery.entry.number % 2 == 0:
            return {name: value for name, value in given.items() if name not in optional}
        return given

    patch.replace(ReferenceProducer, "properties", properties)
    patch.replace(Delivery, "properties", property(received))


@lawful(
    "no-correlation-in-bytes",
    "a message takes and gives a JMSCorrelationID as text only",
    "3.4.5-4",
    "7.6-6",
    lacks=("native-correlation-id",),
)
def _(patch):
    def refused(*given):
        raise UnsupportedOperationException("this provider has no native correlation identifiers")

    for owner in OWN:
        patch.replace(owner, "jms_correlation_id_as_bytes", property(refused, refused))
    patch.replace(ReferenceMessage, "jms_correlation_id_as_bytes", property(refused, refused))


@lawful(
    "foreign-reply-destination-dropped",
    "a foreign JMSReplyTo of a foreign message is not sent along",
    "3.12-4",
    at=fault_points.SEND_PREPARED,
)
def _(original, producer, message, destination, options):
    physical, entry = original(producer, message, destination, options)
    foreign = type(message) not in OWN and not isinstance(message, ReferenceMessage)
    if foreign and not isinstance(message.jms_reply_to, ReferenceDestination):
        entry.snapshot = entry.snapshot._replace(reply_to=None)
    return physical, entry


@lawful(
    "message-out-of-reach-until-sent",
    "the message of an asynchronous send cannot be read before its callback",
    "7.3.9-2",
)
def _(patch):
    away = list[Message]()

    def add(original, completions, completion):
        away.append(completion.message)
        original(completions, completion)

    def call_listener(original, completions, completion):
        away[:] = [one for one in away if one is not completion.message]
        original(completions, completion)

    def guarded(getter):
        def read(message):
            if any(one is message for one in away):
                raise JMSException("the message is being sent")
            return getter(message)

        return read

    for owner in OWN:
        for name in ("jms_priority", "jms_type", "text"):
            found = getattr(owner, name, None)
            if isinstance(found, property) and found.fget is not None:
                patch.replace(owner, name, property(guarded(found.fget), found.fset))
    patch.at(fault_points.COMPLETION_QUEUED, add)
    patch.at(fault_points.COMPLETION_CALLED, call_listener)
