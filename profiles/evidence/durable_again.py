"""A durable subscription is resumed after a rollback, and gives the messages again (8.3.3, 6.2.7). It is a race."""

from brokers import connect, connection, end, tell

connect(keep=True)
sending = connection().createSession(False, 1)
session = connection("durable_again").createSession(True, 0)
topic = session.createTopic("topic")
consumer = session.createDurableConsumer(topic, "name", "lane = 'wanted'", True)
producer = sending.createProducer(topic)
producer.setDeliveryDelay(150)
for _ in range(13):
    message = sending.createTextMessage("x")
    message.setStringProperty("lane", "wanted")
    producer.send(message)
received = [consumer.receive(2000) for _ in range(13)]
consumer.close()
session.rollback()
consumer = session.createDurableConsumer(topic, "name", "lane = 'wanted'", True)
tell("receive after the consumer was closed, the rollback and another consumer", lambda: consumer.receive(2000) is not None, "true")
end()
