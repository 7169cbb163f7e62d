"""Does a commit that returned hold while another consumer of the queue closes?  lost_commit.py openmq

One session receives a message from a queue, passes it on to another and commits, in one transaction; at the same time a
consumer of the first queue, of another connection, closes. Each message has to be in the second queue once, and in the first no more.
"""

import threading
from collections import Counter

from brokers import connect, connection, end, tell

AMOUNT = 5_000

session, queue = connect()
out = session.createQueue("evidence-out")
TRANSACTED = 0


def come_and_go():
    link = connection()
    while not over.is_set():
        other = link.createSession(True, TRANSACTED)
        consumer = other.createConsumer(queue)
        over.wait(0.005)
        consumer.close()
        other.rollback()
        other.close()


over = threading.Event()
producer = session.createProducer(queue)
for number in range(AMOUNT):
    producer.send(session.createTextMessage(str(number)))
passing = connection().createSession(True, TRANSACTED)
taken, onward = passing.createConsumer(queue), passing.createProducer(out)
others = [threading.Thread(target=come_and_go) for _ in range(3)]
for each in others:
    each.start()
committed, refused = Counter(), 0
while (message := taken.receive(2000)) is not None:
    text = str(message.getText())
    onward.send(passing.createTextMessage(text))
    try:
        passing.commit()
        committed[text] += 1
    except Exception as error:
        refused += 1
        print("commit refused:", error)
over.set()
for each in others:
    each.join()
arrived, consumer = Counter(), session.createConsumer(out)
while (message := consumer.receive(2000)) is not None:
    arrived[str(message.getText())] += 1
tell("sent", lambda: AMOUNT)
tell("commits that returned", committed.total)
tell("commits that were refused", lambda: refused)
tell("messages that came again though their commit had returned", lambda: sum(times > 1 for times in committed.values()))
tell("passed on in a commit that returned, and not there", lambda: (committed - arrived).total())
tell("never received", lambda: AMOUNT - len(committed))
end()
