"""Does acknowledge() on a message that was acknowledged before cover what its session has delivered since?  acknowledged_twice.py PROVIDER

In CLIENT_ACKNOWLEDGE it acknowledges everything that the session has delivered (6.2.10), by whichever message.
"""

from brokers import connect, connection, end, tell, texts

session, queue = connect()
producer = session.createProducer(queue)
for text in ("acknowledged by itself", "delivered since"):
    producer.send(session.createTextMessage(text))
consumer = (link := connection()).createSession(False, 2).createConsumer(queue)  # 2: CLIENT_ACKNOWLEDGE
first = consumer.receive(5_000)
first.acknowledge()
consumer.receive(5_000)
first.acknowledge()
link.close()
again = connection().createSession(False, 1).createConsumer(queue)
tell("what comes again after the second acknowledge()", lambda: list(texts(again)), "[]")
end()
