"""While a byte array of a stream message is read in parts, other reads raise MessageFormatException and move nothing (3.11)."""

from brokers import connect, end, tell
from jpype import JArray, JByte, JInt

session, _ = connect()
message = session.createStreamMessage()
message.writeBytes(JArray(JByte)(b"0123456789"))
message.writeInt(JInt(7))
message.reset()
tell("8 of 10 bytes, 8", lambda: message.readBytes(JArray(JByte)(8)))
tell("readInt, to raise MessageFormatException", message.readInt, "MessageFormatException")
tell("readString, to raise MessageFormatException", message.readString, "MessageFormatException")
tell("readObject, to raise MessageFormatException", message.readObject, "MessageFormatException")
tell("the rest, 2", lambda: message.readBytes(JArray(JByte)(8)), "2")
end()
