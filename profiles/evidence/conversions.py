"""Read entries and items as other types (3.11.3): conversions.py PROVIDER map|stream WRITE VALUE READ=WANTED...

WANTED is the value as text, or the exception that has to come.
"""

import ast

from brokers import asked, connect, end, tell
from jpype import JArray, JByte

kind, write, text, *reads = asked()
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
for read, _, wanted in (each.partition("=") for each in reads):
    if kind == "map":
        tell(f"{write} {text} as {read}", lambda read=read: getattr(message, "get" + read)("e"), wanted)
    elif read == "Bytes":
        tell(f"{write} {text} as bytes", lambda: message.readBytes(JArray(JByte)(8)), wanted)
    else:
        tell(f"{write} {text} as {read}", getattr(message, "read" + read), wanted)
end()
