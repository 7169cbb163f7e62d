"""A listener reads a bytes message and fails: the message that comes again is read from its beginning (3.10, 3.11)."""

import threading

from brokers import connect, end, tell
from jpype import JArray, JByte, JClass, JProxy

lengths, done = [], threading.Event()


class Failing:
    def onMessage(self, message):
        lengths.append(int(message.readBytes(JArray(JByte)(8))))
        if len(lengths) == 1:
            raise JClass("java.lang.RuntimeException")("at the first delivery")
        done.set()


session, queue = connect()
message = session.createBytesMessage()
message.writeBytes(b"abcd")
session.createProducer(queue).send(message)
session.createConsumer(queue).setMessageListener(JProxy("jakarta.jms.MessageListener", inst=Failing()))
done.wait(5)
tell("bytes read at each delivery", lambda: lengths, lambda seen: seen == [4, 4])
end()
