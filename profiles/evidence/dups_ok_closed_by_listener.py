"""A listener in mode DUPS_OK_ACKNOWLEDGE closes its consumer: after the connection was closed its message does not come again (8.8)."""

import threading

from brokers import connect, connection, end, tell, texts
from jpype import JProxy

connect(keep=True)
sending = connection().createSession(False, 1)


def opened():
    link = connection("dups_ok_closed_by_listener")
    session = link.createSession(False, 3)
    topic = session.createTopic("topic")
    return link, topic, session.createDurableConsumer(topic, "name")


link, topic, consumer = opened()
closed = threading.Event()


def close(_):
    consumer.close()
    closed.set()


consumer.setMessageListener(JProxy("jakarta.jms.MessageListener", dict={"onMessage": close}))
producer = sending.createProducer(topic)
for text in "abc":
    producer.send(sending.createTextMessage(text))
closed.wait(5)
threading.Event().wait(0.5)  # until the listener has returned
link.close()
_, _, again = opened()
tell("messages after the first, at which the listener closed its consumer", lambda: list(texts(again)), "['b', 'c']")
end()
