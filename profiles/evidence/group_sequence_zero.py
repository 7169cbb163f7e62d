"""A JMSXGroupSeq of 0 reaches the receiver, where it exists and is enumerated (3.5.9, 3.5.6)."""

from brokers import connect, end, tell
from jpype import JClass

session, queue = connect()
message = session.createMessage()
message.setStringProperty("JMSXGroupID", "group")
message.setIntProperty("JMSXGroupSeq", 0)
session.createProducer(queue).send(message)
received = session.createConsumer(queue).receive(2000)
names = JClass("java.util.Collections").list(received.getPropertyNames())
tell("propertyExists of JMSXGroupSeq", lambda: received.propertyExists("JMSXGroupSeq"), "true")
tell("JMSXGroupSeq among the names", lambda: "JMSXGroupSeq" in [str(name) for name in names], "true")
end()
