"""A Destination that is neither a queue nor a topic is invalid, and so is null in a send (10.3): InvalidDestinationException.

A queue of another implementation may be understood by its name, or is invalid as well. A context raises the runtime form of the
exception; ActiveMQ 5 has none.
"""

import sys

import jpype
from brokers import api, connect, context, end, tell
from jpype import JClass, JObject, JProxy

session, _ = connect()
message, nobody = session.createTextMessage("x"), session.createProducer(None)
neither, null = JProxy(api("Destination"), dict={}), JObject(None, JClass(api("Destination")))
tell("createConsumer()", lambda: session.createConsumer(neither), "InvalidDestinationException", "session")
tell("createProducer()", lambda: session.createProducer(neither), "InvalidDestinationException", "session")
tell("send()", lambda: nobody.send(neither, message), "InvalidDestinationException", "session")
tell("send() to null", lambda: nobody.send(null, message), "InvalidDestinationException", "null")
foreign = JProxy(api("Queue"), dict={"getQueueName": lambda: "foreign", "toString": lambda: "foreign"})


def understood(result):
    return not isinstance(result, jpype.JException) or "InvalidDestination" in str(result.getClass().getName())


tell("createConsumer() of a foreign queue", lambda: session.createConsumer(foreign), understood, "foreign")
tell("createBrowser() of a foreign queue", lambda: session.createBrowser(foreign), understood, "foreign")
tell("send() to a foreign queue", lambda: nobody.send(foreign, message), understood, "foreign")
if sys.argv[1] != "activemq5":
    simple = context()
    tell("createConsumer() of a context", lambda: simple.createConsumer(neither), "InvalidDestinationRuntimeException", "context")
    tell("send() of a context", lambda: simple.createProducer().send(neither, message), "InvalidDestinationRuntimeException", "context")
    tell("createConsumer() of a context, of a foreign queue", lambda: simple.createConsumer(foreign), understood, "foreign-context")
    tell("send() of a context to a foreign queue", lambda: simple.createProducer().send(foreign, message), understood, "foreign-context")
end()
