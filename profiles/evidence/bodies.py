"""Bodies of messages: layout, bounds, nulls, getBody and isBodyAssignableTo (3.11, 3.12). What is wanted stands in each line."""

from brokers import connect, end, tell
from jpype import JArray, JByte, JClass, JInt, JObject, JString

session, _ = connect()
String, Map, Object = (JClass("java." + name).class_ for name in ("lang.String", "util.Map", "lang.Object"))


def filled(kind, write):
    message = getattr(session, f"create{kind}Message")()
    write(message)
    message.reset()
    return message


tell("body length of an empty bytes message, 0", filled("Bytes", lambda m: None).getBodyLength)
tell("the byte of true, 1", filled("Bytes", lambda m: m.writeBoolean(True)).readByte)
tell("length of writeUTF of NUL, 4", filled("Bytes", lambda m: m.writeUTF("\0")).getBodyLength)
four = filled("Bytes", lambda m: m.writeInt(7))
tell("readBytes with length -1, IndexOutOfBoundsException", lambda: four.readBytes(JArray(JByte)(4), JInt(-1)))
tell("writeUTF(null), NullPointerException", lambda: filled("Bytes", lambda m: m.writeUTF(JObject(None, JString))))
tell("writeBytes(null) to a stream, taken", lambda: filled("Stream", lambda m: m.writeBytes(JObject(None, JArray(JByte)))))
tell("getBody of a stream message, MessageFormatException", lambda: filled("Stream", lambda m: None).getBody(Object))
tell("getBody of a plain message, null", lambda: session.createMessage().getBody(String))
empty = session.createMapMessage()
empty.clearBody()
tell("getBody of an empty map, null", lambda: empty.getBody(Map))
tell("isBodyAssignableTo of an empty bytes message, true", lambda: session.createBytesMessage().isBodyAssignableTo(String))
holder = session.createObjectMessage(JString("x"))
tell("setObject(null), taken", lambda: holder.setObject(JObject(None, JClass("java.io.Serializable"))))
tell("then getObject, null", holder.getObject)
tell("setObject of what cannot be serialised, MessageFormatException", lambda: holder.setObject(JArray(JClass("java.lang.Object"))([JClass("java.lang.Object")()])))
end()
