"""May a completion listener commit or roll back its own session, or close its context?  completion_calls.py PROVIDER

They raise IllegalStateException there, or its runtime form (7.3.4).
"""

import threading

import jpype
from brokers import api, connect, connection, context, end, tell
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


def closed():
    """Close a context in the callbacks of three sends of its own; return what came of each."""
    mine, endings, done = context(), [], threading.Event()

    def on_completion(_):
        try:
            mine.close()
            endings.append("returned")
        except jpype.JException as error:
            endings.append("refused" if isinstance(error, jpype.JClass(api("IllegalStateRuntimeException"))) else str(error))
        if len(endings) == 3:
            done.set()

    listener = JProxy(api("CompletionListener"), dict={"onCompletion": on_completion, "onException": lambda *_: None})
    producer = mine.createProducer().setAsync(listener)
    for _ in range(3):
        producer.send(queue, "x")
    done.wait(10)
    return endings


tell("commit() in a completion listener", lambda: within(lambda session: session.commit), "IllegalStateException", "commit")
tell("rollback() in a completion listener", lambda: within(lambda session: session.rollback), "IllegalStateException", "rollback")
tell("close() of the context in three completion listeners", closed, "['refused', 'refused', 'refused']", "close-context")
end()
