"""A long correlation identifier travels unchanged (3.4.5)."""

from brokers import connect, end, tell

session, queue = connect()
for length in (1_000, 40_000, 70_000):
    message = session.createMessage()
    message.setJMSCorrelationID("x" * length)
    tell(f"sending one of {length} characters", lambda message=message: session.createProducer(queue).send(message))
    tell("its length at the receiver", lambda: session.createConsumer(queue).receive(2000).getJMSCorrelationID().length())
end()
