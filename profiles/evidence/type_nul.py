"""A message whose JMSType is "a", NUL, "b" is sent, and arrives with that type (3.4.8)."""

from brokers import connect, end, tell
from jpype import JChar, JClass

session, queue = connect()
message = session.createMessage()
text = JClass("java.lang.StringBuilder")("a").append(JChar(0)).append("b").toString()
message.setJMSType(text)
tell("send", lambda: session.createProducer(queue).send(message), "null")
received = session.createConsumer(queue).receive(2_000)
tell("arrives as it was sent", lambda: received is not None and bool(received.getJMSType() == text), "true")
end()
