"""A message whose JMSType is "a", NUL, "b" is sent, and arrives with that type (3.4.8)."""

from brokers import connect, end, tell
from jpype import JChar, JClass

session, queue = connect()
message = session.createMessage()
message.setJMSType(JClass("java.lang.StringBuilder")("a").append(JChar(0)).append("b").toString())
tell("send", lambda: session.createProducer(queue).send(message))
tell("arrives", lambda: session.createConsumer(queue).receive(5_000) is not None)
end()
