"""Does a send to a topic work where a consumer's selector adds a truth value and a number (3.8.1.1)?

A legal send returns, whatever the selectors of the consumers make of the message.
"""

import jpype
from brokers import connect, end, tell

session, _ = connect()
topic = session.createTopic("evidence")
consumer = session.createConsumer(topic, "flag + 1 = 2 OR n = 1")
message = session.createTextMessage("x")
message.setBooleanProperty("flag", True)
message.setIntProperty("n", 1)
producer = session.createProducer(topic)
tell("the send", lambda: producer.send(message), lambda seen: not isinstance(seen, jpype.JException))
end()
