"""Asynchronous sends that cannot work.  refused_later.py PROVIDER

One of null throws MessageFormatException, one to a deleted destination throws InvalidDestinationException or passes it to onException (7.3.2).
"""

from threading import Event

from brokers import api, connect, end, tell
from jpype import JClass, JObject, JProxy

session, queue = connect()
outcomes, done = [], Event()


def noted(text):
    outcomes.append(text)
    done.set()


listener = JProxy(
    api("CompletionListener"),
    dict={
        "onCompletion": lambda message: noted("sent"),
        "onException": lambda message, error: noted(str(error.getClass().getSimpleName())),
    },
)
message, nothing = session.createTextMessage("x"), JObject(None, JClass(api("Message")))
temporary = session.createTemporaryQueue()
late = session.createProducer(temporary)
late.send(message)
temporary.delete()


def later():
    late.send(message, listener)
    done.wait(5)
    return outcomes[0] if outcomes else "nothing"


tell("send(null, listener)", lambda: session.createProducer(queue).send(nothing, listener), "MessageFormatException", "null")
tell("send(message, listener) to a deleted queue", later, "InvalidDestinationException", "deleted")
end()
