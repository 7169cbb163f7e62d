"""Does a send to a topic work where a consumer's selector adds a truth value and a number (3.8.1.1)?

A legal send returns, whatever the selectors of the consumers make of the message: of a MessageProducer (case=classic), and of a
JMSProducer (case=simplified).
"""

import jpype
from brokers import connect, context, end, tell

session, _ = connect()
topic = session.createTopic("evidence")
consumer = session.createConsumer(topic, "flag + 1 = 2 OR n = 1")
message = session.createTextMessage("x")
message.setBooleanProperty("flag", True)
message.setIntProperty("n", 1)
producer = session.createProducer(topic)


def returned(seen):
    return not isinstance(seen, jpype.JException)


tell("the send of a MessageProducer", lambda: producer.send(message), returned, "classic")
tell("the send of a JMSProducer", lambda: context().createProducer().send(topic, message), returned, "simplified")
end()
