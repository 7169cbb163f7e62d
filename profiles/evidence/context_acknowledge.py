"""Does acknowledge() of a JMSContext cover what a consumer got that has been closed since?  context_acknowledge.py PROVIDER

In CLIENT_ACKNOWLEDGE it covers everything that the context's session has delivered (6.2.10), by whichever consumer.
"""

from brokers import connect, connection, context, end, tell, texts

session, queue = connect()
session.createProducer(queue).send(session.createTextMessage("delivered to the closed consumer"))
mine = (root := context()).createContext(2)  # 2: CLIENT_ACKNOWLEDGE
closed = mine.createConsumer(queue)
closed.receive(5_000)
closed.close()
mine.acknowledge()
mine.close()
root.close()
again = connection().createSession(False, 1).createConsumer(queue)
tell("what comes again of the queue after acknowledge()", lambda: list(texts(again)), "[]")
end()
