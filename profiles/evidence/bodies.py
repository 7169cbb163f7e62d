"""Bodies of messages: layout, bounds, nulls, getBody and isBodyAssignableTo (3.11, 3.12). What is wanted stands in each line."""

import jpype
from brokers import connect, end, tell
from jpype import JArray, JByte, JClass, JInt, JObject, JString

session, _ = connect()
String, Map, Object = (JClass("java." + name).class_ for name in ("lang.String", "util.Map", "lang.Object"))


def taken(result):
    return not isinstance(result, jpype.JException)


def no_text(result):
    return result is None or isinstance(result, JClass("jakarta.jms.MessageFormatException"))


def filled(kind, write):
    message = getattr(session, f"create{kind}Message")()
    write(message)
    message.reset()
    return message


tell("body length of an empty bytes message, 0", filled("Bytes", lambda m: None).getBodyLength, "0", "empty-length")
tell("the byte of true, 1", filled("Bytes", lambda m: m.writeBoolean(True)).readByte, "1", "true-byte")
tell("length of writeUTF of NUL, 4", filled("Bytes", lambda m: m.writeUTF("\0")).getBodyLength, "4", "nul-in-utf")
four = filled("Bytes", lambda m: m.writeInt(7))
tell("readBytes with length -1, IndexOutOfBoundsException", lambda: four.readBytes(JArray(JByte)(4), JInt(-1)), "IndexOutOfBoundsException", "bad-length")
tell("writeUTF(null), NullPointerException", lambda: filled("Bytes", lambda m: m.writeUTF(JObject(None, JString))), "NullPointerException", "null-utf")
tell("writeBytes(null) to a stream, taken", lambda: filled("Stream", lambda m: m.writeBytes(JObject(None, JArray(JByte)))), taken, "null-array")
tell("getBody of a stream message, MessageFormatException", lambda: filled("Stream", lambda m: None).getBody(Object), "MessageFormatException", "stream-body")
tell("getBody of a plain message, null", lambda: session.createMessage().getBody(String), "null", "plain-body")
empty = session.createMapMessage()
empty.clearBody()
tell("getBody of an empty map as a map, null or empty", lambda: empty.getBody(Map))
tell("getBody of an empty map as a String, null or MessageFormatException", lambda: empty.getBody(String), no_text, "map-body")
tell("isBodyAssignableTo of an empty bytes message, true", lambda: session.createBytesMessage().isBodyAssignableTo(String), "true", "assignable")
holder = session.createObjectMessage(JString("x"))
tell("setObject(null), taken", lambda: holder.setObject(JObject(None, JClass("java.io.Serializable"))))
tell("then getObject, null", holder.getObject, "null", "null-object")
tell("setObject of what cannot be serialised, MessageFormatException", lambda: holder.setObject(JArray(JClass("java.lang.Object"))([JClass("java.lang.Object")()])), "MessageFormatException", "unserialisable")
end()
