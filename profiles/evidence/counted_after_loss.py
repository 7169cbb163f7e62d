"""What a client held, unsettled, when its link was lost comes again with JMSRedelivered and a higher JMSXDeliveryCount (9.1).

A session in CLIENT_ACKNOWLEDGE holds three messages, which another client gets then. Up to 100 links are lost: it is a race.

case=count  the count has to be 2
case=flag   the flag has to be set
"""

from contextlib import suppress

import jpype
from brokers import connect, connection, end, made, sever, tell

session, _ = connect()


def wrong(about, wanted):
    """Give what the messages say after the first loss at which they do not say what is wanted, or the number of losses."""
    for number in range(100):
        sending = connection().createSession(False, 1)
        queue = sending.createQueue(f"lost.{number}")
        producer = sending.createProducer(queue)
        for _ in range(3):
            producer.send(sending.createTextMessage("x"))
        consumer = connection().createSession(False, 2).createConsumer(queue)  # 2: CLIENT_ACKNOWLEDGE
        for _ in range(3):
            consumer.receive(5000)
        sever()
        consumer = connection().createSession(False, 1).createConsumer(queue)
        said = [about(consumer.receive(5000)) for _ in range(3)]
        while made:
            with suppress(jpype.JException):
                made.pop().close()
        if said != [wanted] * 3:
            return said
    return "right 100 times"


def right(result):
    return isinstance(result, str)


tell("JMSXDeliveryCount after a lost link", lambda: wrong(lambda message: int(message.getIntProperty("JMSXDeliveryCount")), 2), right, "count")
tell("JMSRedelivered after a lost link", lambda: wrong(lambda message: bool(message.getJMSRedelivered()), wanted=True), right, "flag")
end()
