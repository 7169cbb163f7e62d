"""A correlation identifier of the application, and a JMSType, travel unchanged, whatever their signs and length (3.4.5, 3.4.8)."""

from brokers import connect, end, tell

session, queue = connect()
producer, consumer = session.createProducer(queue), session.createConsumer(queue)


def travels(text):
    message = session.createMessage()
    message.setJMSCorrelationID(text)
    producer.send(message)
    return str(consumer.receive(2000).getJMSCorrelationID()) == text


def typed(text):
    message = session.createMessage()
    message.setJMSType(text)
    producer.send(message)
    return str(consumer.receive(2000).getJMSType()) == text


def is_browsed():
    """Give how many messages a browser shows of one that was sent NON_PERSISTENT."""
    message = session.createMessage()
    message.setJMSCorrelationID("\N{GRINNING FACE}")
    own = session.createQueue("evidence.correlation")
    session.createProducer(own).send(message, 1, 4, 0)
    shown = session.createBrowser(own).getEnumeration()
    return sum(1 for _ in iter(shown.hasMoreElements, False) if shown.nextElement())


tell("one of 1,000 characters arrives as it was sent", lambda: travels("x" * 1_000), "true", "long")
tell("one with a character beyond 16 bits arrives as it was sent", lambda: travels("\N{GRINNING FACE}"), "true", "beyond-16-bits")
tell("a JMSType with one arrives as it was sent", lambda: typed("\N{GRINNING FACE}"), "true", "type")
tell("messages with such a one that a browser shows, of 1 sent NON_PERSISTENT", is_browsed, "1", "not-persistent")
end()
