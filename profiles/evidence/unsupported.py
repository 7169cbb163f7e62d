"""Calls of JMS 2.0 and 3.1 that a provider which says it implements 3.1 has to offer."""

from brokers import connect, end, tell

session, _ = connect()
topic = session.createTopic("t")
producer = session.createProducer(topic)
tell("setDeliveryDelay", lambda: producer.setDeliveryDelay(100))
tell("getDeliveryDelay", producer.getDeliveryDelay)
tell("createSharedConsumer", lambda: session.createSharedConsumer(topic, "s"))
tell("createSharedDurableConsumer", lambda: session.createSharedDurableConsumer(topic, "s"))
end()
