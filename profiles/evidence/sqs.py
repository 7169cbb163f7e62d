"""What the client of Amazon SQS makes of contents and headers, each by a `case`: sqs.py sqs case=property."""

import brokers
from brokers import JClass, JProxy, api, connect, connection, end, restart, tell

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


tell("delivery mode and priority of a new producer, should be 2 4", defaults, "2 4", "defaults")
tell("an empty property, should be set", lambda: given(""), "null", "property")
tell("a null property, should be set", lambda: given(None), "null", "property")
tell("an empty text, should be sent", lambda: sent(session, queue, ""), "null", "body")
tell("a message of another provider, should be sent", lambda: session.createProducer(queue).send(JProxy(api("TextMessage"), dict={})), "null", "foreign")
tell("what arrives of mode 1, priority 7 and type, and is set by the send, should be 1 7 mine True True", headers, "1 7 mine True True", "headers")
tell("half a surrogate pair, 55296, should arrive", lambda: carried(0xD800), "55296", "half")
tell("the last unit, 65535, should arrive", lambda: carried(0xFFFF), "65535", "unit")
tell("what was sent before a restart, should arrive", restarted, lambda got: got is not None, "restart")
end()
