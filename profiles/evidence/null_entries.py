"""Entries of a map that are null are there, at the sender and at the receiver (3.11, 3.12)."""

from brokers import connect, end, tell
from jpype import JArray, JByte, JObject, JString

session, queue = connect()
message = session.createMapMessage()
message.setBytes("bytes", JObject(None, JArray(JByte)))
message.setString("string", JObject(None, JString))
message.setObject("object", None)
session.createProducer(queue).send(message)
received = session.createConsumer(queue).receive(2000)
for end_of, seen in (("sent", message), ("received", received)):
    for name in ("bytes", "string", "object"):
        tell(f"itemExists of the {end_of} message's null {name}, true", lambda name=name, seen=seen: seen.itemExists(name), "true")
end()
