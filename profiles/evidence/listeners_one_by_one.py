"""Does a listener that is set in a running session get what waits for its consumer (8.7)?  listeners_one_by_one.py PROVIDER

Three consumers of one session have three messages each; their listeners are set one after the other.
"""

from threading import Event

from brokers import connect, connection, end, listening, tell

session, _ = connect()
mine = connection().createSession(False, 1)
queues = [session.createQueue(f"evidence.one.by.one.{number}") for number in range(3)]
consumers = [mine.createConsumer(queue) for queue in queues]
for queue in 3 * queues:
    session.createProducer(queue).send(session.createTextMessage("x"))


def heard(consumer):
    called = Event()
    consumer.setMessageListener(listening(lambda _: called.set()))
    return called.wait(10)


tell("listeners that were called, of 3", lambda: sum(map(heard, consumers)), "3")
end()
