"""An empty text arrives as an empty text, sent once, and sent again after the message was received (3.11)."""

from brokers import connect, connection, end, restart, tell

session, queue = connect(keep=True)
name = queue.getQueueName()
message = session.createTextMessage("")
session.createProducer(queue).send(message)
session.createProducer(queue).send(session.createTextMessage("full"))
consumer = session.createConsumer(queue)
tell("at once, empty", lambda: consumer.receive(5_000).getText(), "", "once")
consumer.receive(5_000)
session.createProducer(queue).send(message)
consumer.close()
restart()
again = connection().createSession(False, 1)
tell("after a restart, empty", lambda: again.createConsumer(again.createQueue(name)).receive(5_000).getText(), "", "restart")
end()
