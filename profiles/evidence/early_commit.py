"""May a commit return before the completion listeners of the sends before it have?  early_commit.py PROVIDER

It waits for all asynchronous sends of the session first, and so does rollback (7.3.4).
"""

import time

from brokers import connect, connection, end, tell
from jpype import JProxy

session, queue = connect()
mine = connection().createSession(True, 0)
producer, running, early = mine.createProducer(queue), [], 0


def on_completion(_):
    running.append(1)
    time.sleep(0.002)
    running.pop()


completed = JProxy("jakarta.jms.CompletionListener", dict={"onCompletion": on_completion, "onException": lambda *_: None})
for attempt in range(500):
    for _ in range(3):
        producer.send(mine.createTextMessage("x"), completed)
    (mine.commit if attempt % 2 else mine.rollback)()
    early += bool(running)
tell("returned while a completion listener was running, of 500", lambda: early, "0")
end()
