"""Is what a client holds when the broker is restarted at work flagged when it comes again?  held.py PROVIDER

JMSRedelivered has to be set on what was received before and not acknowledged (3.4.7, 6.2.11, 9.1).
"""

from contextlib import suppress
from itertools import count
from time import sleep

import jpype
from brokers import beside, connect, connection, end, restart, tell

(_, queue), numbers, unflagged = connect(keep=True), count(), []

def receive(mode):
    consumer = connection().createSession(False, mode).createConsumer(queue)
    with suppress(jpype.JException):
        while (message := consumer.receive(1000)) is not None:
            yield str(message.getText()), bool(message.getJMSRedelivered())

def hold():
    held.update(text for text, _ in receive(2))  # 2: CLIENT_ACKNOWLEDGE

def send():
    producer = (mine := connection().createSession(False, 1)).createProducer(queue)
    while True:
        producer.send(mine.createTextMessage(str(next(numbers))))

for _ in range(20):
    held = set()
    with beside(hold, send, send):
        sleep(0.3)
        restart()
    unflagged.append(f"{sum(text in held and not flag for text, flag in receive(1))} of {len(held)}")
tell("held at a restart, and came again without JMSRedelivered", lambda: unflagged, lambda came: all(each.startswith("0 of") for each in came))
end()
