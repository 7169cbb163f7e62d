"""Faults in 2.8: JMSContext, JMSProducer, JMSConsumer."""

from collections import Counter

from faults.kit import *

saboteur(
    "2.8-1",
    "JMSContext.createBrowser is not supported",
    lambda patch: unsupported(patch, ReferenceContext, "create_browser", "a context makes no browsers"),
)
saboteur(
    "2.8.1-1",
    "the delivery delay of a JMSProducer is ignored",
    lambda patch: patch.replace(ReferenceJMSProducer, "set_delivery_delay", lambda self, delivery_delay: self),
)


@saboteur("2.8.1-2", "send(destination, byte[]) sends an empty message", around=(ReferenceJMSProducer, "send"))
def _(original, self, destination, body, **named):
    return original(self, destination, b"" if isinstance(body, bytes) else body, **named)


@saboteur("2.8.2-1", "a JMSProducer sends every message to the destination of its first send")
def _(patch):
    original = ReferenceJMSProducer.send
    bound = {}

    def send(self, destination, body, **options):
        return original(self, bound.setdefault(self, destination), body, **options)

    patch.replace(ReferenceJMSProducer, "send", send)


saboteur(
    "2.8.2-2",
    "a JMSConsumer accepts a listener and never calls it",
    lambda patch: patch.replace(
        ReferenceJMSConsumer, "message_listener", property(lambda self: None, lambda self, listener: None)
    ),
)


@saboteur("2.8.2-5", "a connection refuses a third session", at=fault_points.SESSION_OPENED)
def _(original, connection, session):
    if len(connection.sessions) >= 2:
        raise ResourceAllocationException("the connection has two sessions already")
    return original(connection, session)


@saboteur("2.8.2-6", "a context created from a context opens a connection of its own")
def _(patch):
    def create_context(self, session_mode):
        connection = ReferenceConnection(self.connection.server, self.connection.user)
        return type(self)(SharedConnection(connection), session_mode)

    patch.replace(ReferenceContext, "create_context", create_context)


@saboteur("2.8.2-7", "the second context of a connection loses its tenth message")
def _(patch):
    sent = Counter()

    def submit(original, session, physical, entry):
        sent[session] += 1
        if sent[session] != 10 or session.connection.sessions[:1] == [session]:
            original(session, physical, entry)

    patch.at(fault_points.SEND_SUBMITTED, submit)


@saboteur(
    "2.8.2-8",
    "JMSContext.createConsumer throws a checked exception for a bad selector",
    around=(ReferenceContext, "create_consumer"),
)
def _(original, self, *arguments):
    try:
        return original(self, *arguments)
    except InvalidSelectorRuntimeException as error:
        raise InvalidSelectorException(str(error)) from error
