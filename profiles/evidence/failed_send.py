"""Who hears of a send that the broker refuses?  failed_send.py PROVIDER [SETTINGS]

A synchronous send raises an exception, of either delivery mode (7.2). For an asynchronous one onException is called, not onCompletion (7.3).
Artemis does so with SETTINGS such as `blockOnNonDurableSend=true&confirmationWindowSize=1048576`.
"""

from queue import Empty, SimpleQueue

import brokers
from brokers import api, asked, connect, connection, end, fail_next_send, tell
from jpype import JProxy

session, queue = connect()
if asked():
    brokers.factory = type(brokers.factory)(f"vm://0?{asked()[0]}")
    session = connection().createSession(False, 1)
producer, called_back = session.createProducer(queue), SimpleQueue()
listener = JProxy(
    api("CompletionListener"),
    dict={"onCompletion": lambda _: called_back.put("onCompletion"), "onException": lambda *_: called_back.put("onException")},
)


def synchronous(mode):
    fail_next_send(queue)
    producer.send(session.createTextMessage("x"), mode, 4, 0)


def asynchronous(mode):
    fail_next_send(queue)
    producer.send(session.createTextMessage("x"), mode, 4, 0, listener)
    try:
        return called_back.get(timeout=10)
    except Empty:
        return "nothing"


tell("send() of a persistent message", lambda: synchronous(2), "JMSException", "persistent")
tell("send() of one that is not", lambda: synchronous(1), "JMSException", "non-persistent")
tell("an asynchronous send() calls", lambda: asynchronous(2), "onException", "asynchronous")
end()
