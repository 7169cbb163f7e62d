"""A connection opened since sends to a temporary queue of another one, at once.  temporary_at_once.py PROVIDER

Any client may send to a temporary queue that it knows, while the queue lives (4.1.5-7). ActiveMQ's client asks its own list of
temporary destinations, which advisory messages fill: until they have come, the queue counts as deleted: a race.
"""

import jpype
from brokers import connect, connection, end, tell

session, _ = connect()


def refused():
    """Send to a fresh temporary queue over a fresh connection, fifty times; give how often that is refused."""
    count = 0
    for _ in range(50):
        sender = connection().createSession(False, 1)
        queue = session.createTemporaryQueue()
        try:
            sender.createProducer(queue).send(sender.createTextMessage("x"))
        except jpype.JException:
            count += 1
    return count > 0


tell("some sends to a temporary queue that was just made are refused", refused, "false", case="at-once")
end()
