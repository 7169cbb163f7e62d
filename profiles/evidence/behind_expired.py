"""Does receiveNoWait() find messages that lie behind expired ones?  behind_expired.py PROVIDER

Four messages of a topic live, each behind one that has expired. Four calls find them if nothing lies before them, and so they have to
find them here (8.5), but for one that may not be there yet.
"""

import time

from brokers import connect, connection, end, tell

session, _ = connect()
numbers = iter(range(999))


def missed(create, *name, expired=True):
    """Give how many of four calls find no message, in the worst of eight attempts."""
    return max(attempt(create, name, expired=expired) for _ in range(8))


def attempt(create, name, *, expired):
    topic, mine = session.createTopic(f"behind.{next(numbers)}"), connection(f"client.{next(numbers)}").createSession(False, 1)
    consumer, producer = getattr(mine, create)(topic, *name), session.createProducer(topic)
    for _ in range(4):
        if expired:
            producer.send(session.createTextMessage("expired"), 2, 4, 100)
        producer.send(session.createTextMessage("lives"))
    time.sleep(0.3)
    return [consumer.receiveNoWait() for _ in range(4)].count(None)


def few(count):
    return count < 2


tell("calls without a message, shared, nothing expired", lambda: missed("createSharedConsumer", "s", expired=False))
tell("calls without a message, unshared", lambda: missed("createConsumer"), few, "unshared")
tell("calls without a message, durable", lambda: missed("createDurableConsumer", "s"), few, "durable")
tell("calls without a message, shared", lambda: missed("createSharedConsumer", "s"), few, "shared")
tell("calls without a message, shared durable", lambda: missed("createSharedDurableConsumer", "s"), few, "shared-durable")
end()
