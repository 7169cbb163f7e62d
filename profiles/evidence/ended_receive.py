"""Does a receive() on a connection that was never started return normally when it is closed (6.1.8)?  ended_receive.py PROVIDER

It is a race: each is tried up to 200 times.
"""

import threading

import brokers
from brokers import connect, context, end, tell

_, queue = connect()


def ended(opened):
    """Close a link while receive() waits; give what that gives or raises."""
    link, consumer = opened()
    results, waiting = [], threading.Event()

    def receive():
        waiting.set()
        try:
            results.append(str(consumer.receive()))
        except Exception as error:  # noqa: BLE001 - of Java, of any kind
            results.append(str(error))

    thread = threading.Thread(target=receive, daemon=True)
    thread.start()
    waiting.wait(5)
    thread.join(0.05)  # until it waits
    link.close()
    thread.join(5)
    return (results or ["does not return"])[0]


def of_connection():
    link = brokers.factory.createConnection()
    return link, link.createSession(False, 1).createConsumer(queue)


def of_context():
    link = context()
    link.setAutoStart(False)
    return link, link.createConsumer(queue)


def worst(opened):
    """Give the first exception of many attempts but that of a consumer that was closed first; "None" if there is none."""
    seen = (ended(opened) for _ in range(200))
    return next((each for each in seen if each != "None" and "closed" not in each), "None")


tell("receive() that the close of a connection ends", lambda: worst(of_connection), "None", "connection")
tell("receive() that the close of a context ends", lambda: worst(of_context), "None", "context")
end()
