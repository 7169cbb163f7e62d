"""What a transacted session held when the broker was restarted comes again with JMSRedelivered and a higher JMSXDeliveryCount (9.1).

The session got three messages and did not commit; another client gets them then. Up to 10 restarts: it is a race.

case=count  the count has to be 2
case=flag   the flag has to be set
"""

from contextlib import suppress

import jpype
from brokers import connect, connection, end, made, restart, tell

connect(keep=True)


def wrong(about, wanted):
    """Give what the messages say after the first restart at which they do not say what is wanted, or the number of restarts."""
    for number in range(10):
        sending = connection().createSession(False, 1)
        queue = sending.createQueue(f"held.{number}")
        producer = sending.createProducer(queue)
        for _ in range(3):
            producer.send(sending.createTextMessage("x"))
        consumer = connection().createSession(True, 0).createConsumer(queue)
        for _ in range(3):
            consumer.receive(5000)
        restart()
        while made:
            with suppress(jpype.JException):
                made.pop().close()
        consumer = connection().createSession(False, 1).createConsumer(queue)
        said = [about(consumer.receive(5000)) for _ in range(3)]
        if said != [wanted] * 3:
            return said
    return "right 10 times"


def right(result):
    return isinstance(result, str)


tell("JMSXDeliveryCount after a restart", lambda: wrong(lambda message: int(message.getIntProperty("JMSXDeliveryCount")), 2), right, "count")
tell("JMSRedelivered after a restart", lambda: wrong(lambda message: bool(message.getJMSRedelivered()), wanted=True), right, "flag")
end()
