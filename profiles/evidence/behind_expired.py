"""Does receiveNoWait() find messages that lie behind expired ones?  behind_expired.py PROVIDER

Four messages of a topic live, each behind one that has expired. Four calls find them if nothing lies before them, and so they have to
find them here (8.5), at each kind of subscription.
"""

import time
from functools import partial

from brokers import connect, connection, end, tell

session, _ = connect()
numbers = iter(range(99))
KINDS = {
    "plain": lambda mine, topic: mine.createConsumer(topic),
    "durable": lambda mine, topic: mine.createDurableConsumer(topic, "d"),
    "shared": lambda mine, topic: mine.createSharedConsumer(topic, "s"),
    "shared-durable": lambda mine, topic: mine.createSharedDurableConsumer(topic, "sd"),
}


def found(kind, expired):
    """Give how many of four calls find no message."""
    topic, mine = session.createTopic(f"behind.{next(numbers)}"), connection(f"client.{next(numbers)}").createSession(False, 1)
    consumer, producer = KINDS[kind](mine, topic), session.createProducer(topic)
    for _ in range(4):
        if expired:
            producer.send(session.createTextMessage("expired"), 2, 4, 100)
        producer.send(session.createTextMessage("lives"))
    time.sleep(0.5)
    return [consumer.receiveNoWait() for _ in range(4)].count(None)


for kind in KINDS:
    tell(f"calls without a message, subscription {kind}, nothing expired", partial(found, kind, expired=False))
    tell(f"calls without a message, subscription {kind}, behind expired ones", partial(found, kind, expired=True), lambda n: n < 2, kind)
end()
