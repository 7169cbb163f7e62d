"""Does a consumer that is closed within a transaction get more messages?  closed_in_transaction.py PROVIDER

Once its close has returned, its listener must not be called any more, and a call that ran has returned (8.8).
"""

import time
from contextlib import suppress

import jpype
from brokers import connect, connection, end, listening, tell

(session, queue), after, running = connect(), 0, 0
producer = session.createProducer(queue)


def on_message(_):
    called.append(time.monotonic())
    time.sleep(0.001)
    ended.append(time.monotonic())


for _ in range(20):
    called, ended = [], []
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
    running += any(one <= returned < other for one, other in zip(called, ended, strict=False))
    with suppress(jpype.JException):  # one that fails while messages still come
        mine.rollback()
    link.close()
tell("calls of the listener after close had returned, in 20 attempts", lambda: after, "0", "after")
tell("attempts in which the listener ran as close returned, of 20", lambda: running, "0", "running")
end()
