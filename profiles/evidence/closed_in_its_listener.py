"""Does a transacted session go on after a listener closed its own consumer (8.8)?  closed_in_its_listener.py PROVIDER"""

from threading import Event

from brokers import connect, connection, end, listening, tell

(session, queue), closed = connect(), Event()
mine = connection().createSession(True, 0)
consumer = mine.createConsumer(queue)


def on_message(_):
    consumer.close()
    closed.set()


consumer.setMessageListener(listening(on_message))
for _ in range(3):
    session.createProducer(queue).send(session.createTextMessage("x"))
closed.wait(10)
other = session.createQueue("evidence.closed.in.its.listener")
tell("a send of the session after that, and its commit", lambda: (mine.createProducer(other).send(mine.createTextMessage("y")), mine.commit()), "(None, None)")
end()
