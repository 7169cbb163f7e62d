"""Is the message acknowledged whose listener closes its consumer?  closed_by_listener.py PROVIDER

In AUTO_ACKNOWLEDGE it is when the listener has returned, so it does not come again (8.8).
"""

import threading

from brokers import connect, connection, end, listening, tell

(session, queue), closed = connect(), threading.Event()
session.createProducer(queue).send(session.createTextMessage("x"))
consumer = connection().createSession(False, 1).createConsumer(queue)


def on_message(_):
    consumer.close()
    closed.set()


consumer.setMessageListener(listening(on_message))
closed.wait(10)
again = connection().createSession(False, 1).createConsumer(queue)
tell("the message after its listener closed the consumer", lambda: again.receive(2000), "null")
end()
