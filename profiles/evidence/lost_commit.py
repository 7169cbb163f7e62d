"""Does a commit that returned hold while other consumers of the queue close?  lost_commit.py openmq

Sessions pass messages on, three in a transaction; others receive five, do not commit, and close (6.2.7, 7.7).
"""

from contextlib import suppress

import jpype
from brokers import connect, connection, end, tell, texts, together

(session, queue), passed = connect(), []
out, producer = session.createQueue("evidence.out"), session.createProducer(queue)
for number in range(30_000):
    producer.send(session.createTextMessage(str(number)))

def pass_on():
    mine = connection().createSession(True, 0)
    onward, received = mine.createProducer(out), texts(mine.createConsumer(queue))
    for held in zip(received, received, received, strict=False):
        for text in held:
            onward.send(mine.createTextMessage(text))
        with suppress(jpype.JException):  # a commit that is refused, which the broker may do
            mine.commit()
            passed.extend(held)

def come_and_go(got=()):
    while got.count(None) < 5:
        consumer = (link := connection()).createSession(True, 0).createConsumer(queue)
        got = [consumer.receive(100) for _ in range(5)]
        consumer.close()
        link.close()
together(pass_on, pass_on, pass_on, come_and_go, come_and_go, come_and_go)
there = set(texts(session.createConsumer(out)))
tell("committed, and committed once more", lambda: len(passed) - len(set(passed)), "0", "twice")
tell("passed on, and not there", lambda: len(set(passed) - there), "0", "lost")
end()
