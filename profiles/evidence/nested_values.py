"""A list or map as an entry or property (3.5.5, 3.11): to raise MessageFormatException."""

from brokers import connect, end, tell
from jpype import JClass

session, _ = connect()
for name in ("ArrayList", "HashMap"):
    value = JClass(f"java.util.{name}")()
    tell(f"setObject of a map message with a {name}", lambda value=value: session.createMapMessage().setObject("e", value), "MessageFormatException")
    tell(f"writeObject of a stream message with a {name}", lambda value=value: session.createStreamMessage().writeObject(value), "MessageFormatException")
    tell(f"setObjectProperty with a {name}", lambda value=value: session.createMessage().setObjectProperty("p", value), "MessageFormatException")
end()
