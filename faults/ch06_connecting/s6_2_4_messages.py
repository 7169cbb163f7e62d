"""Faults in 6.2.4: messages made with a body, by another session, and by another implementation."""

from faults.kit import *


@saboteur(
    "6.2.4-2",
    "createObjectMessage(object) drops its argument, unless it is a text",
    around=(ReferenceSession, "create_object_message"),
)
def _(original, session, *value):
    return original(session, *(one for one in value if isinstance(one, str)))


@saboteur("6.2.4-3", "a session refuses a stream message that a session of another connection has made")
def _(patch):
    makers = {}

    def create(original, session):
        made = original(session)
        makers[id(made)] = (made, session.connection)
        return made

    def prepare(original, producer, message, destination, options):
        connection = producer.session.connection
        if makers.get(id(message), (message, connection))[1] is not connection:
            raise JMSException("the message was made by a session of another connection")
        return original(producer, message, destination, options)

    patch.around(ReferenceSession, "create_stream_message", create)
    patch.at(fault_points.SEND_PREPARED, prepare)


@saboteur("6.2.4-5", "a NON_PERSISTENT message of another implementation loses its properties", by=after_send)
def _(_producer, message, entry, options):
    if not isinstance(message, ReferenceMessage) and options.delivery_mode == 1:
        entry.snapshot = entry.snapshot._replace(properties={})
