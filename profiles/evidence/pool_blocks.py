"""Work on a connection while getServerSession() of a pool blocks (11.2.3).

case=session    another session of the connection sends and receives
case=commit     the listener of the only server session commits, while the pool is empty
"""

import threading

from application_server import server
from brokers import connect, end, tell

session, queue = connect()
producer = session.createProducer(queue)
entered, released = threading.Event(), threading.Event()


def hold(_session, _message):
    entered.set()
    released.wait(8)


def exchanged():
    where, pool = server(hold)
    other, place = where.createSession(False, 1), session.createQueue("another")
    where.createConnectionConsumer(queue, None, pool, 2)
    for text in ("first", "second"):
        producer.send(session.createTextMessage(text))
    entered.wait(5)
    done = threading.Event()

    def exchange():
        other.createProducer(place).send(other.createTextMessage("between"))
        if other.createConsumer(place).receive(5000) is not None:
            done.set()

    threading.Thread(target=exchange, daemon=True).start()
    ended = done.wait(3)
    released.set()
    return ended


def committed(number):
    """Give the messages that the listener of the only server session has committed, after four seconds at most."""
    place, commits, all_came = session.createQueue(f"committed.{number}"), [], threading.Event()

    def commit(own, message):
        own.commit()
        commits.append(str(message.getText()))
        if len(commits) == 3:
            all_came.set()

    where, pool = server(commit, mode=0)
    sender = session.createProducer(place)
    for text in ("first", "second", "third"):
        sender.send(session.createTextMessage(text))
    where.createConnectionConsumer(place, None, pool, 1)
    all_came.wait(4)
    where.close() if all_came.is_set() else None
    return commits


def attempts():
    """Give the first outcome of up to 50 attempts in which commits are missing, or the last one."""
    return next((came for came in (committed(number) for number in range(50)) if len(came) < 3), ["first", "second", "third"])


tell("another session sends and receives within three seconds", exchanged, "true", "session")
tell("messages that the only server session has committed after four seconds", attempts, lambda came: len(came) == 3, "commit")
end()
