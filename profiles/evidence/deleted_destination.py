"""A temporary queue that was deleted is no destination (10.3): InvalidDestinationException."""

from brokers import connect, end, tell

session, _ = connect()
queue = session.createTemporaryQueue()
producer = session.createProducer(queue)
consumer = session.createConsumer(queue)
producer.send(session.createMessage())
tell("received before", lambda: consumer.receive(2000) is not None)
consumer.close()
queue.delete()
tell("creating a consumer, to raise InvalidDestinationException", lambda: session.createConsumer(queue), "InvalidDestinationException", "consumer")
tell("creating a producer and sending, to raise InvalidDestinationException", lambda: session.createProducer(queue).send(session.createMessage()), "InvalidDestinationException", "producer")
end()
