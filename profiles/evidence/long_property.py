"""A String property of 33,000 characters of two bytes each in UTF-8 is sent, and arrives (3.5.2)."""

from brokers import connect, end, tell

session, queue = connect()
message = session.createMessage()
message.setStringProperty("long", "\N{LATIN SMALL LETTER U WITH DIAERESIS}" * 33_000)
tell("send", lambda: session.createProducer(queue).send(message), "null")
consumer = session.createConsumer(queue)
tell("arrives", lambda: consumer.receive(5_000) is not None, "true")
end()
