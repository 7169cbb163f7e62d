"""A text of "a" and half a surrogate pair, which a String may hold, arrives as it was sent: in a body (3.11), as a property (3.5.2).

case=body      as the body of a text message
case=property  as a property
"""

from brokers import connect, connection, end, tell
from jpype import JChar, JClass


def arrived(name, put, read):
    """Send a message by a connection of its own, which may break, and give the units of what another receives."""
    sender = connection().createSession(False, 1)
    put(message := sender.createTextMessage())
    sender.createProducer(sender.createQueue(name)).send(message)
    receiver = connection().createSession(False, 1)
    received = receiver.createConsumer(receiver.createQueue(name)).receive(5_000)
    return received and list(read(received).chars().toArray())


def as_body():
    return arrived("evidence.half.body", lambda each: each.setText(text), lambda each: each.getText())


def as_property():
    write, read = lambda each: each.setStringProperty("p", text), lambda each: each.getStringProperty("p")
    return arrived("evidence.half.property", write, read)


connect()
text = JClass("java.lang.StringBuilder")("a").append(JChar(0xD83D)).toString()
tell("units of a body at the receiver, of 97 and 55357", as_body, "[97, 55357]", "body")
tell("units of a property at the receiver, of 97 and 55357", as_property, "[97, 55357]", "property")
end()
