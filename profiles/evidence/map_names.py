"""Entries of a map message whose names are unusual: each exists at the receiver (3.11)."""

from brokers import connect, end, tell

session, queue = connect()
message = session.createMapMessage()
for name in ("a", "\0", "\N{GRINNING FACE}"):
    message.setInt(name, 1)
session.createProducer(queue).send(message)
received = session.createConsumer(queue).receive(2000)
for name in ("a", "\0", "\N{GRINNING FACE}"):
    tell(f"itemExists({name!r})", lambda name=name: received.itemExists(name), "true")
end()
