"""Messages for a connection consumer while its connection is not started (11.2.4): they come after start().

case=unstarted  the connection was never started when the messages were sent
case=stopped    the connection was stopped when the message was sent
case=assigned   the connection is stopped between start() of the server session and run() of its session
"""

import time
from threading import Event, Thread

from application_server import server
from brokers import api, connect, connection, end, listening, tell
from jpype import JProxy

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


def assigned(place):
    """Give what a listener gets whose session is run while the connection is stopped."""
    seen, begun, link = [], Event(), connection()
    own = link.createSession(False, 1)
    own.setMessageListener(listening(lambda message: seen.append(str(message.getText()))))
    one = JProxy(api("ServerSession"), dict={"getSession": lambda: own, "start": begun.set})
    link.createConnectionConsumer(place, None, JProxy(api("ServerSessionPool"), dict={"getServerSession": lambda: one}), 1)
    session.createProducer(place).send(session.createTextMessage("assigned"))
    if not begun.wait(5):
        return "start() was not called"
    link.stop()
    Thread(target=own.run, daemon=True).start()
    time.sleep(1)
    return seen


tell("sent before the connection is started", lambda: received(queue, []), lambda came: came == ["stopped"], "unstarted")
other = session.createQueue("other")
tell("sent while it is stopped", lambda: received(other, ["before"]), lambda came: came == ["before", "stopped"], "stopped")
late = session.createQueue("late")
tell("run while it is stopped", lambda: assigned(late), lambda came: came == [], "assigned")
end()
