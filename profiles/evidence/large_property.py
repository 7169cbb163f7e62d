"""Has a large message properties that nobody set, for its sender or its receiver (3.5)?  large_property.py PROVIDER with:KEY=VALUE"""

from brokers import connect, end, tell

session, queue = connect()
message = session.createTextMessage("x" * 200_000)
session.createProducer(queue).send(message)


def names(of):
    found = of.getPropertyNames()
    return [name for name in iter(lambda: str(found.nextElement()) if found.hasMoreElements() else None, None) if not name.startswith("JMSX")]


tell("properties of the message that was sent", lambda: names(message), "[]")
tell("properties of the message that was received", lambda: names(session.createConsumer(queue).receive(5000)), "[]")
end()
