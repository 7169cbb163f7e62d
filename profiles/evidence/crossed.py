"""What one client library sends and another of the same broker receives: the content and the headers of a message (3.4, 3.11)."""

from itertools import count

import brokers
from brokers import connect, connection, end, tell
from jpype import JArray, JByte, JChar, JClass

session, _ = connect(keep=True)
sender = connection(through=brokers.second).createSession(False, 1)
numbers = count(1)


def carried(message, delay=0):
    name = f"crossed.{next(numbers)}"
    producer = sender.createProducer(sender.createQueue(name))
    producer.setDeliveryDelay(delay)
    producer.send(message)
    return session.createConsumer(session.createQueue(name)).receive(3_000)


def names(message):
    return sorted(str(each) for each in JClass("java.util.Collections").list(message.getPropertyNames()))


def vendors(message):
    """Give the names of properties that nobody set and whose form is not reserved (3.5.9, 3.5.10)."""
    return [each for each in names(message) if not each.startswith("JMS")]


text, large, grouped = sender.createTextMessage("x"), sender.createTextMessage("x" * 300_000), sender.createTextMessage("x")
received = carried(text)
tell("the sender's JMSMessageID", text.getJMSMessageID)
tell("the receiver's JMSMessageID", received.getJMSMessageID, str(text.getJMSMessageID()), "identifier")
tell("JMSDeliveryTime without a delay", received.getJMSDeliveryTime, lambda seen: int(seen) > 0, "delivery-time")
tell("further properties", lambda: vendors(received), "[]", "names")
tell("further properties of a large text", lambda: vendors(carried(large)), "[]", "large-names")
tell("further properties after a delay", lambda: vendors(carried(sender.createTextMessage("x"), 200)), "[]", "delayed-names")

bodiless = carried(sender.createMessage()).getClass().getSimpleName()
tell("a message without a body arrives as", lambda: bodiless, lambda seen: "Bytes" not in str(seen), "no-body")

grouped.setStringProperty("JMSXGroupID", "group")
grouped.setIntProperty("JMSXGroupSeq", 0)
tell("JMSXGroupSeq of 0 arrives", lambda: "JMSXGroupSeq" in names(carried(grouped)), "true", "group-zero")

stream = sender.createStreamMessage()
stream.writeBytes(JArray(JByte)([1, 2]))
tell("a stream message with bytes arrives", lambda: carried(stream) is not None, "true", "stream-bytes")
half = JClass("java.lang.Character").toString(JChar(chr(0xD83D)))
tell("a text with half a surrogate pair arrives", lambda: carried(sender.createTextMessage(half)) is not None, "true", "half-pair")
wide = sender.createTextMessage("x")
wide.setStringProperty("wide", "\u6771" * 200_000)
tell("a message with a property of 600,000 bytes arrives", lambda: carried(wide) is not None, "true", "wide-property")
empty = sender.createObjectMessage()
tell("an object message without an object arrives", lambda: carried(empty) is not None, "true", "null-object")
end()
