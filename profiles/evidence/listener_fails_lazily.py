"""Does a message of a topic come again at once to a listener that failed at it in DUPS_OK_ACKNOWLEDGE (8.7)?"""

import threading

from brokers import connect, connection, end, listening, tell
from jpype import JClass

LAZY = 3  # Session.DUPS_OK_ACKNOWLEDGE
seen, done = [], threading.Event()


def heard(message):
    seen.append(str(message.getText()))
    if len(seen) == 1:
        raise JClass("java.lang.RuntimeException")("at the first delivery")
    if seen[-1] == "behind":
        done.set()


connect()
session = connection().createSession(False, LAZY)
topic = session.createTopic("t")
session.createConsumer(topic).setMessageListener(listening(heard))
sender = connection().createSession(False, 1)
producer = sender.createProducer(topic)
for text in ("failed at", "behind"):
    producer.send(sender.createTextMessage(text))
done.wait(5)
tell("what the listener got", lambda: seen, lambda came: came[:2] == ["failed at", "failed at"])
end()
