"""The body of a received bytes message can be read after clearProperties() and setting a property (3.5.7, 3.10)."""

from brokers import connect, end, tell

session, queue = connect()
message = session.createBytesMessage()
message.writeUTF("before")
session.createProducer(queue).send(message)
received = session.createConsumer(queue).receive(5_000)
received.clearProperties()
received.setStringProperty("name", "value")
for write in (lambda: received.writeUTF("x"), lambda: received.writeObject("x"), lambda: received.writeBytes(b"x")):
    tell("a write, to raise MessageNotWriteableException", write, "MessageNotWriteableException")
tell("the text, before", received.readUTF, "before")
end()
