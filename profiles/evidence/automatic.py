"""How many messages come again that were acknowledged automatically when the broker was restarted?  automatic.py PROVIDER

Of each session at most the last that it consumed may (6.2.11).
"""

from contextlib import suppress
from time import sleep

import jpype
from brokers import beside, connect, connection, end, restart, tell

(session, queue), again = connect(keep=True), []
producer = session.createProducer(queue)
for number in range(20_000):
    producer.send(session.createTextMessage(str(number)))

def receive(into):
    consumer = connection().createSession(False, 1).createConsumer(queue)  # 1: AUTO_ACKNOWLEDGE
    with suppress(jpype.JException):
        while (message := consumer.receive(1000)) is not None:
            into.append(str(message.getText()))


before = []
for _ in range(10):
    now = []
    with beside(lambda into=now: receive(into)):
        sleep(0.2)
        restart()
    again.append(len(set(before[:-1]) & set(now)))
    before = now
tell("received after a restart, of what the session before it had, its last left out", lambda: again, lambda came: not any(came))
end()
