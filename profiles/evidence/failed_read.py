"""A failed read of a bytes message leaves its position (3.11.3)."""

from brokers import connect, end, tell
from jpype import JByte

session, _ = connect()
message = session.createBytesMessage()
for number in (2, -1, -1, 7):
    message.writeByte(JByte(number))
message.reset()
tell("readLong of four bytes, to raise MessageEOFException", message.readLong)
tell("readUTF of a length with too few bytes behind it", message.readUTF)
for number in (2, -1, -1, 7):
    tell(f"the byte {number}", message.readByte)
end()
