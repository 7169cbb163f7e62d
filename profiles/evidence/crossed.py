"""What one client library sends and another of the same broker receives: the content and the headers of a message (3.4, 3.11)."""

from itertools import count

import brokers
from brokers import connect, connection, end, tell
from jpype import JArray, JByte, JClass

session, _ = connect()
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
    """Give the names of properties that are neither the client's nor of a form that is reserved (3.5.9, 3.5.10)."""
    return [each for each in names(message) if not each.startswith("JMS")]


text = sender.createTextMessage("x")
received = carried(text)
tell("JMSMessageID at the sender and at the receiver", lambda: f"{text.getJMSMessageID()} {received.getJMSMessageID()}",
     lambda seen: len(set(str(seen).split())) == 1, "identifier")  # fmt: skip
tell(
    "JMSDeliveryTime at the receiver, if the message was sent without a delay",
    received.getJMSDeliveryTime,
    lambda seen: int(seen) > 0,
    "delivery-time",
)
tell("names of properties beside JMSX... and JMS_...", lambda: vendors(received), "[]", "names")

large = sender.createTextMessage("x" * 300_000)
tell("those of a text of 300,000 characters", lambda: vendors(carried(large)), "[]", "large-names")
tell(
    "those of a message that was sent with a delay",
    lambda: vendors(carried(sender.createTextMessage("x"), 200)),
    "[]",
    "delayed-names",
)

tell("a message without a body arrives as", lambda: carried(sender.createMessage()).getClass().getSimpleName(),
     lambda seen: "Bytes" not in str(seen), "no-body")  # fmt: skip

grouped = sender.createTextMessage("x")
grouped.setStringProperty("JMSXGroupID", "group")
grouped.setIntProperty("JMSXGroupSeq", 0)
tell(
    "JMSXGroupSeq of 0 is among the names at the receiver",
    lambda: "JMSXGroupSeq" in names(carried(grouped)),
    "true",
    "group-zero",
)

stream = sender.createStreamMessage()
stream.writeBytes(JArray(JByte)([1, 2]))
tell("a stream message with an array of bytes arrives", lambda: carried(stream) is not None, "true", "stream-bytes")
tell(
    "an object message without an object arrives",
    lambda: carried(sender.createObjectMessage()) is not None,
    "true",
    "null-object",
)
end()
