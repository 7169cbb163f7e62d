"""Read entries and items as other types (3.11.3): conversions.py PROVIDER map|stream WRITE VALUE READ [READ]..."""

import ast
import sys

from brokers import connect, end, tell
from jpype import JArray, JByte

_, _, kind, write, text, *reads = sys.argv
session, _ = connect()
message = session.createMapMessage() if kind == "map" else session.createStreamMessage()
value = ast.literal_eval(text)
value = JArray(JByte)(value) if isinstance(value, bytes) else value
if write != "nothing":
    arguments = ("e", value) if kind == "map" else (value,)
    getattr(message, ("set" if kind == "map" else "write") + write)(*arguments)
if kind == "stream":
    message.writeString("the next item")
    message.reset()
for read in reads:
    if kind == "map":
        tell(f"{write} {text} as {read}", lambda read=read: getattr(message, "get" + read)("e"))
    elif read == "Bytes":
        tell(f"{write} {text} as bytes", lambda: message.readBytes(JArray(JByte)(8)))
    else:
        tell(f"{write} {text} as {read}", getattr(message, "read" + read))
end()
