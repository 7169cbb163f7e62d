"""Does a consumer that is closed within a transaction get more messages?  closed_in_transaction.py PROVIDER

Once its close has returned, its listener must not be called any more (8.8, 6.1.8).
"""

import contextlib
import threading
import time

import jpype
from brokers import connect, connection, end, tell
from jpype import JImplements, JOverride

AMOUNT, ATTEMPTS = 200, 20
called, enough = [], threading.Event()


@JImplements("jakarta.jms.MessageListener", deferred=True)
class Listener:
    @JOverride
    def onMessage(self, message):
        called.append(time.monotonic())
        if len(called) == 3:
            enough.set()
        time.sleep(0.001)


session, queue = connect()
producer = session.createProducer(queue)
after = 0
for _ in range(ATTEMPTS):
    for number in range(AMOUNT):
        producer.send(session.createTextMessage(str(number)))
    link = connection()
    mine = link.createSession(True, 0)
    consumer = mine.createConsumer(queue)
    consumer.setMessageListener(Listener())
    enough.wait(5)
    consumer.close()
    returned = time.monotonic()
    time.sleep(0.1)
    after += sum(when > returned for when in called)
    with contextlib.suppress(jpype.JException):  # one that fails while messages still come
        mine.rollback()
    link.close()
    called.clear()
    enough.clear()
tell(f"calls of the listener after close had returned, in {ATTEMPTS} attempts", lambda: after)
end()
