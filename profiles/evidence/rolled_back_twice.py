"""Is all that was rolled back flagged and counted for the next client, if a part of it was rolled back again?

Usage: rolled_back_twice.py PROVIDER

A transacted session receives six messages and rolls back, receives the first three again, rolls back and is closed. The next client
gets all six with JMSRedelivered (3.4.7) and a JMSXDeliveryCount above 1 (3.5.11).
"""

from brokers import connect, connection, end, tell

session, queue = connect()
producer = session.createProducer(queue)
for number in range(6):
    producer.send(session.createTextMessage(str(number)))
mine = (link := connection()).createSession(True, 0)
consumer = mine.createConsumer(queue)
for count in (6, 3):
    for _ in range(count):
        consumer.receive(5000)
    mine.rollback()
link.close()
other = connection().createSession(False, 1).createConsumer(queue)
messages = [other.receive(5000) for _ in range(6)]
flags = [bool(message.getJMSRedelivered()) for message in messages]
counts = [message.getIntProperty("JMSXDeliveryCount") > 1 for message in messages]
tell("which of the six have JMSRedelivered", lambda: flags, str([True] * 6), "flag")
tell("which of the six have a JMSXDeliveryCount above 1", lambda: counts, str([True] * 6), "count")
end()
