"""A temporary topic can be deleted once the last consumer of its shared subscription is closed, time after time (4.2.7)."""

from brokers import connect, end, tell

session, _ = connect()


def deleted():
    """Close the shared consumer of a temporary topic and delete the topic at once, 500 times."""
    for turn in range(500):
        topic = session.createTemporaryTopic()
        session.createSharedConsumer(topic, f"name {turn}").close()
        topic.delete()


tell("deleting temporary topics after the close of their shared consumer, time after time", deleted, "null")
end()
