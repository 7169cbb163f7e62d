"""A message of another implementation without a body can be sent, and is received (3.12). Argument: the kind, such as Text."""

import sys

from brokers import connect, end, tell
from jpype import JClass, JProxy

NUMBERS = {"getJMSDeliveryMode": 2, "getJMSPriority": 4, "getJMSTimestamp": 0, "getJMSExpiration": 0, "getJMSDeliveryTime": 0}
NUMBERS |= {"getBodyLength": 0, "readBytes": -1}


def read_object():
    raise JClass("jakarta.jms.MessageEOFException")("the end")


session, queue = connect()
kind = f"jakarta.jms.{sys.argv[2]}Message"
names = [str(method.getName()) for method in JClass(kind).class_.getMethods()]
calls = {name: (lambda *_, name=name: NUMBERS.get(name)) for name in names}
nothing = JClass("java.util.Collections").emptyEnumeration
calls |= {"readObject": read_object, "getPropertyNames": nothing, "getMapNames": nothing}
calls |= {"getJMSRedelivered": lambda: False, "propertyExists": lambda _: False}
session.createProducer(queue).send(JProxy(kind, dict=calls))


def received():
    return isinstance(session.createConsumer(queue).receive(2000), JClass(kind))


tell(f"an empty {sys.argv[2]}Message is received", received, "true")
end()
