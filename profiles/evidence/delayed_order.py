"""Do messages of one producer with the same delivery delay keep their order?  delayed_order.py PROVIDER

They do by 6.2.9.2 of the specification: only a later delivery time lets a message arrive later.
"""

from itertools import pairwise

from brokers import connect, connection, end, tell, texts

DELAY = 50
session, queue = connect()
producer = session.createProducer(queue)
consumer = connection().createSession(False, 1).createConsumer(queue)


def inversions(delay):
    producer.setDeliveryDelay(delay)
    for number in range(1000):
        producer.send(session.createTextMessage(str(number)))
    came = [int(text) for text in texts(consumer)]
    return sum(later < earlier for earlier, later in pairwise(came)), "of", len(came), "came right after one that was sent later"


def in_order(found):
    return found[0] == 0 and found[2] == 1000


tell(f"1000 messages, delayed by {DELAY} ms each", lambda: inversions(DELAY), in_order)
tell("1000 messages without a delay", lambda: inversions(0), in_order)
end()
