"""Can a shared consumer be made again at once, and does it get what is sent then?  shared_again.py PROVIDER

The only consumer of a shared non-durable subscription closes, and another of the same name is made; what is sent after that
must come to it (8.3.2).
"""

from brokers import connect, end, tell

session, _ = connect()


def again(number):
    topic = session.createTopic(f"evidence.{number % 10}")
    session.createSharedConsumer(topic, "name").close()
    consumer = session.createSharedConsumer(topic, "name")
    session.createProducer(topic).send(session.createMessage())
    came = consumer.receive(500) is not None
    consumer.close()
    return came


def until_it_fails():
    for number in range(1, 1001):
        if not again(number):
            return f"nothing came in attempt {number}"
    return "every message came, in 1000 attempts"


tell("a shared consumer, made again at once", until_it_fails, "every message came, in 1000 attempts")
end()
