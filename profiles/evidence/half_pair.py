"""A text of "a" and half a surrogate pair, which a String may hold, arrives as it was sent (3.11)."""

from brokers import connect, end, tell
from jpype import JChar, JClass

session, queue = connect()
text = JClass("java.lang.StringBuilder")("a").append(JChar(0xD83D)).toString()
session.createProducer(queue).send(session.createTextMessage(text))
received = session.createConsumer(queue).receive(5_000)
tell("units at the receiver, of 97 and 55357", lambda: received and list(received.getText().chars().toArray()), "[97, 55357]")
end()
