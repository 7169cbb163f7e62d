"""Items of a stream message of another implementation, one of them null: all arrive (3.12)."""

from brokers import api, connect, end, tell
from jpype import JClass, JProxy, JString

ITEMS = ["a", None, "b"]
left = []


def read_object():
    if not left:
        raise JClass(api("MessageEOFException"))("the end")
    item = left.pop(0)
    return None if item is None else JString(item)


def reset():
    left[:] = ITEMS


NUMBERS = {"getJMSDeliveryMode": 2, "getJMSPriority": 4, "getJMSTimestamp": 0, "getJMSExpiration": 0, "getJMSDeliveryTime": 0}
session, queue = connect()
names = [str(method.getName()) for method in JClass(api("StreamMessage")).class_.getMethods()]
calls = {name: (lambda *_, name=name: NUMBERS.get(name)) for name in names}
calls |= {"readObject": read_object, "reset": reset, "getPropertyNames": JClass("java.util.Collections").emptyEnumeration}
calls |= {"getJMSRedelivered": lambda: False, "propertyExists": lambda _: False}
reset()
session.createProducer(queue).send(JProxy(api("StreamMessage"), dict=calls))
received = session.createConsumer(queue).receive(2000)
tell("the items at the receiver", lambda: [str(received.readObject()) for _ in ITEMS], "['a', 'None', 'b']")
end()
