"""A read of a bytes message that fails for its format leaves the position (3.11.3); after the end of the body it is free."""

from brokers import connect, end, tell
from jpype import JByte

session, _ = connect()
message = session.createBytesMessage()
for number in (0, 2, -1, -1, 7):  # the length of a text, then two bytes that are none
    message.writeByte(JByte(number))
message.reset()
tell("readUTF of bytes that are no text", message.readUTF)
tell("the length again, 2", message.readShort, "2")
tell("the byte behind it, -1", message.readByte, "-1")
end()
