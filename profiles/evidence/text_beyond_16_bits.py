"""A string with a character beyond 16 bits arrives as it was sent: in a map message (3.11.3), and as a property that was stored (3.5.2).

case=entry     as an entry of a map message
case=property  as a property, after a restart of the broker
"""

from brokers import connect, connection, end, restart, tell

WANTED = "['0xd83d', '0xde00']"


def units(text):
    return [hex(unit) for unit in text.chars().toArray()]


session, queue = connect(keep=True)
message = session.createMapMessage()
message.setString("s", "\U0001f600")
tell("UTF-16 units set", lambda: units(message.getString("s")))
session.createProducer(queue).send(message)
found = session.createConsumer(queue).receive(2000)
tell("UTF-16 units received", lambda: units(found.getString("s")), WANTED, "entry")
message = session.createMessage()
message.setStringProperty("s", "\U0001f600")
session.createProducer(stored := session.createQueue("evidence.stored")).send(message)
restart()
found = connection().createSession(False, 1).createConsumer(stored).receive(5000)
tell("UTF-16 units of a property after a restart", lambda: units(found.getStringProperty("s")), WANTED, "property")
end()
