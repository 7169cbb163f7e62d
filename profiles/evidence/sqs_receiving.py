"""How the client of Amazon SQS receives and acknowledges, each by a `case`: sqs_receiving.py sqs case=order."""

import time

import brokers
from brokers import connect, connection, end, tell

session, queue = connect()


def fresh(mode=1):
    """Give a queue of its own, and a session of a connection of its own."""
    made = connection()
    return made, (own := made.createSession(False, mode)), own.createQueue(brokers.fresh_name())


def sent(own, where, *contents):
    for text in contents:
        own.createProducer(where).send(own.createTextMessage(text))


def acknowledged():
    _, own, where = fresh()
    sent(own, where, "x")
    own.createConsumer(where).receive(3000).acknowledge()


def stopped():
    made, own, where = fresh()
    consumer = own.createConsumer(where)
    made.stop()
    before = time.monotonic()
    consumer.receive(1000)
    return time.monotonic() - before


def ordered():
    _, own, where = fresh(2)
    sent(own, where, *"123456")
    consumer = own.createConsumer(where)
    for _ in range(3):
        consumer.receive(3000)
    own.recover()
    return "".join(str(consumer.receive(3000).getText()) for _ in range(6))


def by_itself():
    made, own, where = fresh(3)
    sent(own, where, *"123")
    consumer = own.createConsumer(where)
    for _ in range(3):
        consumer.receive(3000)
    made.close()
    other = connection().createSession(False, 1).createConsumer(where)
    came = [message for _ in range(3) if (message := other.receive(10000)) is not None]
    return "".join(sorted(str(message.getText()) for message in came))


tell("acknowledge() of a session that acknowledges, should do nothing", acknowledged, "null", "automatic")
tell("seconds that receive(1000) takes while stopped, should be 1", stopped, lambda took: took > 0.9, "stopped")
tell("what comes after recover() of 3 of 6, should be 123456", ordered, "123456", "order")
tell("the messages redelivered of 3 that a session with DUPS_OK took, should not be all", by_itself, lambda got: str(got) != "123", "dups-ok")
end()
