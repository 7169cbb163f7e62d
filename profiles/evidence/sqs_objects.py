"""What the client of Amazon SQS offers of its objects, each by a `case`: sqs_objects.py sqs case=closed."""

from queue import Queue
from threading import Event

import brokers
from brokers import JClass, api, connect, connection, end, listening, tell

session, queue = connect()


def fresh(mode=1):
    """Give a queue of its own, and a session of a connection of its own."""
    made = connection()
    return made, (own := made.createSession(False, mode)), own.createQueue(brokers.fresh_name())


def sent(own, where, *contents):
    for text in contents:
        own.createProducer(where).send(own.createTextMessage(text))


def selected():
    *_, where = fresh()
    own = brokers.factory.createQueueConnection()
    own.start()
    mine = own.createQueueSession(False, 1)
    sent(mine, where, "x")
    return mine.createReceiver(where, "n = 1").receive(3000)


def of_queues():
    return brokers.factory.createQueueConnection().createQueueSession(False, 1)


def closed():
    made, own, where = fresh()
    producer = own.createProducer(where)
    made.close()
    return producer.getPriority()


def in_listener():
    """Use the session in its listener, while another thread closes it, which has to wait for the listener."""
    _, own, where = fresh()
    called, raised = Event(), Queue()

    def use(_):
        called.set()
        Event().wait(1)
        try:
            own.createProducer(where)
            raised.put("x")
        except brokers.jpype.JException as error:
            raised.put(str(error.getClass().getSimpleName()))

    own.createConsumer(where).setMessageListener(listening(use))
    sent(own, where, "x")
    called.wait(10)
    own.close()
    return raised.get(timeout=10)


tell("what createReceiver with a selector gets that nothing matches, should be null", selected, "null", "selector")
tell("a QueueRequestor, should be made", lambda: JClass(api("QueueRequestor"))(of_queues(), queue), "null", "requestor")
tell("createTopic() of a QueueSession, should raise", lambda: of_queues().createTopic("x"), "IllegalStateException", "topics")
tell("getPriority() of a closed producer, should raise", closed, "IllegalStateException", "closed")
tell("what a producer of the session in its listener gives while it closes, should be x", in_listener, "x", "listener")
end()
