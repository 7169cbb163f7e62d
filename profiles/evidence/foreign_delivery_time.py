"""JMSDeliveryTime that a send sets on a message of another implementation: the time of sending plus the delay (3.4.11).

The `case` without-delay is about a message that had another one, sent without delay.
"""

import time

from brokers import connect, end, tell
from jpype import JClass, JProxy

set_fields = {}


class Foreign:
    """A jakarta.jms.Message that keeps what its setters are called with."""

    def __getattr__(self, name):
        known = {"getPropertyNames": JClass("java.util.Collections").emptyEnumeration, "getJMSDeliveryMode": lambda: 2, "getJMSPriority": lambda: 4}
        if name.startswith("setJMS"):
            return lambda value: set_fields.__setitem__(name[3:], value)
        return known.get(name, lambda *_: 0 if name.endswith(("Time", "Timestamp", "Expiration")) else None)


session, queue = connect()
names = [str(method.getName()) for method in JClass("jakarta.jms.Message").class_.getMethods()]
foreign = JProxy("jakarta.jms.Message", dict={name: getattr(Foreign(), name) for name in names})
producer = session.createProducer(queue)
producer.setDeliveryDelay(150)
producer.send(foreign)
wanted = int(time.time() * 1000) + 150
tell("JMSDeliveryTime set by the send", lambda: set_fields.get("JMSDeliveryTime"), lambda seen: seen is not None and abs(int(seen) - wanted) < 5000)
tell("JMSTimestamp set by the send", lambda: set_fields.get("JMSTimestamp"))
set_fields["JMSDeliveryTime"] = 10**15
producer.setDeliveryDelay(0)
producer.send(foreign)
tell("JMSDeliveryTime after a send without delay, of a message that had one far ahead", lambda: set_fields["JMSDeliveryTime"], lambda seen: int(seen) < 10**15, "without-delay")
end()
