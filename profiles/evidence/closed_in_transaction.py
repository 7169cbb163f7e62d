"""Does a consumer that is closed within a transaction get more messages?  closed_in_transaction.py PROVIDER

Once its close has returned, its listener must not be called any more (8.8, 6.1.8).
"""

import time
from contextlib import suppress

import jpype
from brokers import connect, connection, end, listening, tell

(session, queue), after = connect(), 0
producer = session.createProducer(queue)


def on_message(_):
    called.append(time.monotonic())
    time.sleep(0.001)

for _ in range(20):
    called = []
    for number in range(200):
        producer.send(session.createTextMessage(str(number)))
    consumer = (mine := (link := connection()).createSession(True, 0)).createConsumer(queue)
    consumer.setMessageListener(listening(on_message))
    while len(called) < 3:
        time.sleep(0.001)
    consumer.close()
    returned = time.monotonic()
    time.sleep(0.1)
    after += sum(when > returned for when in called)
    with suppress(jpype.JException):  # one that fails while messages still come
        mine.rollback()
    link.close()
tell("calls of the listener after close had returned, in 20 attempts", lambda: after, "0")
end()
