"""The names of properties of a message that has none when it is sent: a provider adds only those that begin with JMS (3.5.10)."""

from brokers import connect, end, tell

session, queue = connect()


def names():
    """Give the names of the properties that a plain message has at its receiver."""
    session.createProducer(queue).send(session.createMessage())
    return [str(name) for name in session.createConsumer(queue).receive(5000).getPropertyNames()]


tell("the names of properties of a received message", names, lambda seen: all(name.startswith("JMS") for name in seen))
end()
