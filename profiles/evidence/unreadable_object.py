"""An object that cannot be deserialised (3.11): getBody raises MessageFormatException, isBodyAssignableTo is false."""

from brokers import connect, end, tell
from jpype import JClass

session, queue = connect()
message = session.createObjectMessage(JClass("java.util.Date")(0))
session.createProducer(queue).send(message)
Config = JClass("java.io.ObjectInputFilter$Config")
if Config.getSerialFilter() is None:  # a second call fails
    Config.setSerialFilter(Config.createFilter("!java.util.Date"))  # from now on Java refuses to read one
Serializable = JClass("java.io.Serializable").class_
received = session.createConsumer(queue).receive(2000)
tell("isBodyAssignableTo, to be false", lambda: received.isBodyAssignableTo(Serializable), "false", "assignable")
tell("getBody, to raise MessageFormatException", lambda: received.getBody(Serializable), "MessageFormatException", "body")
end()
