"""Does closing one of two shared consumers return?  shared_hang.py PROVIDER

Two connections share a subscription; messages are waiting at both when one of them closes, or its session or consumer (8.3.2, 8.3.4).
"""

import threading
import time

from brokers import connect, connection, end, tell

session, _ = connect()


def returned(name, create, close):
    """Say whether a close returns within five seconds: of a connection, a session or a consumer."""
    topic, ends = session.createTopic(f"evidence.{name}"), []
    for _ in range(2):
        mine = connection()
        of = mine.createSession(False, 1)
        ends.append((mine, of, getattr(of, create)(topic, name)))
    producer = session.createProducer(topic)
    for _ in range(4):
        producer.send(session.createMessage())
    closing = threading.Thread(target=ends[0][close].close, daemon=True)
    closing.start()
    closing.join(5)
    return not closing.is_alive()


SHARED, DURABLE = "createSharedConsumer", "createSharedDurableConsumer"
tell("close() of the connection has returned after 5 s", lambda: returned("connection", SHARED, 0), "true", "connection")
tell("close() of the session has returned after 5 s", lambda: returned("session", SHARED, 1), "true", "session")
tell("close() of the consumer has returned after 5 s", lambda: returned("consumer", SHARED, 2), "true", "consumer")
tell("close() of the connection, durable, has returned after 5 s", lambda: returned("durable.c", DURABLE, 0), "true", "durable-connection")
tell("close() of the session, durable, has returned after 5 s", lambda: returned("durable.s", DURABLE, 1), "true", "durable-session")
tell("close() of the consumer, durable, has returned after 5 s", lambda: returned("durable.m", DURABLE, 2), "true", "durable-consumer")
used = time.process_time()
time.sleep(1)
tell("processor time in the second after that", lambda: round(time.process_time() - used, 1))
end()
