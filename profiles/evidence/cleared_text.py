"""A text message sent with "before", cleared by clearBody() and sent again, has no text the second time (3.11.1)."""

from brokers import connect, end, tell

session, queue = connect()
message = session.createTextMessage("before")
producer, consumer = session.createProducer(queue), session.createConsumer(queue)
producer.send(message)
tell("first, before", lambda: consumer.receive(5_000).getText(), "before")
message.clearBody()
tell("on the sender's message after clearBody(), null", message.getText, "null")
producer.send(message)
tell("second, null", lambda: consumer.receive(5_000).getText(), "null")
end()
