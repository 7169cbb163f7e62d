"""Does acknowledge() cover what a consumer got that has been closed since?  closed_acknowledge.py PROVIDER

In CLIENT_ACKNOWLEDGE it covers everything that the session has delivered (6.2.10), by whichever consumer.
"""

from brokers import connect, connection, end, tell, texts

session, queue = connect()
other = session.createQueue("of.the.open.consumer")
session.createProducer(queue).send(session.createTextMessage("delivered to the closed consumer"))
session.createProducer(other).send(session.createTextMessage("x"))
mine = (link := connection()).createSession(False, 2)  # 2: CLIENT_ACKNOWLEDGE
closed, consumer = mine.createConsumer(queue), mine.createConsumer(other)
closed.receive(5_000)
closed.close()
consumer.receive(5_000).acknowledge()
link.close()
again = connection().createSession(False, 1).createConsumer(queue)
tell("what comes again of the queue after acknowledge()", lambda: list(texts(again)), "[]")
end()
