"""A shared consumer can be created on a temporary topic of its own connection (8.3.2)."""

from brokers import connect, end, tell

session, _ = connect()
topic = session.createTemporaryTopic()
tell("createConsumer on a temporary topic", lambda: session.createConsumer(topic) is not None, "true")
tell("createSharedConsumer on a temporary topic", lambda: session.createSharedConsumer(topic, "s") is not None, "true")
end()
