"""A consumer of a durable subscription is closed before its message is acknowledged; another session then opens one (8.3.3)."""

from brokers import connect, connection, end, tell

sender, _ = connect()
topic = sender.createTopic("closed_unacknowledged")
link = connection("closed_unacknowledged")
consumer = link.createSession(False, 2).createDurableConsumer(topic, "name")
sender.createProducer(topic).send(sender.createTextMessage("x"))
consumer.receive(2_000)
consumer.close()
tell("another consumer of it is opened", lambda: bool(link.createSession(False, 1).createDurableConsumer(topic, "name")), "true")
end()
