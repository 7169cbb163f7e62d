"""Whose redelivery is counted when a listener fails at a message that overtook another by its priority (8.7, 3.5.11)?

case=failed: the message at which the listener failed comes again, flagged and counted. case=other: the one behind it has not been
delivered before.
"""

import threading
import time

from brokers import connect, connection, end, tell
from jpype import JClass, JProxy

seen, done, held = [], threading.Event(), threading.Event()


class Failing:
    def onMessage(self, message):
        text = str(message.getText())
        if text == "first":
            held.wait(5)
            return
        seen.append((text, bool(message.getJMSRedelivered()), int(message.getIntProperty("JMSXDeliveryCount"))))
        if len(seen) == 1:
            raise JClass("java.lang.RuntimeException")("at the first delivery")
        if len(seen) == 3:
            done.set()


session, queue = connect()
session.createConsumer(queue).setMessageListener(JProxy("jakarta.jms.MessageListener", inst=Failing()))
sending = connection().createSession(False, 1)
sender = sending.createProducer(queue)
sender.send(sending.createTextMessage("first"))
for text, priority in (("low", 1), ("high", 9)):  # both are with the client while the listener is held
    sender.send(sending.createTextMessage(text), 2, priority, 0)
    time.sleep(0.5)
held.set()
done.wait(5)
print(seen, flush=True)
again = [one[1:] for one in seen[1:] if one[0] == seen[0][0]]
others = [one[1:] for one in seen if one[0] != seen[0][0]]
tell("the second delivery of the one that failed", lambda: again, lambda found: found == [(True, 2)], "failed")
tell("the first delivery of the other", lambda: others, lambda found: found == [(False, 1)], "other")
end()
