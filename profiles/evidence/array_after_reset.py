"""The array b"abc" of a stream message, read into a buffer of its length, then reset() and read again: 3 and 3 (3.11)."""

from brokers import connect, end, tell
from jpype import JArray, JByte

session, _ = connect()
message = session.createStreamMessage()
message.writeBytes(JArray(JByte)(b"abc"))
for turn in ("first", "after reset()"):
    message.reset()
    tell(turn, lambda: message.readBytes(JArray(JByte)(3)), "3")
end()
