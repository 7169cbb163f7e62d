"""A correlation identifier of the application travels unchanged, whatever its signs and length (3.4.5)."""

from brokers import connect, end, tell

session, queue = connect()
producer, consumer = session.createProducer(queue), session.createConsumer(queue)


def travels(text):
    message = session.createMessage()
    message.setJMSCorrelationID(text)
    producer.send(message)
    return str(consumer.receive(2000).getJMSCorrelationID()) == text


tell("one of 1,000 characters arrives as it was sent", lambda: travels("x" * 1_000), "true", "long")
tell("one with a character beyond 16 bits arrives as it was sent", lambda: travels("\N{GRINNING FACE}"), "true", "beyond-16-bits")
end()
