"""Show what the client of Amazon SQS does otherwise, each by a `case`: sqs.py sqs case=property."""

import time
from queue import Queue
from threading import Event

import brokers
from brokers import JClass, JProxy, api, connect, connection, end, listening, restart, tell

session, queue = connect()


def fresh(mode=1):
    """Give a queue of its own, and a session of a connection of its own."""
    made = connection()
    return made, (own := made.createSession(False, mode)), own.createQueue(brokers.fresh_name())


def sent(own, where, *contents):
    for text in contents:
        own.createProducer(where).send(own.createTextMessage(text))


def defaults():
    producer = session.createProducer(queue)
    return f"{producer.getDeliveryMode()} {producer.getPriority()}"


def given(value):
    session.createTextMessage("x").setStringProperty("p", value)


def headers():
    _, own, where = fresh()
    message, producer = own.createTextMessage("x"), own.createProducer(where)
    message.setJMSType("mine")
    producer.send(message, 1, 7, 60000)
    got = own.createConsumer(where).receive(3000)
    kept = (got.getJMSDeliveryMode(), got.getJMSPriority(), got.getJMSType(), message.getJMSTimestamp() > 0, message.getJMSExpiration() > 0)
    return " ".join(map(str, kept))


def selected():
    *_, where = fresh()
    own = brokers.factory.createQueueConnection()
    own.start()
    mine = own.createQueueSession(False, 1)
    sent(mine, where, "x")
    return mine.createReceiver(where, "n = 1").receive(3000)


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


def carried(unit):
    _, own, where = fresh()
    sent(own, where, JClass("java.lang.Character").toString(unit))
    return own.createConsumer(where).receive(3000).getText().codePointAt(0)


def restarted():
    restart()
    _, own, where = fresh()
    sent(own, where, "x")
    restart()
    other = connection().createSession(False, 1)
    return other.createConsumer(other.createQueue(where.getQueueName())).receive(2000)


def of_queues():
    return brokers.factory.createQueueConnection().createQueueSession(False, 1)


tell("delivery mode and priority of a new producer, should be 2 4", defaults, "2 4", "defaults")
tell("an empty property, should be set", lambda: given(""), "null", "property")
tell("a null property, should be set", lambda: given(None), "null", "property")
tell("an empty text, should be sent", lambda: sent(session, queue, ""), "null", "body")
tell("a message of another provider, should be sent", lambda: session.createProducer(queue).send(JProxy(api("TextMessage"), dict={})), "null", "foreign")
tell("what arrives of mode 1, priority 7 and type, and is set by the send, should be 1 7 mine True True", headers, "1 7 mine True True", "headers")
tell("what createReceiver with a selector gets that nothing matches, should be null", selected, "null", "selector")
tell("a QueueRequestor, should be made", lambda: JClass(api("QueueRequestor"))(of_queues(), queue), "null", "requestor")
tell("createTopic() of a QueueSession, should raise", lambda: of_queues().createTopic("x"), "IllegalStateException", "topics")
tell("acknowledge() of a session that acknowledges, should do nothing", acknowledged, "null", "automatic")
tell("seconds that receive(1000) takes while stopped, should be 1", stopped, lambda took: took > 0.9, "stopped")
tell("getPriority() of a closed producer, should raise", closed, "IllegalStateException", "closed")
tell("what a producer of the session in its listener gives while it closes, should be x", in_listener, "x", "listener")
tell("what comes after recover() of 3 of 6, should be 123456", ordered, "123456", "order")
tell("the messages redelivered of 3 that a session with DUPS_OK took, should not be all", by_itself, lambda got: str(got) != "123", "dups-ok")
tell("half a surrogate pair, 55296, should arrive", lambda: carried(0xD800), "55296", "half")
tell("the last unit, 65535, should arrive", lambda: carried(0xFFFF), "65535", "unit")
tell("what was sent before a restart, should arrive", restarted, lambda got: got is not None, "restart")
end()
