"""A bytes message that was sent stays writable for its sender (3.9)."""

from brokers import connect, end, tell
from jpype import JByte

session, queue = connect()
message = session.createBytesMessage()
message.writeByte(JByte(1))
session.createProducer(queue).send(message)
tell("writing on after the send, to be taken", lambda: message.writeByte(JByte(2)), "null")
end()
