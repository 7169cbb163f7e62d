"""Messages that a session rolled back twice have a JMSXDeliveryCount above 1 at the next client, whatever else its connection did.

First alone, then beside another session of the connection with a browser that has shown one message of another queue.
"""

from brokers import connect, connection, end, tell

sender, _ = connect()
for case in ("alone", "beside"):
    queue, other = sender.createQueue(f"counted.{case}"), sender.createQueue(f"browsed.{case}")
    for where in (queue, other):
        for text in ("one", "two", "three"):
            sender.createProducer(where).send(sender.createTextMessage(text))
    link = connection()
    mine = link.createSession(True, 0)
    consumer = mine.createConsumer(queue)
    for turn in range(2):
        for _ in range(3):
            consumer.receive(5000)
        if case == "beside" and turn == 0:
            shown = link.createSession(False, 1).createBrowser(other).getEnumeration()
            shown.nextElement()
        mine.rollback()
    link.close()
    following = connection().createSession(False, 1).createConsumer(queue)
    counts = lambda got=following: [int(got.receive(5000).getIntProperty("JMSXDeliveryCount")) for _ in range(3)]  # noqa: E731
    tell(f"{case}, the counts at the next client", counts, lambda seen: min(seen) > 1, case=case)
end()
