"""A message with a time to live has an expiration, also where its producer sets no timestamp (7.4)."""

from brokers import connect, end, tell

session, queue = connect()
producer = session.createProducer(queue)
producer.setDisableMessageTimestamp(True)
producer.setTimeToLive(600_000)
message = session.createMessage()
producer.send(message)
tell("JMSExpiration after the send, with ten minutes to live", message.getJMSExpiration, lambda time: time > 0)
received = session.createConsumer(queue).receive(2000)
tell("JMSExpiration at the receiver", received.getJMSExpiration, lambda time: time > 0)
end()
