"""Does a durable subscription give messages twice that is resumed while others send?  resumed.py PROVIDER [restart]

What was acknowledged must not come again (6.2.7, 6.2.10, 8.3.3). With `restart` the broker restarts before each resumption.
"""

import sys
from itertools import count
from time import sleep

from brokers import beside, connect, connection, end, restart, tell, texts

topic, numbers, twice = connect(keep=True)[0].createTopic("evidence"), count(), []

def subscribe():
    mine = (link := connection("resumed")).createSession(False, 1)  # 1: AUTO_ACKNOWLEDGE
    return link, mine.createDurableSubscriber(topic, "kept")

def send():
    producer = (mine := connection().createSession(False, 1)).createProducer(topic)
    while not enough:
        producer.send(mine.createTextMessage(str(next(numbers))))

subscribe()[0].close()
for _ in range(20):
    if "restart" in sys.argv:
        restart()
    enough = []
    with beside(send, send):
        sleep(0.03)
        link, consumer = subscribe()
        enough.append(sleep(0.03))
    received = list(texts(consumer))
    link.close()
    twice.append(len(received) - len(set(received)))
tell("messages received a second time, in each of 20 resumptions", lambda: twice, lambda came: not any(came))
end()
