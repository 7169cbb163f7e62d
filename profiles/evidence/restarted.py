"""What a message says of itself that was with a client when the broker was stopped and started again.  restarted.py PROVIDER

It has to come again with JMSRedelivered (3.4.7) and a JMSXDeliveryCount of 2 (3.5.11); JMSDeliveryTime has to be that of its send (3.4.13).
"""

import jpype
from brokers import connect, connection, end, restart, tell

CLIENT_ACKNOWLEDGE = 2


def about(message):
    told = [("JMSRedelivered", message.getJMSRedelivered)]
    told.append(("JMSXDeliveryCount", lambda: message.getIntProperty("JMSXDeliveryCount")))
    if hasattr(message, "getJMSDeliveryTime"):
        told.append(("JMSDeliveryTime after JMSTimestamp, ms", lambda: message.getJMSDeliveryTime() - message.getJMSTimestamp()))
    return told


session, queue = connect(keep=True)
producer = session.createProducer(queue)
for text in ("with a client", "with nobody"):
    producer.send(session.createTextMessage(text))
held = connection()
taken = held.createSession(False, CLIENT_ACKNOWLEDGE).createConsumer(queue, "JMSPriority >= 0").receive(2000)
for name, call in about(taken):
    tell(f"before, {taken.getText()}: {name}", call)
restart()
try:
    held.close()
except jpype.JException:
    pass
consumer = connection().createSession(False, 1).createConsumer(queue)
while (message := consumer.receive(2000)) is not None:
    for name, call in about(message):
        tell(f"after, {message.getText()}: {name}", call)
end()
