"""Messages that a CLIENT_ACKNOWLEDGE session had received, after a close.  client_session.py PROVIDER

case=held   acknowledge() covers what a consumer got that was closed since (6.2.10)
case=again  what a closed connection had received and not acknowledged comes again with JMSRedelivered (3.4.7, 4.2.8)
"""

from brokers import connect, connection, end, tell, texts

session, _ = connect()


def held():
    """Give what comes again after the acknowledgement of the last of three messages, whose consumers were closed but the last."""
    link = connection()
    mine, sender, consumers = link.createSession(False, 2), session.createProducer(None), []
    queues = [session.createQueue(f"evidence.held.{number}") for number in range(3)]
    for queue in queues:
        sender.send(queue, session.createTextMessage("x"))
        consumers.append(mine.createConsumer(queue))
        message = consumers[-1].receive(2000)
    for consumer in consumers[:-1]:
        consumer.close()
    message.acknowledge()
    link.close()
    return [text for queue in queues for text in texts(session.createConsumer(queue))]


def again():
    """Give JMSRedelivered of three messages that the closed connection of a durable subscription had received."""
    topic, flags = session.createTopic("evidence.again"), []
    for turn in range(2):
        link = connection("client_session")
        mine = link.createSession(False, 2)
        subscriber = mine.createDurableSubscriber(topic, "evidence.name")
        if not turn:
            for _ in range(3):
                session.createProducer(topic).send(session.createMessage())
        flags = [bool(subscriber.receive(2000).getJMSRedelivered()) for _ in range(3)]
        link.close()
    return flags


tell("what comes again after the acknowledgement", held, "[]", "held")
tell("JMSRedelivered of what comes again", again, "[True, True, True]", "again")
end()
