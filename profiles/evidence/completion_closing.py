"""Do close, commit and rollback wait for the completion listener of an asynchronous send?  completion_closing.py PROVIDER

They return only when the callbacks of outstanding sends have (7.3.4).
"""

import threading

from brokers import api, connect, connection, context, end, tell
from jpype import JProxy

_, queue = connect()


def early(call, send):
    """Hold the callback of one send; say whether the call returns meanwhile."""
    entered, released, returned = (threading.Event() for _ in range(3))

    def on_completion(_):
        entered.set()
        released.wait(20)

    send(JProxy(api("CompletionListener"), dict={"onCompletion": on_completion, "onException": lambda *_: None}))
    entered.wait(10)
    threading.Thread(target=lambda: (call(), returned.set()), daemon=True).start()
    early = returned.wait(2)
    released.set()
    returned.wait(10)
    return early


def classic(choose, transacted=False):
    session = (link := connection()).createSession(transacted, 0 if transacted else 1)
    producer, message = session.createProducer(queue), session.createTextMessage("x")
    return early(choose(link, session, producer), lambda listener: producer.send(message, listener))


def of_context():
    mine = context()
    return early(mine.close, lambda listener: mine.createProducer().setAsync(listener).send(queue, "x"))


tell("close() of the producer returned first", lambda: classic(lambda _, __, producer: producer.close), "false", "producer")
tell("close() of the session returned first", lambda: classic(lambda _, session, __: session.close), "false", "session")
tell("close() of the connection returned first", lambda: classic(lambda link, _, __: link.close), "false", "connection")
tell("close() of the context returned first", of_context, "false", "context")
tell("commit() returned first", lambda: classic(lambda _, session, __: session.commit, True), "false", "commit")
tell("rollback() returned first", lambda: classic(lambda _, session, __: session.rollback, True), "false", "rollback")
end()
