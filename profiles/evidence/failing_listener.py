"""Is a message flagged that comes again to a listener which failed at it?  failing_listener.py PROVIDER

In the modes auto and dups-ok it is delivered again at once, and JMSRedelivered must say so (8.7, 3.4.7).
"""

import threading

from brokers import connect, end, tell
from jpype import JClass, JProxy

seen, done = [], threading.Event()


class Failing:
    def onMessage(self, message):
        seen.append((bool(message.getJMSRedelivered()), int(message.getIntProperty("JMSXDeliveryCount"))))
        if len(seen) == 1:
            raise JClass("java.lang.RuntimeException")("at the first delivery")
        done.set()


session, queue = connect()
listener = JProxy("jakarta.jms.MessageListener", inst=Failing())
session.createConsumer(queue).setMessageListener(listener)
session.createProducer(queue).send(session.createMessage())
done.wait(5)
tell("JMSRedelivered and JMSXDeliveryCount of each delivery", lambda: seen, lambda came: len(came) == 2 and came[1][0])
end()
