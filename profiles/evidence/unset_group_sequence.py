"""A JMSXGroupSeq that nobody has set does not exist and reads as null, also on a message with a JMSXGroupID (3.5.8)."""

from brokers import connect, end, tell

session, queue = connect()
message = session.createMessage()
message.setStringProperty("JMSXGroupID", "group")
session.createProducer(queue).send(message)
received = session.createConsumer(queue).receive(2000)
tell("JMSXGroupID of the received message, to exist", lambda: received.propertyExists("JMSXGroupID"))
tell("JMSXGroupSeq, to exist", lambda: received.propertyExists("JMSXGroupSeq"), "false", "exists")
tell("JMSXGroupSeq, read", lambda: received.getObjectProperty("JMSXGroupSeq"), "null", "read")
end()
