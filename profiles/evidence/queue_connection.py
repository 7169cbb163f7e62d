"""A QueueConnection has no connection consumers of topics: it refuses them with IllegalStateException (9.2).  queue_connection.py PROVIDER"""

import brokers
from brokers import api, connect, end, tell
from jpype import JProxy

session, _ = connect()
topic = session.createTopic("topic")
pool = JProxy(api("ServerSessionPool"), dict={"getServerSession": lambda: None})
link = brokers.factory.createQueueConnection()
brokers.made.append(link)
link.setClientID("queue_connection")


def refuses(create):
    return lambda: create(topic, "s", None, pool, 1)


tell("createSharedConnectionConsumer", refuses(link.createSharedConnectionConsumer), "IllegalStateException", "shared")
tell("createDurableConnectionConsumer", refuses(link.createDurableConnectionConsumer), "IllegalStateException", "durable")
tell("createSharedDurableConnectionConsumer", refuses(link.createSharedDurableConnectionConsumer), "IllegalStateException", "shared-durable")
end()
