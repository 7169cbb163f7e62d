"""Is a listener called that is set while its connection is stopped (6.1.5)?  listener_while_stopped.py PROVIDER

Four messages wait; the first is received, then the connection is stopped, and a listener is set.
"""

import time

from brokers import connect, connection, end, listening, tell

_, queue = connect()
session = (stopped := connection()).createSession(False, 1)
consumer, got = session.createConsumer(queue), []
producer = (sender := connection().createSession(False, 1)).createProducer(queue)
for text in ("1", "2", "3", "4"):
    producer.send(sender.createTextMessage(text))
tell("received before stop()", lambda: str(consumer.receive(5000).getText()))
time.sleep(0.5)  # until the others are in the client
stopped.stop()
consumer.setMessageListener(listening(lambda message: got.append(str(message.getText()))))
time.sleep(1)
tell("what the listener got on the stopped connection", lambda: got, lambda came: not came)
end()
