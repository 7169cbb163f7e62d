"""Headers of a message of another implementation after it was sent: JMSType is the client's, JMSDeliveryTime is set (3.4.11).

Cases: type, at the completion of an asynchronous send; delivery-time.
"""

import threading
import time

from brokers import connect, end, tell
from jpype import JClass, JProxy, JString

held = {"JMSDeliveryMode": 2, "JMSPriority": 4}


class Foreign:
    """A jakarta.jms.Message that keeps its headers."""

    def __getattr__(self, name):
        if name == "getPropertyNames":
            return JClass("java.util.Collections").emptyEnumeration
        if name.startswith("setJMS"):
            return lambda value: held.__setitem__(name[3:], value)
        if name.startswith("getJMS"):
            return lambda: held.get(name[3:], 0 if name.endswith(("Time", "Timestamp", "Expiration")) else None)
        return lambda *_: None


session, queue = connect()
held["JMSType"] = JString("type")
names = [str(method.getName()) for method in JClass("jakarta.jms.Message").class_.getMethods()]
foreign = JProxy("jakarta.jms.Message", dict={name: getattr(Foreign(), name) for name in names})
session.createProducer(queue).send(foreign)
now = int(time.time() * 1000)
completed = []
done = threading.Event()


def complete(message):
    completed.append(message.getJMSType())
    done.set()


listener = JProxy("jakarta.jms.CompletionListener", dict={"onCompletion": complete, "onException": lambda *_: done.set()})
tell("JMSDeliveryTime after the send", lambda: held.get("JMSDeliveryTime"), lambda seen: seen is not None and abs(int(seen) - now) < 5000, "delivery-time")
session.createProducer(queue).send(foreign, listener)
done.wait(5)
tell("JMSType at the completion of an asynchronous send", lambda: completed and str(completed[0]), "type", "type")
end()
