"""JMSRedelivered: a value set before the send stays on the sender's message (3.4.7) and does not reach the receiver (3.4.11)."""

from brokers import connect, end, tell

session, queue = connect()
message = session.createTextMessage("x")
message.setJMSRedelivered(True)
session.createProducer(queue).send(message)
tell("on the sender's message, true before", message.getJMSRedelivered, "true", "sender")
tell("at the receiver, at its first delivery", lambda: session.createConsumer(queue).receive(2000).getJMSRedelivered(), "false", "receiver")
end()
