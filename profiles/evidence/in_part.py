"""Does a commit that is under way when the broker is stopped take effect in part?  in_part.py PROVIDER

What a transaction sends becomes visible together or not at all (6.2.7), also where nobody knows what became of the commit.
"""

from collections import Counter
from itertools import count
from time import sleep

from brokers import beside, connect, connection, end, restart, tell, texts

SIZE = 5
queue, numbers, reached = connect(keep=True)[1], count(), {}


def send():
    producer = (mine := connection().createSession(True, 0)).createProducer(queue)
    while True:
        transaction = str(next(numbers))
        for place in range(SIZE):
            reached[transaction] = f"send {place + 1}"
            producer.send(mine.createTextMessage(transaction))
        reached[transaction] = "commit"
        mine.commit()
        reached[transaction] = "committed"


for _ in range(20):
    with beside(*[send] * 4):
        sleep(0.3)
        restart()
there = Counter(texts(connection().createSession(False, 1).createConsumer(queue)))
for number in range(1, SIZE + 1):
    found = Counter(reached[transaction] for transaction, messages in there.items() if messages == number)
    tell(f"transactions of {SIZE} messages with {number} there, by the call they had reached", lambda found=found: dict(found), lambda got, number=number: number == SIZE or not got)
end()
