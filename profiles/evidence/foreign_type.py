"""Do JMSType and JMSReplyTo of a message of another implementation reach the receiver (3.12)?"""

from brokers import connect, end, tell
from jpype import JClass, JProxy, JString


class Foreign:
    def __getattr__(self, name):
        return {
            "getJMSType": lambda: JString("type"),
            "getJMSReplyTo": lambda: queue,
            "getJMSCorrelationID": lambda: JString("correlation"),
            "getPropertyNames": JClass("java.util.Collections").emptyEnumeration,
            "getJMSDeliveryMode": lambda: 2,
            "getJMSPriority": lambda: 4,
        }.get(name, self.nothing)

    def nothing(self, *_):
        return None


session, queue = connect()
names = [str(method.getName()) for method in JClass("jakarta.jms.Message").class_.getMethods()]
zero = {name: (lambda *_: 0) for name in names if name in ("getJMSTimestamp", "getJMSExpiration", "getJMSDeliveryTime")}
foreign = JProxy("jakarta.jms.Message", dict={**{name: getattr(Foreign(), name) for name in names}, **zero})
session.createProducer(queue).send(foreign)
received = session.createConsumer(queue).receive(2000)
tell("JMSCorrelationID and JMSType of the receiver's message", lambda: [str(received.getJMSCorrelationID()), str(received.getJMSType())], "['correlation', 'type']")
tell("JMSReplyTo of the receiver's message is there", lambda: received.getJMSReplyTo() is not None, "true")
end()
