"""Does a commit that returned hold while other consumers of the queue close?  lost_commit.py openmq

Three sessions receive messages from a queue, pass each on to another and commit, a few at a time. Three more take from the first
queue by a listener, commit, and close after a moment; others take their place. Each message has to be settled once (6.2.7), and each
that was passed on in a commit that returned has to be in the second queue (4.4).
"""

import itertools
import threading
import time
from collections import Counter

import jpype
from brokers import connect, connection, end, tell
from jpype import JImplements, JOverride

AMOUNT = 30_000
TRANSACTED = 0

session, queue = connect()
out = session.createQueue("evidence.out")
settled, passed, refused = Counter(), Counter(), []
lock = threading.Lock()
over = threading.Event()
batch = itertools.cycle((3, 1, 5, 2, 4))


def commit(mine, texts, onward):
    try:
        mine.commit()
    except jpype.JException as error:
        refused.append(str(error))
        return
    with lock:
        settled.update(texts)
        if onward:
            passed.update(texts)


def pass_on():
    mine = connection().createSession(True, TRANSACTED)
    consumer, producer = mine.createConsumer(queue), mine.createProducer(out)
    while not over.is_set():
        texts = []
        for _ in range(next(batch)):
            message = consumer.receive(200)
            if message is None:
                break
            texts.append(str(message.getText()))
            producer.send(mine.createTextMessage(texts[-1]))
        commit(mine, texts, True)


@JImplements("jakarta.jms.MessageListener")
class Taker:
    def __init__(self, mine):
        self.mine, self.texts = mine, []

    @JOverride
    def onMessage(self, message):
        self.texts.append(str(message.getText()))
        if len(self.texts) == 3:
            commit(self.mine, self.texts, False)
            self.texts = []


def come_and_go():
    while not over.is_set():
        link = connection()
        mine = link.createSession(True, TRANSACTED)
        consumer = mine.createConsumer(queue)
        consumer.setMessageListener(Taker(mine))
        over.wait(0.2 + next(batch) / 20)
        consumer.close()
        mine.rollback()
        link.close()


actors = [threading.Thread(target=work) for work in [pass_on, come_and_go] * 3]
for each in actors:
    each.start()
sending = connection().createSession(True, TRANSACTED)
producer = sending.createProducer(queue)
for number in range(AMOUNT):
    producer.send(sending.createTextMessage(str(number)))
    if number % 5 == 4:
        sending.commit()
since = time.monotonic()
while len(settled) < AMOUNT and time.monotonic() - since < 15:
    time.sleep(0.2)
over.set()
for each in actors:
    each.join(10)
for name, where, kept in (("the first", queue, Counter()), ("the second", out, Counter())):
    consumer = session.createConsumer(where)
    while (message := consumer.receive(1000)) is not None:
        kept[str(message.getText())] += 1
    tell(f"messages in {name} queue", kept.total)
tell("sent in commits that returned", lambda: AMOUNT)
tell("commits that were refused", lambda: len(refused))
tell("settled by a commit that returned", lambda: len(settled))
tell("settled more than once", lambda: sum(times > 1 for times in settled.values()))
tell("passed on in a commit that returned, and not in the second queue", (passed - kept).total)
end()
