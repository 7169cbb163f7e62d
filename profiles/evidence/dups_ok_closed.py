"""What a listener in mode DUPS_OK_ACKNOWLEDGE got before its consumer and connection were closed does not come again (8.8)."""

import threading

from brokers import connect, connection, end, tell, texts
from jpype import JProxy

connect(keep=True)
sending = connection().createSession(False, 1)


def opened(name):
    link = connection(f"client-{name}")
    session = link.createSession(False, 3)
    topic = session.createTopic(name)
    return link, topic, session.createDurableConsumer(topic, "name")


def again(name):
    link, _, consumer = opened(name)
    seen = list(texts(consumer))
    link.close()
    return seen


for run in range(20):
    link, topic, consumer = opened(f"run{run}")
    heard = threading.Semaphore(0)
    consumer.setMessageListener(JProxy("jakarta.jms.MessageListener", dict={"onMessage": lambda _, heard=heard: heard.release()}))
    producer = sending.createProducer(topic)
    for text in "ab":
        producer.send(sending.createTextMessage(text))
    for _ in "ab":
        heard.acquire(timeout=5)
    consumer.close()
    link.close()
    tell("messages that come again after the consumer and its connection were closed", lambda run=run: again(f"run{run}"), "[]")
end()
