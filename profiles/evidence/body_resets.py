"""getBody of a bytes message leaves it at its beginning (3.11)."""

from brokers import connect, end, tell
from jpype import JArray, JByte

session, _ = connect()
message = session.createBytesMessage()
message.writeBytes(JArray(JByte)(b"\7\10"))
message.reset()
tell("the first byte, 7", message.readByte)
tell("the whole", lambda: bytes(message.getBody(JArray(JByte).class_)))
tell("the first byte again, 7", message.readByte, "7")
end()
