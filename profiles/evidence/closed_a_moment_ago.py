"""A consumer of a subscription is closed; what is done at once then works (8.3.2, 8.3.3). Up to 500 times each: it is a race.

case=shared       the shared non-durable subscription is opened again, by its name, and gets what is sent from now on
case=unsubscribe  the durable subscription is deleted; the consumer's session committed what it had received
"""

import jpype
from brokers import connect, connection, end, tell

session, _ = connect()
link = connection("closed_a_moment_ago")
mine, transacted = link.createSession(False, 1), link.createSession(True, 0)


def opened_again():
    """Give how many messages came before one did not."""
    topic = session.createTopic("shared")
    producer = session.createProducer(topic)
    for turn in range(500):
        mine.createSharedConsumer(topic, "shared").close()
        consumer = mine.createSharedConsumer(topic, "shared")
        producer.send(session.createTextMessage("x"))
        if consumer.receive(2000) is None:
            return turn
        consumer.close()
    return 500


def deleted():
    """Give how often unsubscribe() worked before it did not, and the exception then."""
    topic = session.createTopic("durable")
    producer = session.createProducer(topic)
    for turn in range(500):
        consumer = transacted.createDurableConsumer(topic, "durable")
        for _ in range(3):
            producer.send(session.createTextMessage("x"))
        for _ in range(2):
            consumer.receive(2000)
        consumer.close()
        transacted.commit()
        try:
            transacted.unsubscribe("durable")
        except jpype.JException as error:
            return turn, str(error.getMessage())
    return 500


tell("messages that came to a subscription that was opened again", opened_again, "500", "shared")
tell("subscriptions that were deleted", deleted, "500", "unsubscribe")
end()
