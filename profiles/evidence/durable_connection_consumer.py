"""A connection consumer of a durable subscription (11.2.4): it takes what waits there, and what it has taken is gone from there.

case=backlog  what its listeners get of three messages that wait and one that is sent later
case=taken    what an ordinary consumer of the subscription gets afterwards
"""

import time

from application_server import server
from brokers import connect, connection, end, tell

session, _ = connect()
topic, seen = session.createTopic("durable.served"), []


def subscriber():
    """Give the connection of the subscription, and a consumer of it."""
    link = connection("served")
    return link, link.createSession(False, 1).createDurableSubscriber(topic, "d")


link, _ = subscriber()
link.close()
producer = session.createProducer(topic)
for text in "123":
    producer.send(session.createTextMessage(text))
link, pool = server(lambda session, message: seen.append(str(message.getText())), sessions=5, where=connection("served"))
link.createDurableConnectionConsumer(topic, "d", None, pool, 1)
time.sleep(1)
producer.send(session.createTextMessage("later"))
time.sleep(2)
tell("what came to the listeners", lambda: seen, lambda came: came == ["1", "2", "3", "later"], "backlog")
link.close()
_, consumer = subscriber()
tell("what came to an ordinary consumer then", lambda: consumer.receive(1000), "null", "taken")
end()
