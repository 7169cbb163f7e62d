"""Does the next client see how often a message was delivered?  counted_again.py PROVIDER

After two deliveries, each returned, JMSXDeliveryCount is 3, whoever gets the message (6.2.10).
"""

from brokers import connect, connection, end, tell

session, queue = connect()


def count_after(mode, back):
    session.createProducer(queue).send(session.createTextMessage("x"))
    mine = (link := connection()).createSession(mode == 0, mode)
    consumer = mine.createConsumer(queue)
    for _ in range(2):
        consumer.receive(5_000)
        getattr(mine, back)()
    link.close()
    again = (last := connection()).createSession(False, 1).createConsumer(queue)
    count = again.receive(5_000).getIntProperty("JMSXDeliveryCount")
    last.close()
    return count


tell("JMSXDeliveryCount after two times recover", lambda: count_after(2, "recover"), "3", "recover")
tell("JMSXDeliveryCount after two times rollback", lambda: count_after(0, "rollback"), "3", "rollback")
end()
