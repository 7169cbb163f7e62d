"""JMSDeliveryTime of a message sent without delay: the time of sending (3.4.13), whatever stood there before (3.4.11)."""

import time

from brokers import connect, end, tell

session, queue = connect()
producer, consumer = session.createProducer(queue), session.createConsumer(queue)
message = session.createTextMessage("x")
producer.send(message)
now = int(time.time() * 1000)
print("sent at", now)


def of_now(value):
    return isinstance(value, int) and abs(int(value) - now) < 60_000


tell("JMSDeliveryTime after the send", message.getJMSDeliveryTime, of_now)
tell("JMSDeliveryTime at the receiver", lambda: consumer.receive(2000).getJMSDeliveryTime(), of_now)
message.setJMSDeliveryTime(int(time.time() * 1000) + 3_600_000)
producer.send(message)
tell("after the send of a message with one of in an hour", message.getJMSDeliveryTime, of_now)
tell("and what arrives at once", lambda: consumer.receive(2000))
end()
