"""Which exception does a send to a temporary destination raise whose connection was closed?  ended_with_connection.py PROVIDER

It has ceased to exist, so InvalidDestinationException has to come (10.3), in the simplified interface its unchecked form. What comes
differs from time to time; up to 500 attempts.

case=classic  createProducer() and send() of a session
case=context  createProducer() and send() of a JMSContext
"""

import sys
from contextlib import suppress

import jpype
from brokers import api, connect, connection, context, end, made, tell

connect()


def by_session():
    session = connection().createSession(False, 1)
    return lambda where: session.createProducer(where).send(session.createTextMessage("x"))


def by_context():
    made.append(mine := context())
    return lambda where: mine.createProducer().send(where, "x")


def outcome(sender, wanted):
    """Give the name of the exception that came, or of the wanted one of which it is a kind."""
    owner = connection()
    mine = owner.createSession(False, 1)
    temporary = mine.createTemporaryTopic()
    consumer = mine.createConsumer(temporary)
    send = sender()
    with suppress(jpype.JException):  # its connection may not know of the destination yet
        send(temporary)
        consumer.receive(1000)
    owner.close()
    try:
        send(temporary)
    except jpype.JException as error:
        return wanted if isinstance(error, jpype.JClass(api(wanted))) else str(error.getClass().getSimpleName())
    finally:
        while made:
            made.pop().close()
    return "no exception"


def attempts(sender, wanted):
    return next((seen for seen in (outcome(sender, wanted) for _ in range(500)) if seen != wanted), wanted)


for case, sender, exception in (
    ("classic", by_session, "InvalidDestinationException"),
    *([] if sys.argv[1] == "activemq5" else [("context", by_context, "InvalidDestinationRuntimeException")]),
):
    tell(f"the exception of a send, {case}", lambda: attempts(sender, exception), exception, case)  # noqa: B023 - called at once
end()
