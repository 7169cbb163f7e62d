"""A shared subscription is open: its name with other terms is refused, and the connection that asked stays usable (8.3.2).

case=topic     another topic, from another connection
case=selector  another selector, from another connection
"""

import time

import jpype
from brokers import connect, connection, end, tell

session, _ = connect()
here, there = session.createTopic("here"), session.createTopic("there")
session.createSharedConsumer(here, "name")


def producer_after(topic, *selector):
    """Give what createProducer does on a connection that was refused the name."""
    other = connection().createSession(False, 1)
    try:
        other.createSharedConsumer(topic, "name", *selector)
    except jpype.JException as error:
        print(f"refused: {error.getClass().getSimpleName()}: {error.getMessage()}")
    time.sleep(0.5)
    return other.createProducer(topic)


def works(producer):
    return hasattr(producer, "send")


tell("createProducer() after another topic was refused", lambda: producer_after(there), works, "topic")
tell("createProducer() after another selector was refused", lambda: producer_after(here, "n = 1"), works, "selector")
end()
