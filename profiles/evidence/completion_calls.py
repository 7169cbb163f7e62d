"""May a completion listener commit or roll back its own session?  completion_calls.py PROVIDER

Both raise IllegalStateException there (7.3.4).
"""

import threading

import jpype
from brokers import api, connect, connection, end, tell
from jpype import JProxy

_, queue = connect()


def within(choose):
    """Call within a callback; return what came of it."""
    session = connection().createSession(True, 0)
    producer, endings, done = session.createProducer(queue), [], threading.Event()

    def on_completion(_):
        try:
            choose(session)()
            endings.append("returned")
        except jpype.JException as error:
            endings.append(str(error.getClass().getSimpleName()))
        done.set()

    listener = JProxy(api("CompletionListener"), dict={"onCompletion": on_completion, "onException": lambda *_: None})
    producer.send(session.createTextMessage("x"), listener)
    done.wait(10)
    return endings[0] if endings else "not called, or not returned"


tell("commit() in a completion listener", lambda: within(lambda session: session.commit), "IllegalStateException", "commit")
tell("rollback() in a completion listener", lambda: within(lambda session: session.rollback), "IllegalStateException", "rollback")
end()
