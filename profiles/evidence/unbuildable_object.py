"""An object whose class refuses to build it (3.11): getBody raises MessageFormatException, isBodyAssignableTo is false.

receiveBody raises MessageFormatRuntimeException (8.6).
"""

from brokers import connect, context, end, tell
from jpype import JArray, JByte, JClass

session, queue = connect()
KeyRep = JClass("java.security.KeyRep")  # deserialising a key of an unknown algorithm raises NotSerializableException
message = session.createObjectMessage(KeyRep(KeyRep.Type.PUBLIC, "none", "none", JArray(JByte)(b"x")))
session.createProducer(queue).send(message)
Serializable = JClass("java.io.Serializable").class_
consumer = session.createConsumer(queue)
received = consumer.receive(2000)
consumer.close()
tell("isBodyAssignableTo, to be false", lambda: received.isBodyAssignableTo(Serializable), "false", "assignable")
tell("getBody, to raise MessageFormatException", lambda: received.getBody(Serializable), "MessageFormatException", "body")
session.createProducer(queue).send(message)
simple = context().createConsumer(queue)
tell("receiveBody, to raise MessageFormatRuntimeException", lambda: simple.receiveBody(Serializable, 2000), "MessageFormatRuntimeException", "receive-body")
end()
