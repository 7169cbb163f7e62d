"""Does a listener that waits get once what a closed transacted context had received (6.2.15)?  closed_beside_listener.py PROVIDER

The context received three messages, and is closed without commit; the listener is one of another connection.
It is a race: tried up to 2,000 times.
"""

import time

import brokers
from brokers import connect, end, listening, tell

session, _ = connect()
THREE = ["1", "2", "3"]


def got(number):
    queue, seen = session.createQueue(f"evidence.beside.{number}"), []
    producer = session.createProducer(queue)
    for text in THREE:
        producer.send(session.createTextMessage(text))
    transacted, other = brokers.factory.createContext(0), brokers.factory.createContext()  # 0: SESSION_TRANSACTED
    consumer = transacted.createConsumer(queue)
    for _ in THREE:
        consumer.receive(5000)
    waits = other.createConsumer(queue)
    waits.setMessageListener(listening(lambda message: seen.append(str(message.getText()))))
    transacted.close()
    bound = time.monotonic() + 5
    while len(seen) < len(THREE) and time.monotonic() < bound:
        time.sleep(0.001)
    time.sleep(0.005)  # for what comes twice
    other.close()
    return sorted(seen)


def attempts():
    return next((came for number in range(2000) if (came := got(number)) != THREE), THREE)


tell("what the listener got", attempts, lambda came: came == THREE)
end()
