"""Does a message come again that a listener rolled back while stop() waited for it?  rolled_back_at_stop.py PROVIDER

stop() waits for a listener that runs, and the listener has all services of the connection (6.1.5). After its rollback and a start()
the message is delivered again. Redelivery without delay, as in the profile; a race, so there are several attempts.
"""

import time
from threading import Event, Thread

import brokers
from brokers import connect, connection, end, listening, tell

session, _ = connect()
policy = brokers.factory.getRedeliveryPolicy()
policy.setInitialRedeliveryDelay(0)
policy.setRedeliveryDelay(0)


def attempt(number):
    """Give whether the message came again."""
    queue, link = session.createQueue(f"stopped.{number}"), connection()
    mine, first, go_on, again = link.createSession(True, 0), Event(), Event(), Event()

    def on_message(message):
        if message.getJMSRedelivered():
            again.set()
            return
        first.set()
        go_on.wait(5)
        mine.rollback()

    mine.createConsumer(queue).setMessageListener(listening(on_message))
    session.createProducer(queue).send(session.createTextMessage("x"))
    first.wait(5)
    stopping = Thread(target=link.stop)
    stopping.start()
    time.sleep(0.1)
    go_on.set()
    stopping.join()
    link.start()
    came = again.wait(3)
    link.close()
    return came


tell("the message came again, in up to 12 attempts", lambda: all(attempt(number) for number in range(12)), "true")
end()
