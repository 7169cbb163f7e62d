"""What the client of Amazon SQS does to listeners, each by a `case`: sqs_listeners.py sqs case=unset."""

from queue import Empty, Queue

import brokers
from brokers import JClass, connect, connection, end, listening, tell

session, queue = connect()


def fresh(mode):
    """Give a connection, a session of it, and a queue, all of its own."""
    made = connection()
    return made, (own := made.createSession(False, mode)), own.createQueue(brokers.fresh_name())


def sent(own, where, *contents):
    for text in contents:
        own.createProducer(where).send(own.createTextMessage(text))


def unset():
    """Set a listener to null while the connection is stopped, and give what receives get of what was sent meanwhile."""
    made, own, where = fresh(1)
    consumer, came = own.createConsumer(where), Queue()
    consumer.setMessageListener(listening(lambda message: came.put(str(message.getText()))))
    _, other, _ = fresh(1)
    sent(other, where, "1", "2", "3")
    for _ in range(3):
        came.get(timeout=10)
    made.stop()
    sent(other, where, "two", "three")
    consumer.setMessageListener(None)
    made.start()
    return " ".join(str(got.getText()) for _ in range(2) if (got := consumer.receive(3000)) is not None)


def failing():
    """Give what a listener in CLIENT_ACKNOWLEDGE gets that fails at the first of two messages."""
    _, own, where = fresh(2)
    came, texts = Queue(), []

    def fail(message):
        came.put(str(message.getText()))
        if str(message.getText()) == "one":
            raise JClass("java.lang.RuntimeException")("it fails")

    sent(own, where, "one", "two")
    own.createConsumer(where).setMessageListener(listening(fail))
    try:
        while len(texts) < 3:
            texts.append(came.get(timeout=3))
    except Empty:
        pass
    return " ".join(texts)


tell("what was sent while stopped and is received after the listener was set to null, should be two three", unset, "two three", "unset")
tell("what a listener gets in CLIENT_ACKNOWLEDGE that fails at one, should be one two", failing, "one two", "client-failure")
end()
