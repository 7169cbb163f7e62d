"""Calls of JMS 2.0 and 3.1 that a provider which says it implements 3.1 has to offer."""

from brokers import activemq, connect, end, tell
from jpype import JClass

session, _ = connect()
topic = session.createTopic("t")
producer = session.createProducer(topic)
context = activemq().createContext()
tell("setDeliveryDelay", lambda: producer.setDeliveryDelay(100))
tell("getDeliveryDelay", producer.getDeliveryDelay)
tell("setAsync", lambda: context.createProducer().setAsync(None))
tell("receiveBody", lambda: context.createConsumer(topic).receiveBody(JClass("java.lang.String").class_, 10))
tell("createSharedConsumer", lambda: session.createSharedConsumer(topic, "s"))
tell("createSharedDurableConsumer", lambda: session.createSharedDurableConsumer(topic, "s"))
end()
