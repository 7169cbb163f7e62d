"""A consumer of a context tells the listener it was given (8.7)."""

from brokers import connect, context, end, tell
from jpype import JProxy

session, queue = connect()
listener = JProxy("jakarta.jms.MessageListener", dict={"onMessage": print})
consumer = context().createConsumer(queue)
consumer.setMessageListener(listener)
tell("of a JMSConsumer, true", lambda: bool(consumer.getMessageListener() is listener), "true")
end()
