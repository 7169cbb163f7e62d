"""JMSRedelivered of messages that were received in a transaction before a restart and come again (3.4.7): all true.

restarted_flag.py PROVIDER [COUNT]
"""

import sys

from brokers import connect, connection, end, restart, tell

connect(keep=True)
count = int(sys.argv[2]) if len(sys.argv) > 2 else 5


def subscribed():
    session = connection().createSession(True, 0)  # 0: SESSION_TRANSACTED
    topic = session.createTopic("evidence")
    return session, topic, session.createSharedDurableConsumer(topic, "name")


session, topic, consumer = subscribed()
other = connection().createSession(False, 1)
producer = other.createProducer(topic)
for _ in range(count):
    producer.send(other.createTextMessage("x"))
tell("at first", lambda: [bool(consumer.receive(2000).getJMSRedelivered()) for _ in range(count)])
restart()
session, topic, consumer = subscribed()
tell("after the restart", lambda: [bool(consumer.receive(2000).getJMSRedelivered()) for _ in range(count)], all)
end()
