"""A received map message that was cleared and written can be sent on (3.11.2)."""

from brokers import connect, end, tell

session, queue = connect()
producer, consumer = session.createProducer(queue), session.createConsumer(queue)
message = session.createMapMessage()
message.setString("name", "before")
producer.send(message)
received = consumer.receive(2000)
received.clearBody()
received.setString("name", "after")
tell("sending it on, to be taken", lambda: producer.send(received), "null")
end()
