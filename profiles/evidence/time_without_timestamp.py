"""JMSDeliveryTime at the receiver is that at the sender, without a timestamp too (3.4.13)."""

from brokers import connect, end, tell

session, queue = connect()
producer = session.createProducer(queue)
producer.setDisableMessageTimestamp(True)
message = session.createMessage()
producer.send(message)
print("JMSDeliveryTime at the sender:", message.getJMSDeliveryTime(), flush=True)
received = session.createConsumer(queue).receive(2000)
tell("JMSDeliveryTime at the receiver", received.getJMSDeliveryTime, str(message.getJMSDeliveryTime()))
end()
