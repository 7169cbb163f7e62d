"""What messages say of themselves that were with a client when the broker was stopped and started again.  restarted.py PROVIDER

One was handed back once before, one was not, one was not given to anybody. The first two have to come again with JMSRedelivered
(3.4.7) and with a JMSXDeliveryCount above 1 (9.1); JMSDeliveryTime has to be that of the send (3.4.13). case=topic: the same of a
durable subscription, whose only message was with a client.
"""

from contextlib import suppress

import jpype
from brokers import connect, connection, end, restart, tell

session, queue = connect(keep=True)
producer = session.createProducer(queue)
for text in ("with a client a second time", "with a client", "with nobody"):
    producer.send(session.createTextMessage(text))


def about(when, message):
    redelivered = when == "after" and "client" in str(message.getText())
    what = f"{when}, {message.getText()}:"
    tell(f"{what} JMSRedelivered", message.getJMSRedelivered, "true" if redelivered else None, "flag")
    risen = (lambda count: count > 1) if redelivered else None
    tell(f"{what} JMSXDeliveryCount", lambda: message.getIntProperty("JMSXDeliveryCount"), risen, "count")
    tell(f"{what} JMSDeliveryTime after JMSTimestamp, ms", lambda: message.getJMSDeliveryTime() - message.getJMSTimestamp(), "0", "time")


holding = (mine := (held := connection()).createSession(False, 2)).createConsumer(queue)  # 2: CLIENT_ACKNOWLEDGE
holding.receive(2000)
mine.recover()
for _ in range(2):
    about("before", holding.receive(2000))
subscribed = connection("restarted")
mine = subscribed.createSession(False, 2)
watched = getattr(mine, "createDurableConsumer", mine.createDurableSubscriber)(topic := mine.createTopic("restarted"), "name")
session.createProducer(topic).send(session.createTextMessage("with a client"))
watched.receive(2000)
restart()
with suppress(jpype.JException):
    held.close()
with suppress(jpype.JException):
    subscribed.close()
again = connection("restarted").createSession(False, 1)
resumed = getattr(again, "createDurableConsumer", again.createDurableSubscriber)(topic, "name")
tell("of the durable subscription, JMSRedelivered", lambda: resumed.receive(2000).getJMSRedelivered(), "true", "topic")
consumer = connection().createSession(False, 1).createConsumer(queue)
while (message := consumer.receive(2000)) is not None:
    about("after", message)
end()
