"""Does a consumer of a topic get a message by a selector on its headers?  topic_selector.py PROVIDER SELECTOR

A consumer without a selector gets it. The message has JMSPriority 7, JMSType t, JMSCorrelationID c, JMSReplyTo, and is PERSISTENT.
"""

import sys

from brokers import connect, end, tell

session, _ = connect()
topic = session.createTopic("evidence")
everything = session.createConsumer(topic)
chosen = session.createConsumer(topic, sys.argv[2])
message = session.createMessage()
message.setJMSType("t")
message.setJMSCorrelationID("c")
message.setJMSReplyTo(topic)
session.createProducer(topic).send(message, 2, 7, 0)
tell("without a selector", lambda: "got" if everything.receive(2000) else "nothing")
tell(sys.argv[2], lambda: "chosen" if chosen.receive(1000) else "not chosen", "chosen")
end()
