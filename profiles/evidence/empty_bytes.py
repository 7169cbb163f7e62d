"""Two byte arrays of a stream message, b"abc" and b"", read with room for 8: 3 and 0 (3.11); -1 would mean null."""

from brokers import connect, end, tell
from jpype import JArray, JByte

session, _ = connect()
message = session.createStreamMessage()
message.writeBytes(JArray(JByte)(b"abc"))
message.writeBytes(JArray(JByte)(b""))
message.writeString("the next item")
message.reset()
tell("b'abc'", lambda: message.readBytes(JArray(JByte)(8)))
tell("b''", lambda: message.readBytes(JArray(JByte)(8)), "0")
tell("then", message.readString)
end()
