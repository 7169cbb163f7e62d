"""Does what a client left unacknowledged come again?  left_behind.py PROVIDER

In mode CLIENT_ACKNOWLEDGE two consumers of one session receive three of five messages each, from two queues; then one of them closes,
and the connection. All messages of both queues have to come to the next client (9.1).
"""

from functools import partial

from brokers import connect, connection, end, tell, texts

session, _ = connect()
connections = iter(range(9))
ALL = ["0", "1", "2", "3", "4"]


def again(closed):
    """Give what comes of each queue, after the close of these consumers and of the connection."""
    number = next(connections)
    mine = (link := connection()).createSession(False, 2)  # 2: CLIENT_ACKNOWLEDGE
    queues = [session.createQueue(f"left.{number}.{each}") for each in range(2)]
    consumers = [mine.createConsumer(queue) for queue in queues]
    for queue, consumer in zip(queues, consumers, strict=True):
        producer = session.createProducer(queue)
        for text in ALL:
            producer.send(session.createTextMessage(text))
        for _ in range(3):
            consumer.receive(2000)
    for each in closed:
        consumers[each].close()
    link.close()
    return [sorted(texts(session.createConsumer(queue))) for queue in queues]


for closed in ((), (0,), (1,), (0, 1)):
    tell(f"what comes again where {len(closed)} of two consumers are closed", partial(again, closed), lambda came: came == [ALL, ALL])
end()
