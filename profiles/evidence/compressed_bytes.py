"""Does the sender of a bytes message still read its body after the send (3.11, 3.12)?  compressed_bytes.py PROVIDER with:KEY=VALUE"""

from brokers import connect, end, tell
from jpype import JArray, JByte

session, queue = connect()
message = session.createBytesMessage()
message.writeBytes(JArray(JByte)(b"sent"))
session.createProducer(queue).send(message)
message.reset()
tell("getBody of the message that was sent", lambda: bytes(each & 255 for each in message.getBody(JArray(JByte))), "b'sent'")
end()
