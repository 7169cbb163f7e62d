"""Durable subscription b.c of client a and c of client a.b are two (8.3.3)."""

from brokers import connect, connection, end, tell

session, _ = connect()


def opened(client, name):
    made = connection(client).createSession(False, 1)
    return made.createDurableConsumer(made.createTopic("topic"), name) is not None


tell("subscription b.c of client a", lambda: opened("a", "b.c"), "true")
tell("subscription c of client a.b", lambda: opened("a.b", "c"), "true")
end()
