"""The listener of a consumer of a context is set to null; then messages go to receive() (8.7)."""

from brokers import connect, context, end, listening, tell

session, queue = connect()
opened = context()
consumer = opened.createConsumer(queue)
consumer.setMessageListener(listening(print))
opened.stop()
consumer.setMessageListener(None)
opened.start()
session.createProducer(queue).send(session.createTextMessage("x"))
tell("receive() after the listener was set to null", lambda: str(consumer.receive(2000).getText()), "x")
end()
