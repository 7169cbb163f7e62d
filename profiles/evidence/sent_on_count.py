"""A message that was redelivered and is sent on is a new message: its first delivery has a JMSXDeliveryCount of 1 (3.5.11)."""

from brokers import connect, connection, end, tell

_, queue = connect()
session = connection().createSession(True, 0)
producer, consumer = session.createProducer(queue), session.createConsumer(queue)
producer.send(session.createMessage())
session.commit()
consumer.receive(2000)
session.rollback()
again = consumer.receive(2000)
print("before it is sent on:", again.getJMSRedelivered(), again.getIntProperty("JMSXDeliveryCount"), flush=True)
producer.send(again)
session.commit()
received = consumer.receive(2000)
tell("JMSXDeliveryCount of its first delivery", lambda: received.getIntProperty("JMSXDeliveryCount"), "1", "count")
tell("JMSRedelivered of its first delivery", received.getJMSRedelivered, "false", "flag")
end()
