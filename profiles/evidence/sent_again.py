"""Is a message that was sent in a transaction, and committed, sent again by another session (6.2.15, 3.11)?  sent_again.py PROVIDER

The transacted session is closed before; case=open shows the same while it is open.
"""

from brokers import connect, connection, end, made, tell, texts

session, _ = connect()
numbers = iter(range(1, 10))


def again(closed):
    queue = session.createQueue(f"evidence.again.{next(numbers)}")
    transacted = connection().createSession(True, 0)
    message = transacted.createTextMessage("x")
    transacted.createProducer(queue).send(message)
    transacted.commit()
    first = list(texts(consumer := session.createConsumer(queue)))
    if closed:
        transacted.close()
    session.createProducer(queue).send(message)
    second = list(texts(consumer))
    made[-1].close()
    return f"first {first}, then {second}"


RIGHT = "first ['x'], then ['x']"
tell("sent in a transaction, and again by a session of another connection", lambda: again(True), RIGHT, "closed")
tell("the same while the transacted session is open", lambda: again(False), RIGHT, "open")
end()
