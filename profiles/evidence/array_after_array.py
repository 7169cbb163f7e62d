"""The second of two byte arrays of a stream message, b"abc" and then b"de" or b"", read with room for 8: 2 or 0 (3.11).

The first readBytes returns 3, less than there is room for, so the first array is read; -1 would be a null array.
"""

from brokers import connect, end, tell
from jpype import JArray, JByte

session, _ = connect()
for second in (b"de", b""):
    message = session.createStreamMessage()
    message.writeBytes(JArray(JByte)(b"abc"))
    message.writeBytes(JArray(JByte)(second))
    message.reset()
    tell("b'abc', 3", lambda message=message: message.readBytes(JArray(JByte)(8)), "3")
    tell(f"{second}, {len(second)}", lambda message=message: message.readBytes(JArray(JByte)(8)), str(len(second)))
    message.reset()
    message.readBytes(JArray(JByte)(8))
    print(f"{second}, read by readObject: {message.readObject()}")
end()
