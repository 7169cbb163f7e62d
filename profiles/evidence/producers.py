"""Producers without destinations, of deleted ones, closed ones, and sends of null.  producers.py PROVIDER

The exceptions are those of 7.1: UnsupportedOperationException for a send that does not suit its producer,
InvalidDestinationException for a destination that was deleted, MessageFormatException for null, IllegalStateException when closed.
"""

import sys

from brokers import api, connect, context, end, tell
from jpype import JArray, JByte, JClass, JObject

session, queue = connect()
message, nothing = session.createTextMessage("x"), JObject(None, JClass(api("Message")))
own, anywhere, closed = session.createProducer(queue), session.createProducer(None), session.createProducer(queue)
closed.close()
temporary = session.createTemporaryQueue()
late = session.createProducer(temporary)
late.send(message)
late.close()
temporary.delete()
nowhere = JObject(None, JClass(api("Queue")))

tell("send(message) by a producer for no destination", lambda: anywhere.send(message), "UnsupportedOperationException", "missing")
tell("send(queue, message) by a producer for that queue", lambda: own.send(queue, message), "UnsupportedOperationException", "own")
tell("createProducer() for a deleted queue", lambda: session.createProducer(temporary), "InvalidDestinationException", "deleted")
tell("send() to a deleted queue", lambda: anywhere.send(temporary, message), "InvalidDestinationException", "deleted-send")
tell("send() of null", lambda: own.send(nothing), "MessageFormatException", "null")
tell("send(queue, null)", lambda: anywhere.send(queue, nothing), "MessageFormatException", "null-named")
tell("send(null, message)", lambda: anywhere.send(nowhere, message), "InvalidDestinationException", "nowhere")
tell("getPriority() of a closed producer", closed.getPriority, "IllegalStateException", "closed-priority")


def simplified():
    """Look at what came with version 2.0."""
    simple = context()
    first, second = simple.createProducer(), simple.createProducer()
    second.setPriority(8)
    nobody = simple.createConsumer(queue)
    simple.createProducer().send(queue, JObject(None, JArray(JByte)))

    def length():
        while True:
            received = nobody.receive(2000)
            if received is None or isinstance(received, JClass("jakarta.jms.BytesMessage")):
                return received and received.getBodyLength()

    tell("getDeliveryDelay() of a closed producer", closed.getDeliveryDelay, "IllegalStateException", "closed")
    tell("getPriority() of a JMSProducer after setPriority(8) of another", first.getPriority, "4", "context")
    tell("the length of the body of a null byte array", length, "0", "bytes")


if not sys.argv[1].startswith("activemq5"):
    simplified()
end()
