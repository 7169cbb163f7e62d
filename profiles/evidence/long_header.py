"""Is a message sent whose properties are as long as its body (3.5)?  long_header.py PROVIDER with:KEY=VALUE"""

from brokers import connect, end, tell

session, queue = connect()
message = session.createTextMessage("x" * 2_000)
message.setStringProperty("long", "x" * 2_000)
tell("send", lambda: session.createProducer(queue).send(message), "null")
end()
