"""noLocal of a durable subscription: messages of another connection with the same client identifier are left out too (8.3.3)."""

from brokers import connect, connection, end, tell

connect(keep=True)


def opened():
    link = connection("no_local_later")
    session = link.createSession(False, 1)
    return link, session, session.createTopic("topic")


link, session, topic = opened()
session.createDurableConsumer(topic, "name", None, True).close()
link.close()
link, session, topic = opened()
session.createProducer(topic).send(session.createTextMessage("of a later connection"))
link.close()
link, session, topic = opened()
consumer = session.createDurableConsumer(topic, "name", None, True)
received = consumer.receive(2000)
tell("the message of a later connection with its client identifier", lambda: received and str(received.getText()), "null")
end()
