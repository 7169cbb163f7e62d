"""A durable subscription with a selector and noLocal gets what its own connection sends (4.2.2): nothing is to come.

no_local.py PROVIDER [SELECTOR]
"""

import sys

from brokers import connect, connection, end, tell

connect(keep=True)
link = connection("no_local")
session = link.createSession(False, 1)  # 1: AUTO_ACKNOWLEDGE
topic = session.createTopic("evidence")
selector = sys.argv[2] if len(sys.argv) > 2 else "a IS NULL OR a = 1"
subscriber = session.createDurableSubscriber(topic, "name", selector, True)
session.createProducer(topic).send(session.createTextMessage("of the own connection"))
tell(f"receive(1000) with {selector}, null", lambda: subscriber.receive(1000), "null")
end()
