"""Messages copy what they are given and return copies (3.12): arrays of a map message, the object of an object message."""

from brokers import connect, end, tell
from jpype import JArray, JByte, JClass


def array(text=b"before"):
    return JArray(JByte)(text)


def spoil(found):
    for at in range(len(found)):
        found[at] = 0


def content(found):
    return str(bytes(memoryview(found)))


session, _ = connect()
message = session.createMapMessage()
given = array()
message.setBytes("array", given)
spoil(given)
tell("an entry whose array was changed after setBytes", lambda: content(message.getBytes("array")), "b'before'", "map-in")
given = array()
message.setObject("array", given)
spoil(given)
tell("an entry whose array was changed after setObject", lambda: content(message.getBytes("array")), "b'before'", "map-object-in")
message.setBytes("array", array())
spoil(message.getBytes("array"))
tell("an entry whose array was read and changed", lambda: content(message.getBytes("array")), "b'before'", "map-out")
words = JClass("java.util.ArrayList")()
words.add("before")
message = session.createObjectMessage()
message.setObject(words)
words.add("after")
tell("an object that was changed after setObject", lambda: str(message.getObject()), "[before]", "object-in")
message = session.createObjectMessage(JClass("java.util.ArrayList")(["before"]))
message.getObject().add("after")
tell("an object that was read and changed", lambda: str(message.getObject()), "[before]", "object-out")
end()
