"""Values of properties and entries: which setObject calls take (3.5.5, 3.12), and which properties the send adds (3.5.9)."""

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
tell("JMSXDeliveryCount of the sender's message, to be unset", lambda: plain.getObjectProperty("JMSXDeliveryCount"), "null", "count")
end()
