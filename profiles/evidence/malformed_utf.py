"""A failed readUTF of malformed bytes: MessageFormatException, or another of the JMS exceptions (3.11.3)."""

from brokers import connect, end, tell

session, queue = connect()
message = session.createBytesMessage()
message.writeBytes(bytes([0, 2, 255, 255, 7]))
session.createProducer(queue).send(message)
received = session.createConsumer(queue).receive(2000)
tell("readUTF of FF FF", received.readUTF, "MessageFormatException")
end()
