"""A listener clears the properties of a message and fails: the message comes again (8.7), and nothing is left when all were received (6.2.10)."""

import threading

from brokers import connect, connection, end, tell
from jpype import JClass, JProxy

seen, done = [], threading.Event()


class Failing:
    def onMessage(self, message):
        seen.append(str(message.getText()))
        if len(seen) == 1:
            message.clearProperties()
            raise JClass("java.lang.RuntimeException")("at the first delivery")
        if len(seen) == 3:
            done.set()


session, queue = connect()
sending = connection().createSession(False, 1)
sender = sending.createProducer(queue)
for text in ("first", "second"):
    sender.send(sending.createTextMessage(text))
session.createConsumer(queue).setMessageListener(JProxy("jakarta.jms.MessageListener", inst=Failing()))
done.wait(3)
tell("the messages that came to the listener", lambda: seen, lambda came: came == ["first", "first", "second"], "redelivered")
session.close()
left = sending.createConsumer(queue).receive(1000)
tell("the message left for another session", lambda: left and str(left.getText()), "null", "left")
end()
