"""Messages for a connection consumer while its connection is not started (11.2.4): they come after start().

case=unstarted  the connection was never started when the messages were sent
case=stopped    the connection was stopped when the message was sent
"""

import time

from brokers import connect, end, server, tell

session, queue = connect()


def received(place, texts):
    """Give what the listeners of an application server get, of one message sent before each stop and one after it."""
    seen = []
    connection, pool = server(lambda session, message: seen.append(str(message.getText())), sessions=4)
    producer = session.createProducer(place)
    if not texts:
        connection.stop()
    connection.createConnectionConsumer(place, None, pool, 1)
    for text in texts:
        producer.send(session.createTextMessage(text))
        time.sleep(1)
    connection.stop()
    producer.send(session.createTextMessage("stopped"))
    time.sleep(0.5)
    connection.start()
    time.sleep(2)
    return seen


tell("sent before the connection is started", lambda: received(queue, []), lambda came: came == ["stopped"], "unstarted")
other = session.createQueue("other")
tell("sent while it is stopped", lambda: received(other, ["before"]), lambda came: came == ["before", "stopped"], "stopped")
end()
