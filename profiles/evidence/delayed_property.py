"""The names of the properties of a message that was sent with a delay, and to which the sender gave none (3.5.10)."""

from brokers import connect, end, tell

session, queue = connect()
producer = session.createProducer(queue)
producer.setDeliveryDelay(200)
producer.send(session.createTextMessage("x"))
received = session.createConsumer(queue).receive(3000)
names = received.getPropertyNames()
while names.hasMoreElements():
    tell("a name", names.nextElement)
end()
