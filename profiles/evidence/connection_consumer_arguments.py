"""The arguments of createConnectionConsumer that must be refused, and an empty selector, which means none (11.2.4)."""

from application_server import server
from brokers import api, connect, end, tell
from jpype import JClass, JException, JObject

session, queue = connect()
topic = session.createTopic("t")
connection, pool = server(lambda session, message: None)
create = connection.createConnectionConsumer
tell("a null destination", lambda: create(JObject(None, JClass(api("Queue"))), None, pool, 1), "InvalidDestinationException", "destination")
tell("an invalid selector for a topic", lambda: create(topic, "=TEST 'test'", pool, 1), "InvalidSelectorException", "selector")
tell("an invalid selector for a queue", lambda: create(queue, "=TEST 'test'", pool, 1), "InvalidSelectorException", "selector-queue")
tell("a null pool", lambda: create(queue, None, None, 1), lambda result: isinstance(result, JClass(api("JMSException"))), "pool")
tell("an empty selector", lambda: create(queue, "", pool, 1), lambda result: not isinstance(result, JException), "empty")
end()
