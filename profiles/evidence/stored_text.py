"""A property as ActiveMQ writes it to its store and to the network, and reads it: one character beyond 16 bits (3.5, 3.11)."""

from brokers import connect, end, tell
from jpype import JArray, JByte, JClass, JString

connect()
support, io = JClass("org.apache.activemq.util.MarshallingSupport"), "java.io."
out = JClass(io + "ByteArrayOutputStream")()
support.marshalPrimitive(JClass(io + "DataOutputStream")(out), JString("\N{GRINNING FACE}"))
back = support.unmarshalPrimitive(JClass(io + "DataInputStream")(JClass(io + "ByteArrayInputStream")(JArray(JByte)(out.toByteArray()))))
tell("UTF-16 units, 0xd83d and 0xde00", lambda: [hex(ord(unit)) for unit in back.toString().toCharArray()], "['0xd83d', '0xde00']")
end()
