"""JMSType set to a text and then to null reads as null, on the message and at the receiver (3.4.8)."""

from brokers import connect, end, tell

session, queue = connect()
message = session.createMessage()
message.setJMSType("order")
message.setJMSType(None)
tell("JMSType after setJMSType(null)", message.getJMSType, "null")
session.createProducer(queue).send(message)
tell("JMSType at the receiver", lambda: session.createConsumer(queue).receive(5_000).getJMSType(), "null")
end()
