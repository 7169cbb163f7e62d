"""The name of a shared subscription is free once its last consumer is closed: at once it opens on another topic (8.3.2)."""

from brokers import connect, end, tell

session, _ = connect()
topics = [session.createTopic(f"t{each}") for each in range(2)]


def moved():
    """Open the name on the one topic and on the other, 500 times."""
    for turn in range(500):
        session.createSharedConsumer(topics[turn % 2], "name").close()


tell("opening the name on the other topic, time after time", moved, "null")
end()
