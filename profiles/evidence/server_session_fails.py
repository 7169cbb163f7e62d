"""A listener fails in a server session of CLIENT_ACKNOWLEDGE: only recover() gives a message again there (8.7, 11.2.5)."""

from application_server import server
from brokers import connect, end, tell
from jpype import JClass

session, queue = connect()
seen = []


def fails(_, message):
    seen.append(str(message.getText()))
    if len(seen) == 1:
        raise JClass("java.lang.RuntimeException")("as planned")


link, pool = server(fails, mode=2)
link.createConnectionConsumer(queue, None, pool, 2)
producer = session.createProducer(queue)
for text in ("a", "b", "c"):
    producer.send(session.createTextMessage(text))
JClass("java.lang.Thread").sleep(1_000)
tell("what the listener got", lambda: seen, lambda got: got.count("a") == 1)
end()
