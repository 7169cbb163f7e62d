"""Does a consumer of a topic get a message by a selector on its headers?  topic_selector.py PROVIDER SELECTOR

The message has JMSPriority 7, JMSType t, JMSCorrelationID c, JMSReplyTo, and is PERSISTENT.
"""

import sys

from brokers import connect, end, tell

session, _ = connect()
topic = session.createTopic("evidence")
chosen = session.createConsumer(topic, sys.argv[2])
message = session.createMessage()
message.setJMSType("t")
message.setJMSCorrelationID("c")
message.setJMSReplyTo(topic)
session.createProducer(topic).send(message, 2, 7, 0)
tell(sys.argv[2], lambda: "chosen" if chosen.receive(1000) else "not chosen", "chosen")
end()
