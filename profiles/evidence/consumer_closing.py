"""close() of a connection consumer whose only server session is at work returns when that has ended (11.2.4). It is a race: up to 30 times."""

import time
from threading import Event, Thread

from application_server import server
from brokers import connect, end, tell

session, _ = connect()


def closed():
    """Give how often close() returned within five seconds of the end of the listener before it did not."""
    for turn in range(30):
        queue, entered, go_on = session.createQueue(f"closing.{turn}"), Event(), Event()

        def work(own, message, entered=entered, go_on=go_on):
            entered.set()
            go_on.wait(5)

        where, pool = server(work)
        consumer = where.createConnectionConsumer(queue, None, pool, 1)
        producer = session.createProducer(queue)
        for _ in range(4):
            producer.send(session.createTextMessage("x"))
        entered.wait(5)
        closing = Thread(target=consumer.close, daemon=True)
        closing.start()
        time.sleep(0.1)
        go_on.set()
        closing.join(5)
        if closing.is_alive():
            return turn
    return 30


tell("connection consumers that were closed", closed, "30")
end()
