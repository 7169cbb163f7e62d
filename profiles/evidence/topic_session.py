"""A TopicSession is a Session: durable and shared consumers can be created on it (8.3.2, 8.3.3, 8.3.4)."""

from brokers import connect, connection, end, tell
from jpype import JClass, JObject

connect(keep=True)
link = connection("topic_session")
session = JObject(link, JClass("jakarta.jms.TopicConnection")).createTopicSession(False, 1)
topic = session.createTopic("topic")
tell("createDurableConsumer", lambda: session.createDurableConsumer(topic, "a") is not None, "true", "durable")
tell("createSharedConsumer", lambda: session.createSharedConsumer(topic, "c") is not None, "true", "shared")
tell("createSharedDurableConsumer", lambda: session.createSharedDurableConsumer(topic, "b") is not None, "true", "shared-durable")
end()
