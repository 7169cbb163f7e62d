"""What do closed connections and contexts still do?  closed_parts.py PROVIDER

Each method but close() of the parts of a closed connection throws IllegalStateException, and each one of a closed context
IllegalStateRuntimeException (6.1.8).
"""

from brokers import connect, connection, context, end, tell

CHECKED, UNCHECKED = "IllegalStateException", "IllegalStateRuntimeException"

session, queue = connect()
mine = connection()
parts = mine.createSession(False, 1)
producer, browser = parts.createProducer(queue), parts.createBrowser(queue)
producer.send(parts.createTextMessage("x"))
tell("the used browser shows a message", lambda: browser.getEnumeration().hasMoreElements())
mine.close()
tell("getPriority() of a producer of a closed connection", producer.getPriority)
tell("getDeliveryDelay() of a producer of a closed connection", producer.getDeliveryDelay, CHECKED, "producer")
tell("getEnumeration() of a browser of a closed connection", browser.getEnumeration, CHECKED, "browser")

closed = context().createContext(2)
consumer, sender = closed.createConsumer(queue), closed.createProducer()
tell("a context receives", lambda: consumer.receive(5000) is not None)
closed.acknowledge()
closed.close()
tell("acknowledge() of a closed context", closed.acknowledge, UNCHECKED, "acknowledge")
tell("createProducer() of a closed context", closed.createProducer)
tell("getMetaData() of a closed context", closed.getMetaData, UNCHECKED, "context")
tell("start() of a closed context", closed.start, UNCHECKED, "context-start")
tell("send() of a producer of a closed context", lambda: sender.send(queue, "x"), UNCHECKED, "context-parts")
tell("receive() of a consumer of a closed context", consumer.receiveNoWait, UNCHECKED, "context-parts")
end()
