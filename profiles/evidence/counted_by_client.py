"""What comes of the count of deliveries when the session ends that had the message.  counted_by_client.py PROVIDER

One session receives a message and hands it back, twice; then it ends, and another gets the message: JMSRedelivered has to be set
(3.4.7) and JMSXDeliveryCount to go on rising (3.5.11).
"""

from brokers import connect, connection, end, tell

CLIENT_ACKNOWLEDGE = 2
session, queue = connect()
session.createProducer(queue).send(session.createTextMessage("x"))


def received(consumer, what):
    message = consumer.receive(2000)
    tell(f"{what}: JMSRedelivered", message.getJMSRedelivered)
    tell(f"{what}: JMSXDeliveryCount", lambda: message.getIntProperty("JMSXDeliveryCount"))


first = connection()
mine = first.createSession(False, CLIENT_ACKNOWLEDGE)
consumer = mine.createConsumer(queue)
received(consumer, "first delivery")
mine.recover()
received(consumer, "after recover")
mine.recover()
received(consumer, "after recover once more")
first.close()
received(connection().createSession(False, 1).createConsumer(queue), "after the end of that connection")
end()
