"""What comes of the count of deliveries when the session ends that had the message.  counted_by_client.py PROVIDER

One session receives a message and hands it back, twice; then it ends, and another gets the message: JMSRedelivered has to be set
(3.4.7) and JMSXDeliveryCount to go on rising (3.5.11).
"""

from brokers import connect, connection, end, tell

CLIENT_ACKNOWLEDGE = 2
session, queue = connect()
session.createProducer(queue).send(session.createTextMessage("x"))


def received(consumer, what, flag):
    message = consumer.receive(2000)
    tell(f"{what}: JMSRedelivered", message.getJMSRedelivered, flag, "flag")
    tell(f"{what}: JMSXDeliveryCount", lambda: message.getIntProperty("JMSXDeliveryCount"))


first = connection()
mine = first.createSession(False, CLIENT_ACKNOWLEDGE)
consumer = mine.createConsumer(queue)
received(consumer, "first delivery", "false")
mine.recover()
received(consumer, "after recover", "true")
mine.close()
second = first.createSession(False, CLIENT_ACKNOWLEDGE)
received(second.createConsumer(queue), "after the end of that session", "true")
first.close()
last = connection()
received(last.createSession(False, 1).createConsumer(queue), "after the end of that connection", "true")
last.close()
session.createProducer(queue).send(session.createTextMessage("y"))
third = connection()
for closing in ("session", "consumer"):
    mine = third.createSession(False, CLIENT_ACKNOWLEDGE)
    consumer = mine.createConsumer(queue)
    received(consumer, f"before the {closing} closes", None)
    consumer.close() if closing == "consumer" else mine.close()
    if closing == "consumer":
        mine.recover()
    received(third.createSession(False, CLIENT_ACKNOWLEDGE).createConsumer(queue), f"when the {closing} had closed", "true")
    third.close()
    third = connection()
end()
