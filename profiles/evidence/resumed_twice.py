"""What a durable subscription gets that is resumed right after a restart of the broker.  resumed_twice.py activemq

The broker keeps its messages in files and is stopped in good order and started again. One consumer receives and commits one
message at a time, with the failures that a restart brings, and connects again at once. Told is what it gets twice although a
commit of it had returned, and how often the second time is on the same connection as the first.
"""

import tempfile
import threading
import time
from pathlib import Path

import brokers
import jpype
from brokers import end, tell
from jpype import JClass

AMOUNT, RESTARTS = 20_000, 15
ACTIVEMQ = "org.apache.activemq."
folder = Path(tempfile.mkdtemp())


def connected(client=None):
    while True:
        try:
            return connection(client)
        except jpype.JException:
            time.sleep(0.01)


def subscribed():
    while True:
        connection = connected("client")
        try:
            session = connection.createSession(True, 0)
            return connection, session, session.createDurableSubscriber(session.createTopic("evidence"), "subscription")
        except jpype.JException:
            left(connection)


def left(connection):
    try:
        connection.close()
    except jpype.JException:
        pass


def publish():
    link, number = connected(), 0
    producer = None
    while number < AMOUNT:
        try:
            if producer is None:
                session = connection.createSession(False, 1)
                producer = session.createProducer(session.createTopic("evidence"))
            producer.send(session.createTextMessage(str(number)))
            number += 1
        except jpype.JException:
            left(connection)
            connection, producer = connected(), None
            number += 1  # nobody knows whether it was sent; it is not sent again
    over.set()


def consume():
    lap, (connection, session, consumer) = 0, subscribed()
    ready.set()
    while True:
        try:
            message = consumer.receive(500)
            if message is None:
                if over.is_set():
                    return
                continue
            number = int(str(message.getText()))
            got.append((number, lap, bool(message.getJMSRedelivered())))
            session.commit()
            settled.setdefault(number, lap)
            done.append(number)
        except jpype.JException:
            left(connection)
            lap += 1
            connection, session, consumer = subscribed()


brokers.jpype.startJVM("-Dslf4j.internal.verbosity=ERROR", convertStrings=False)
service = started()
factory = JClass(ACTIVEMQ + "ActiveMQConnectionFactory")("vm://again?create=false")
over, ready = threading.Event(), threading.Event()
got, settled, done = [], {}, []
reading = threading.Thread(target=consume)
reading.start()
ready.wait()
writing = threading.Thread(target=publish)
writing.start()
stops = 0
while stops < RESTARTS and not over.is_set():
    time.sleep(1)
    service.stop()
    service.waitUntilStopped()
    service = started()
    stops += 1
writing.join()
reading.join()
again = len(done) - len(settled)
first, same, flagged = {}, 0, 0
for number, lap, red in got:
    if number in first and number in settled:
        same += first[number] == lap
        flagged += red
    first.setdefault(number, lap)
tell("restarts", lambda: stops)
tell("messages whose commit returned", lambda: len(settled))
tell("of those, commits of the same message once more", lambda: again)
tell("second deliveries on the connection of the first, both after its restart", lambda: same)
tell("deliveries more than one, flagged as such", lambda: flagged)
end()
