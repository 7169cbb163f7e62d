"""What messages say of themselves that were with a client when the broker was stopped and started again.  restarted.py PROVIDER

One was handed back once before, one was not, one was not given to anybody. The first two have to come again with JMSRedelivered
(3.4.7) and a higher JMSXDeliveryCount (3.5.11); JMSDeliveryTime has to be that of the send (3.4.13).
"""

import contextlib

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
for text in ("with a client a second time", "with a client", "with nobody"):
    producer.send(session.createTextMessage(text))
held = connection()
mine = held.createSession(False, CLIENT_ACKNOWLEDGE)
holding = mine.createConsumer(queue)
holding.receive(2000)
mine.recover()
for _ in range(2):
    message = holding.receive(2000)
    for name, call in about(message):
        tell(f"before, {message.getText()}: {name}", call)
restart()
with contextlib.suppress(jpype.JException):
    held.close()
consumer = connection().createSession(False, 1).createConsumer(queue)
while (message := consumer.receive(2000)) is not None:
    for name, call in about(message):
        tell(f"after, {message.getText()}: {name}", call)
end()
