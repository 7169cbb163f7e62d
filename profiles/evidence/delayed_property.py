"""A message that was sent with a delay has the properties only that its sender set, and those of a name JMSX or JMS_ (3.5.10)."""

from brokers import connect, end, tell

session, queue = connect()
producer = session.createProducer(queue)
producer.setDeliveryDelay(200)
producer.send(session.createTextMessage("x"))
received = session.createConsumer(queue).receive(3000)


def names():
    left = received.getPropertyNames()
    while left.hasMoreElements():
        yield str(left.nextElement())


tell("names at the receiver, each JMSX... or JMS_...", lambda: list(names()), lambda seen: all(name.startswith(("JMSX", "JMS_")) for name in seen))
end()
