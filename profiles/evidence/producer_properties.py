"""Properties of a JMSProducer: their objects, those not set, the set of their names, unfit values.  producer_properties.py PROVIDER

What a property is set to comes back as an object of its type, null if it is not set; the set of names follows the producer and
cannot be changed; a Character is no property (7.5).
"""

import jpype
from brokers import connect, context, end, tell
from jpype import JChar, JClass, JObject

connect()
producer = context().createProducer()
names = producer.getPropertyNames()
String = JClass("java.lang.String")
producer.setProperty("text", JObject(String("x"), JClass("java.lang.Object")))
tell("class of a String as an object", lambda: producer.getObjectProperty("text").getClass().getName(), "java.lang.String", "object")
tell("a String that is not set", lambda: producer.getStringProperty("missing"), "null", "missing")
tell("names of a set that was read before, one set since", lambda: list(names), lambda seen: len(seen) == 1, "live")


def changed(call):
    """Say whether a call on the set of names does anything else than refuse."""
    try:
        call(producer.getPropertyNames())
    except jpype.JClass("java.lang.UnsupportedOperationException"):
        return False
    return True


tell("the set of names takes another", lambda: changed(lambda seen: seen.add(String("y"))), "false", "add")
tell("the set of names gives one up", lambda: changed(lambda seen: seen.remove(String("text"))), "false", "remove")
unfit = JObject(JChar("c"), JClass("java.lang.Character"))
tell("setProperty of a Character", lambda: producer.setProperty("c", unfit), "MessageFormatRuntimeException", "unfit")
end()
