"""A second consumer of a durable subscription that has one is refused, and the connection lives on (8.3.3).  active_durable.py PROVIDER

case=hangs  by the session of the first one; "hangs" is what did not return in five seconds
"""

from threading import Thread

import jpype
from brokers import connect, connection, end, tell

connect()
link = connection("active_durable")
session, ended = link.createSession(False, 1), []
topic = session.createTopic("evidence.durable")
session.createDurableSubscriber(topic, "evidence.name")


def ask():
    try:
        ended.append(session.createDurableSubscriber(topic, "evidence.name"))
    except jpype.JException as error:
        ended.append(f"refused: {error}")


asking = Thread(target=ask, daemon=True)
asking.start()
asking.join(5)
tell("createDurableSubscriber() of an active subscription", lambda: str(ended[0]) if ended else "hangs", lambda seen: seen.startswith("refused"), "hangs")
end()
