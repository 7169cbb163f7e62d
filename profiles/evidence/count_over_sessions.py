"""Does JMSXDeliveryCount fall when a message goes on to the next session?  count_over_sessions.py PROVIDER

A transacted session on a durable subscription receives a message, rolls back, receives it again, and closes; so does the next one.
The count may be inexact, but a further delivery must not lower it (3.5.11).
"""

from brokers import connect, connection, end, tell

session, _ = connect()
link = connection("count_over_sessions")
topic = session.createTopic("counted")
counts = []
for turn in range(4):
    mine = link.createSession(True, 0)
    consumer = mine.createDurableSubscriber(topic, "counted")
    if turn == 0:
        session.createProducer(topic).send(session.createTextMessage("x"))
    for _ in range(2):
        counts.append(int(consumer.receive(5000).getIntProperty("JMSXDeliveryCount")))
        mine.rollback()
    consumer.close()
    mine.close()
tell("the counts", lambda: counts, lambda seen: seen == sorted(seen), "count")
end()
