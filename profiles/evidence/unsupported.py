"""Calls of JMS 2.0 and 3.1 that a provider which says it implements 3.1 has to offer."""

from brokers import connect, context, end, tell
from jpype import JClass

session, _ = connect()
topic = session.createTopic("t")
producer = session.createProducer(topic)
simple = context()
tell("setDeliveryDelay", lambda: producer.setDeliveryDelay(100))
tell("getDeliveryDelay", producer.getDeliveryDelay)
tell("setAsync", lambda: simple.createProducer().setAsync(None))
tell("receiveBody", lambda: simple.createConsumer(topic).receiveBody(JClass("java.lang.String").class_, 10))
tell("createSharedConsumer", lambda: session.createSharedConsumer(topic, "s"))
tell("createSharedDurableConsumer", lambda: session.createSharedDurableConsumer(topic, "s"))
end()
