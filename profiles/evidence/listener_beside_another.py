"""Does a message come again at once to a listener that failed at it, if its session has another listener (8.7)?

case=auto: in AUTO_ACKNOWLEDGE. case=lazy: in DUPS_OK_ACKNOWLEDGE. Both listeners have messages; nothing may be called before.
"""

import threading
import time

from brokers import connect, connection, end, listening, tell
from jpype import JClass

AUTO, LAZY = 1, 3
AT_ONCE = 3.0  # seconds that count as at once, with room for a slow machine


def seen(mode):
    calls, done = [], threading.Event()

    def heard(message):
        calls.append((str(message.getText()), time.monotonic()))
        if calls[-1][0] == "failed at" and len([text for text, _ in calls if text == "failed at"]) == 1:
            raise JClass("java.lang.RuntimeException")("at the first delivery")
        if len(calls) == 5:
            done.set()

    own = connection()
    own.stop()
    session = own.createSession(False, mode)
    queues = [session.createQueue(f"{name}.{mode}") for name in ("failing", "other")]
    for queue in queues:
        session.createConsumer(queue).setMessageListener(listening(heard))
    sender = connection().createSession(False, AUTO)
    for queue, texts in zip(queues, (("failed at", "behind"), ("other", "another")), strict=True):
        for text in texts:
            sender.createProducer(queue).send(sender.createTextMessage(text))
    own.start()
    done.wait(30)
    print([(text, round(at - calls[0][1], 2)) for text, at in calls], flush=True)
    at = [text for text, _ in calls].index("failed at")
    again = calls[at + 1] if len(calls) > at + 1 else ("nothing", calls[at][1] + 30)
    return again[0], round(again[1] - calls[at][1], 1)


def right(found):
    return found[0] == "failed at" and found[1] < AT_ONCE


connect()
for mode, case in ((AUTO, "auto"), (LAZY, "lazy")):

    tell("the next call after the failure, and the seconds until it", lambda mode=mode: seen(mode), right, case)
end()
