"""Do stop() and start() reach a connection through any of its contexts?  sibling_contexts.py PROVIDER

All contexts over a connection share its state: stop() on any one of them pauses delivery to all, start() on any one resumes it (6.1.5).
The last of them to be closed closes the connection, however often another was closed (6.1.8).
"""

from brokers import connect, context, end, tell

session, queue = connect()
producer = session.createProducer(queue)


def contexts():
    """Give a context with a consumer, and its sibling."""
    return (first := context()), first.createConsumer(queue), first.createContext(1)


def sent(consumer):
    """Send a message, and give whether it comes to the consumer."""
    producer.send(session.createTextMessage("x"))
    return consumer.receive(1000) is not None


first, consumer, unused = contexts()
unused.stop()
tell("after stop() of an unused sibling a message comes", lambda: sent(consumer), "false", "stop")
first.close()

first, consumer, other = contexts()
while consumer.receive(500) is not None:
    pass
other.createConsumer(session.createQueue("other"))
first.stop()
other.start()
tell("after start() of a sibling a message comes", lambda: sent(consumer), "true", "start")
first.close()

first, consumer, other = contexts()
for _ in range(2):
    other.close()
tell("a context works after two closes of its sibling", lambda: sent(consumer), "true", "again")
end()
