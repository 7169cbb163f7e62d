"""What a consumer in mode DUPS_OK_ACKNOWLEDGE took before everything was closed in order does not come again (8.8).

Cases: listener, whose consumer is closed in it; later, its consumer is closed when it has returned.
"""

import threading

from brokers import connect, connection, end, tell, texts
from jpype import JProxy

connect(keep=True)
sending = connection().createSession(False, 1)


def opened(name):
    link = connection("client-" + name)
    session = link.createSession(False, 3)
    topic = session.createTopic(name)
    return link, topic, session.createDurableConsumer(topic, "name")


def again(name):
    link, _, consumer = opened(name)
    seen = list(texts(consumer))
    link.close()
    return seen


link, topic, consumer = opened("listener")
closed = threading.Event()


def close(_):
    consumer.close()
    closed.set()


consumer.setMessageListener(JProxy("jakarta.jms.MessageListener", dict={"onMessage": close}))
producer = sending.createProducer(topic)
for text in "abc":
    producer.send(sending.createTextMessage(text))
closed.wait(5)
threading.Event().wait(0.5)
link.close()
tell("messages after the first, at which the listener closed its consumer", lambda: again("listener"), "['b', 'c']", "listener")
for run in range(10):
    link, topic, consumer = opened(f"later{run}")
    heard = threading.Semaphore(0)
    consumer.setMessageListener(JProxy("jakarta.jms.MessageListener", dict={"onMessage": lambda _, heard=heard: heard.release()}))
    producer = sending.createProducer(topic)
    for text in "ab":
        producer.send(sending.createTextMessage(text))
    for _ in "ab":
        heard.acquire(timeout=5)
    consumer.close()
    link.close()
    tell("messages that come again after the consumer and its connection were closed", lambda run=run: again(f"later{run}"), "[]", "later")
end()
