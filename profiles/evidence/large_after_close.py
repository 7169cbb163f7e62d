"""Can a large bytes message that was received be read whole after its session was closed?  large_after_close.py PROVIDER

Messages of a closed session stay usable, except for acknowledge() (6.2.15).
"""

from brokers import connect, connection, end, tell
from jpype import JArray, JByte

SIZE = 300_000
session, queue = connect()
message = session.createBytesMessage()
message.writeBytes(JArray(JByte)(SIZE))
session.createProducer(queue).send(message)
mine = connection().createSession(False, 1)
received = mine.createConsumer(queue).receive(5_000)
mine.close()
tell(f"bytes that are read of {SIZE} after the close", lambda: received.readBytes(JArray(JByte)(SIZE)), str(SIZE))
end()
