"""Reading an empty body.  empty_read.py PROVIDER

A read of a bytes or stream message without content raises MessageEOFException (3.11).
"""

from brokers import connect, end, tell

session, queue = connect()
data, items = session.createBytesMessage(), session.createStreamMessage()
data.reset()
items.reset()
tell("readInt() of an empty bytes message", data.readInt, "MessageEOFException", "bytes")
session.createProducer(queue).send(session.createBytesMessage())
received = session.createConsumer(queue).receive(5000)
tell("getBodyLength() of a received one", received.getBodyLength)
tell("readByte() of a received one", received.readByte, "MessageEOFException", "bytes-received")
tell("readInt() of an empty stream message", items.readInt, "MessageEOFException", "stream")
end()
