"""Values of properties and entries: which setObject calls take (3.5.5, 3.12), which properties the send adds (3.5.9), and which are named (3.5.6)."""

from brokers import connect, context, end, tell
from jpype import JChar, JClass, JObject

session, queue = connect()
message = session.createMessage()
character = JClass("java.lang.Character").valueOf(JChar("x"))
tell("setObjectProperty with a Character, to raise MessageFormatException", lambda: message.setObjectProperty("c", character), "MessageFormatException", "character")
tell("setStringProperty with null, to be taken", lambda: message.setStringProperty("n", None), "null", "null-property")
tell("setObjectProperty with null, to be taken", lambda: message.setObjectProperty("n", None), "null", "null-object-property")
tell("setObject in a map with null, to be taken", lambda: session.createMapMessage().setObject("n", None), "null", "null-entry")
mapped, maps = JClass("java.util.HashMap")(), JClass("java.util.Map")
mapped.put("n", None)
tell("a JMSProducer's send of a Map with null, to be taken", lambda: context().createProducer().send(queue, JObject(mapped, maps)) and None, "null", "null-in-map")
plain = session.createMessage()
session.createProducer(queue).send(plain)
tell("has properties after the send, set on receipt only", lambda: plain.getPropertyNames().hasMoreElements())
received = session.createConsumer(queue).receive(5000)
names = [str(each) for each in JClass("java.util.Collections").list(received.getPropertyNames())]
exists = bool(received.propertyExists("JMSXDeliveryCount"))
tell("JMSXDeliveryCount of a received message, to exist and be named, or neither", lambda: exists == ("JMSXDeliveryCount" in names), "true", "named")
tell("JMSXDeliveryCount of the sender's message, to be unset", lambda: plain.getObjectProperty("JMSXDeliveryCount"), "null", "count")
end()
