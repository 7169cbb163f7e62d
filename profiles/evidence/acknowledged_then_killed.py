"""What acknowledge() has returned for does not come again, though the broker dies meanwhile (7.7, 9.1). It is a race: five attempts.

For a broker in a process of its own.  acknowledged_then_killed.py PROVIDER
"""

from contextlib import suppress
from threading import Timer

import brokers
import jpype
from brokers import connect, connection, end, tell, texts

brokers.qpid = brokers.qpid_jms11  # in a process of its own
connect(keep=True)


def later():
    """Give how many of the messages for which acknowledge() had returned come again, when the broker dies meanwhile; up to five attempts."""
    for attempt in range(5):
        queue, acknowledged = connection().createSession(False, 1).createQueue(f"evidence.later.{attempt}"), set()
        mine = connection().createSession(False, 2)
        producer, consumer = mine.createProducer(queue), mine.createConsumer(queue)
        for number in range(2000):
            producer.send(mine.createTextMessage(str(number)))
        killing = Timer(0.1, brokers.kills[-1])
        killing.start()
        with suppress(jpype.JException, AttributeError):  # null, or the connection is lost
            while True:
                message = consumer.receive(2000)
                message.acknowledge()
                acknowledged.add(str(message.getText()))
        killing.join()
        brokers.restart()
        if came := acknowledged.intersection(texts(connection().createSession(False, 1).createConsumer(queue))):
            return len(came)
    return 0


tell("acknowledged messages that came again", later, "0")
end()
