"""A string with a character beyond 16 bits in a map message arrives as it was sent (3.11.3)."""

from brokers import connect, end, tell

session, queue = connect()
message = session.createMapMessage()
message.setString("s", "\U0001f600")
tell("UTF-16 units set", lambda: [hex(unit) for unit in message.getString("s").chars().toArray()])
session.createProducer(queue).send(message)
found = session.createConsumer(queue).receive(2000)
tell("UTF-16 units received", lambda: [hex(unit) for unit in found.getString("s").chars().toArray()], "['0xd83d', '0xde00']")
end()
