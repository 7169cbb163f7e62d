"""A text message sent with "before", cleared by clearBody() and sent again, has no text the second time (3.11.1)."""

from brokers import connect, end, tell

session, queue = connect()
message = session.createTextMessage("before")
producer, consumer = session.createProducer(queue), session.createConsumer(queue)
producer.send(message)
tell("first", lambda: consumer.receive(5_000).getText())
message.clearBody()
tell("on the sender's message after clearBody()", message.getText)
producer.send(message)
tell("second", lambda: consumer.receive(5_000).getText())
end()
