"""A body that cannot be given as asked for (8.6): receiveBody raises MessageFormatRuntimeException, and the message stays."""

from brokers import connect, context, end, tell
from jpype import JClass

RUNTIME = "MessageFormatRuntimeException"
_, queue = connect()
simple = context()
String, Map = (JClass("java." + name).class_ for name in ("lang.String", "util.Map"))
producer, consumer = simple.createProducer(), simple.createConsumer(queue)
producer.send(queue, simple.createTextMessage())
tell("a text message without a text, to raise MessageFormatRuntimeException", lambda: consumer.receiveBody(String, 2000), RUNTIME, "no-text")
for text in ("first", "second"):
    producer.send(queue, simple.createTextMessage(text))
tell("the first as Map, to raise MessageFormatRuntimeException", lambda: consumer.receiveBody(Map, 2000), RUNTIME, "stays")
tell("then the first again", lambda: consumer.receiveBody(String, 2000), "first", "stays")
tell("then the second", lambda: consumer.receiveBody(String, 2000), "second", "stays")
producer.send(queue, simple.createMessage())
tell("a message without a body, to raise MessageFormatRuntimeException", lambda: consumer.receiveBody(String, 2000), RUNTIME, "no-body")
end()
