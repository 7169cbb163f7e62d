"""Is what a closed consumer had got flagged and counted when it comes again?  closed_consumer.py PROVIDER

A consumer of a transacted session closes while its listener works, and the session rolls back: each message that the listener got
comes again with JMSRedelivered (3.4.7) and a JMSXDeliveryCount above 1 (3.5.11).
"""

import time
from contextlib import suppress

import jpype
from brokers import connect, connection, end, listening, tell

ATTEMPTS = 60
(session, queue), unflagged, uncounted = connect(), 0, 0
producer = session.createProducer(queue)


def on_message(message):
    held.add(str(message.getText()))
    time.sleep(0.001)


for _ in range(ATTEMPTS):
    held = set()
    for number in range(200):
        producer.send(session.createTextMessage(str(number)))
    consumer = (mine := (link := connection()).createSession(True, 0)).createConsumer(queue)
    consumer.setMessageListener(listening(on_message))
    while len(held) < 3:
        time.sleep(0.001)
    consumer.close()
    with suppress(jpype.JException):  # it fails at times while messages still come
        mine.rollback()
    other = (last := connection()).createSession(False, 1).createConsumer(queue)
    while (message := other.receive(200)) is not None:
        again = str(message.getText()) in held
        unflagged += again and not message.getJMSRedelivered()
        uncounted += again and message.getIntProperty("JMSXDeliveryCount") < 2
    last.close()
    link.close()
    if unflagged and uncounted:
        break
tell("messages that came again without JMSRedelivered", lambda: unflagged, "0", "flag")
tell("messages that came again with a JMSXDeliveryCount below 2", lambda: uncounted, "0", "count")
end()
