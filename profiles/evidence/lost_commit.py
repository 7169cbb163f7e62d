"""Does a commit that returned hold while other consumers of the queue close?  lost_commit.py openmq

Three sessions pass messages on, one in each transaction; others receive five, do not commit, and close (6.2.7, 7.7).
"""

from threading import Event, Thread

from brokers import connect, connection, end, tell, texts

(session, queue), passed, over = connect(), [], Event()
out, producer = session.createQueue("evidence.out"), session.createProducer(queue)
for number in range(30_000):
    producer.send(session.createTextMessage(str(number)))


def pass_on():
    mine = connection().createSession(True, 0)
    onward = mine.createProducer(out)
    for text in texts(mine.createConsumer(queue)):
        onward.send(mine.createTextMessage(text))
        mine.commit()
        passed.append(text)


def come_and_go():
    while not over.is_set():
        link = connection()
        consumer = link.createSession(True, 0).createConsumer(queue)
        for _ in range(5):
            consumer.receive(100)
        consumer.close()
        link.close()


passing, others = [Thread(target=pass_on) for _ in range(3)], [Thread(target=come_and_go) for _ in range(3)]
for each in passing + others:
    each.start()
for each in passing:
    each.join()
over.set()
there = set(texts(session.createConsumer(out)))
tell("commits that returned", lambda: len(passed))
tell("of those, of a message committed before", lambda: len(passed) - len(set(passed)))
tell("messages passed on, and not there", lambda: len(set(passed) - there))
end()
